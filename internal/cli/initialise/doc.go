// Package initialise owns init and get: preparing a working directory.
//
// It must never know how packages are obtained or states are kept; it asks for
// both in the right order and tells people.
//
// Invariants:
//
//	Z1. The order is the module to begin from, backend, modules, providers; or, where
//	    a provider keeps the state, modules, that provider, its state store, the other
//	    providers. A failure ends it there.
//	Z2. Running it again does no harm and changes nothing that is as it should
//	    be.
//
// Read first: [Command], steps.
package initialise
