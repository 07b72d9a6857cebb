// Package diff owns the differences between two values as a tree: what is the
// same, what comes, what goes, what becomes something else, what is unknown and
// what must not be shown. It decides; rendering is somebody else's.
//
// It must never know how a difference is shown, nor where the values are from.
//
// Invariants:
//
//	F1. A part that is null on both sides has no node, unless its key need not
//	    be there at all (in a map, or in an object without a declared type): then
//	    the null was written out and is a value like others.
//	F2. A container's action is NoOp exactly when all its parts' are; a null on
//	    one side makes it Create or Delete.
//	F3. What the tools see decides, not the type of a value of unknown type: a
//	    map where the schema says "dynamic" is an object, a set a list.
//
// Read first: [Node], [Block], [Resource].
package diff
