// Package expand owns repetition: turning the value of count, for_each or
// enabled into instance keys, and instances back into one value.
//
// It must never know what is repeated.
//
// Invariants:
//
//	X1. Keys of count are 0 … n-1; keys of for_each are sorted; both are cheap
//	    however many there are.
//	X2. A value that would show or depend on something it may not (unknown,
//	    sensitive, ephemeral) gives no keys but a diagnostic.
//
// Read first: [Keys], [Count], [ForEach].
package expand
