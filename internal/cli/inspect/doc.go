// Package inspect owns the commands that show and change nothing: show, output,
// providers, providers schema, metadata functions, graph and version.
//
// It must never take a lock or write a file.
//
// Invariants:
//
//	N1. Machine-readable output is complete or not begun: whatever can fail is
//	    tried first.
//
// Read first: [Commands].
package inspect
