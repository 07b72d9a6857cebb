// Package config owns configuration files: reading them, merging override
// files, and turning them into declaration tables. Nothing is evaluated here
// except what has to be literal, or known while loading.
//
// It must never know values of variables beyond those, schemas of providers or
// states.
//
// Invariants:
//
//	C1. A Tree is immutable once loaded. Modules of one directory share their
//	    declarations.
//	C2. Loading reports every problem it can find and returns the best partial
//	    tree beside the diagnostics.
//	C3. hcl syntax types are known here and in internal/lang only.
//	C4. A file is read and parsed once, however often its module is called.
//	C5. No input makes it panic.
//
// Read first: [Tree], [Load], [ProviderFor].
package config
