// Package assemble owns how a provider's address becomes a running provider:
// embedded in the program, attached to, overridden for development, or
// installed.
//
// It must never know what a provider is asked.
//
// Invariants:
//
//	A1. An instance is handed to one user only, who closes it; what was started
//	    to read schemas is handed to the first user.
//	A2. A provider that cannot be run is reported with the way to get it.
//
// Read first: [Registry].
package assemble
