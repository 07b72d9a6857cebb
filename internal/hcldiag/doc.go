// Package hcldiag gives places and mistakes as the syntax library tells them in the
// form of package diag.
//
// It must never know what a file means, nor what an expression is worth: package
// lang adds that to what it makes.
//
// Invariants:
//
//	HD1. Severity, words and places come out as they go in.
//
// Read first: [List], [RangeOf].
package hcldiag
