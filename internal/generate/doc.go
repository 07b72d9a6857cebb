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
//	    leave out.
//	G2. No sensitive value is written; its place is marked by a comment.
//	G3. What only the provider decides is left out: computed attributes, and null
//	    ones that the provider fills in.
//
// Read first: [Resource], [Subject], attribute.go.
package generate
