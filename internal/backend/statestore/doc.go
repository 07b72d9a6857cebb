// Package statestore keeps states in the state store of a provider, which is what
// others write backends as: a state_store block configures one.
//
// It must never know how the provider is run or configured, nor what is in a
// snapshot; its form is package backend's.
//
// What a store cannot do is done in the directory that the backend is given: the
// journal is kept there, and the lock of this machine.
//
// Invariants:
//
//	SS1. A workspace is what the store says there is. The default one is no
//	     exception: init makes it.
//	SS2. The lock is the store's, under an id that the store gives. One without locks
//	     leaves that of this machine.
//	SS3. An error of the provider about a lock is taken to say that somebody holds it:
//	     the protocol does not tell the two apart.
//
// Read first: [Backend], [Options].
package statestore
