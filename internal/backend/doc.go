// Package backend owns what the rest of the program asks of a place where states
// are kept: to list workspaces, to read and replace a state, to lock it, and to
// keep a journal of it where that is possible; and the form in which all of them
// store a state.
//
// It must never know where that place is. What a snapshot means, and when its
// serial grows, is known by its callers and by package ledger.
//
// Invariants:
//
//	B1. Write replaces the whole state or changes nothing, and returns after
//	    the state is durable. A failure is always an error.
//	B2. While one holder has the lock, nobody else gets it; a refusal tells who
//	    has it, as far as is known.
//	B3. A state that does not exist reads as nil. One that exists and cannot be
//	    understood is an error.
//	B4. A journal that belongs on top of the state is part of it for every
//	    reader; one that does not is reported and left alone.
//	B5. A state that is encrypted in another way than it would be now reads like
//	    any other and is stale; one that cannot be decrypted, or is in the clear
//	    and should not be, is an error.
//
// Read first: [Backend], [Store], [Open].
package backend
