// Package generate owns the writing of configuration for objects that exist but
// are not declared: from a type's schema and a value to the text of a resource
// block.
//
// It must never know where the value is from, nor where the text goes.
//
// Invariants:
//
//	G1. The text parses, is in canonical form, and means the value: every
//	    argument that an author may set stands in it, apart from what G2 and G3
//	    leave out, and empty strings where [Subject] says that they mean nothing.
//	G2. No sensitive value is written; its place is marked by a comment.
//	G3. What only the provider decides is left out, and what the provider's own
//	    configuration leaves to it.
//
// Read first: [Resource], [Subject], attribute.go.
package generate
