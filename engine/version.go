package engine

// Version is plumb's own version.
const Version = "0.1.0"

// LanguageVersion is the language level offered: what required_version is held
// against and providers are told.
const LanguageVersion = "1.16.0"
