// Package refactor follows what moved and removed blocks say about objects that
// exist: it gives every object the address that the configuration has for it
// now, and tells what is to become of those it has none for.
//
// It must never know values or providers. An object whose move changes its
// type gets its new address here and its new shape by whoever can ask the
// provider.
//
// Invariants:
//
//	R1. Moving loses no object: every object of the old snapshot is in the new
//	    one, and no two are at one address.
//	R2. A chain of statements has the same effect as if it had been followed
//	    one release at a time, whatever the order of the blocks.
//	R3. Implied moves never touch a resource that a statement speaks of.
//
// Read first: [Moves], [Report], [Removed].
package refactor
