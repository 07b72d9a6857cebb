// Package config owns configuration files: reading them, merging override
// files, and turning them into declaration tables. Nothing is evaluated here
// except what has to be literal.
//
// It must never know values of variables, schemas of providers or states.
//
// Invariants:
//
//	C1. A Tree is immutable once loaded.
//	C2. Loading reports every problem it can find and returns the best partial
//	    tree beside the diagnostics.
//	C3. hcl syntax types are known here and in internal/lang only.
//
// Read first: [Tree], [Module], [Resource].
package config
