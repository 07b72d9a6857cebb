package install

import "github.com/plumb-iac/plumb/addr"

// Kind is what an [Event] tells.
type Kind uint8

// The kinds. The zero value is invalid.
const (
	InvalidKind Kind = iota
	// BuiltIn: the provider is part of the program.
	BuiltIn
	// Finding a version by constraints.
	Finding
	// Reusing the version that the lock file holds.
	Reusing
	// Present: the package is already in the working directory.
	Present
	// FromCache: the package is taken from the shared cache directory.
	FromCache
	// Installing begins.
	Installing
	// Installed ends it.
	Installed
	// Module: a module was put into the manifest.
	Module
	// Downloading: a module's package is fetched.
	Downloading
	// Fetching and Retrieved: a package for a platform is looked at for its
	// checksums or put into a mirror.
	Fetching
	Retrieved
)

// Event is a step of an installation.
type Event struct {
	Kind     Kind
	Provider addr.Provider
	// Name is the provider as people write it, or a module's source.
	Name    string
	Version string
	// Constraints are the normalised constraints of Finding; "" means latest.
	Constraints string
	// Trust says how far the package's origin is known.
	Trust string
	// Key and Dir are the path and directory of a module.
	Key, Dir string
	// Platform is that of Fetching and Retrieved.
	Platform string
}

// String is the event as a line of init's output.
func (e Event) String() string {
	switch e.Kind {
	case BuiltIn:
		return "- " + e.Provider.String() + " is built in to Plumb"
	case Finding:
		if e.Constraints == "" {
			return "- Finding latest version of " + e.Name + "..."
		}
		return "- Finding " + e.Name + " versions matching \"" + e.Constraints + "\"..."
	case Reusing:
		return "- Reusing previous version of " + e.Name + " from the dependency lock file"
	case Present:
		return "- Using previously-installed " + e.Name + " v" + e.Version
	case FromCache:
		return "- Using " + e.Name + " v" + e.Version + " from the shared cache directory"
	case Installing:
		return "- Installing " + e.Name + " v" + e.Version + "..."
	case Installed:
		return "- Installed " + e.Name + " v" + e.Version + " (" + e.Trust + ")"
	case Fetching:
		return "- Fetching " + e.Name + " " + e.Version + " for " + e.Platform + "..."
	case Retrieved:
		return "- Retrieved " + e.Name + " " + e.Version + " for " + e.Platform + " (" + e.Trust + ")"
	case Downloading:
		name := e.Name
		if e.Version != "" {
			name += " " + e.Version
		}
		return "Downloading " + name + " for " + e.Key + "..."
	case Module:
		return "- " + e.Key + " in " + e.Dir
	}
	return ""
}
