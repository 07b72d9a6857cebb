// Package format owns the fmt command: rewriting configuration files in the
// canonical style.
//
// It must never know the style itself: that is package layout's.
//
// Invariants:
//
//	X1. A file that does not parse is left alone.
//
// Read first: [Command].
package format
