// Package format owns the fmt command: rewriting configuration files in the
// canonical style.
//
// It must never know what a configuration means: it moves blank space and
// removes notation that older versions of the language needed.
//
// Invariants:
//
//	X1. Formatting what was formatted changes nothing.
//	X2. A file that does not parse is left alone.
//
// Read first: [Source], [Command].
package format
