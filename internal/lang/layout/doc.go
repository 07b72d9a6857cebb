// Package layout owns the canonical form of configuration source: spacing and
// alignment as the syntax library has them, and a few rewrites of old spellings
// into new ones.
//
// It must never know what the configuration means, nor any file.
//
// Invariants:
//
//	LF1. Format(Format(x)) == Format(x).
//	LF2. Formatting changes no value: only spelling.
//
// Read first: [Format].
package layout
