// Package schema owns compiled schemas: which attributes and blocks an object
// may have, and everything that can be computed of that once: the implied
// type, the sorted names, where write-only and sensitive attributes are.
//
// It must never know the wire, a syntax library or a value's history.
//
// Invariants:
//
//	S1. A Block is finished by NewBlock and immutable afterwards.
//	S2. Type() is computed once; a set of blocks or nested attributes is a set
//	    of objects, a map a map of objects, and so on.
//
// Read first: [Block], [Attribute], [NewBlock].
package schema
