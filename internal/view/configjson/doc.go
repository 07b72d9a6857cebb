// Package configjson owns the JSON form of a configuration, inside a plan or by
// itself: provider configurations, resources, outputs, variables and module calls,
// with their expressions as constants or lists of references. An outline of one
// module leaves out what schemas and other modules would have to tell.
//
// It must never evaluate anything that refers to something.
//
// Invariants:
//
//	N1. References come in the order of the source, each with its prefixes,
//	    longest first.
//	N2. A provider configuration is written once, under the key by which
//	    resources name it.
//
// Read first: [Write].
package configjson
