// Package explain owns how the explanation of an object's plan is written: as
// text, as JSON, as a page.
//
// It must never know how an explanation comes about.
//
// Invariants:
//
//	EX1. The page needs no other file and no network.
//	EX2. All three have the same rows; text and page tell those first that force
//	     a replacement, and last, with a line each, those of which a line is enough.
//
// Read first: [Write].
package explain
