// Package embedded owns the list of providers that are part of the program.
//
// It must never know which of them a configuration uses.
//
// Invariants:
//
//	B1. An embedded provider is never installed, locked or downloaded.
//
// Read first: [Providers].
package embedded
