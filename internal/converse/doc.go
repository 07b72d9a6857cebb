// Package converse owns the conversation with one provider about one object, as
// far as planning and applying have it in common: which client to ask, holding
// answers against the contract, pointing problems at the configuration,
// evaluating conditions, and telling observers when a call begins and ends.
//
// It must never decide what happens to an object, nor change a state.
//
// Invariants:
//
//	CV1. Every diagnostic of a conversation carries the object's address, and
//	     the place in the source when there is one.
//	CV2. A begin is followed by exactly one end of the same operation.
//
// Read first: [Talk], [Book].
package converse
