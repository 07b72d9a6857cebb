// Package inspect owns the commands that show what there is: show, output, version,
// modules, metadata functions and providers, with those of its subcommands that copy
// what the registries have into the lock file or a mirror.
//
// It must never take a lock or change a state.
//
// Invariants:
//
//	N1. Machine-readable output is complete or not begun: whatever can fail is
//	    tried first.
//
// Read first: [Commands].
package inspect
