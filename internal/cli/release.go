package cli

import "github.com/plumb-iac/plumb/engine"

// Version is the program's version, Language the level of the Terraform
// language that it offers to configurations and tools.
const (
	Version  = engine.Version
	Language = engine.LanguageVersion
)
