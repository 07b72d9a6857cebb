// Package explain owns how the explanation of an object's plan is written: as
// text, as JSON, as a page.
//
// It must never know how an explanation comes about.
//
// Invariants:
//
//	EX1. The page needs no other file and no network.
//	EX2. All three have the same rows in the same order.
//
// Read first: [Write].
package explain
