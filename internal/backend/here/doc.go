// Package here owns what a backend whose states are on another machine keeps on this
// one, in the data of the working directory: the journal of a state, and the lock
// that keeps this machine's processes from writing one journal at a time.
//
// It must never know where the state is, nor how that place is asked.
//
// Invariants:
//
//	HE1. What belongs to a state is found again by its name alone.
//	HE2. A directory that cannot be written has no lock, and is no error; that it has
//	     no journal is one for the run that needs it.
//
// Read first: [Place].
package here
