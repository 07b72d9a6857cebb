// Package expand owns what count, for_each and enabled decide: which instances
// a block has, and what count and each are worth in each of them.
//
// It must never know which block it is, nor what the instances become.
//
// Invariants:
//
//	E1. Keys of a count take the same space for any count.
//	E2. Keys come out in the order of addr.InstanceKey.Less.
//	E3. An instance key never comes from a sensitive or ephemeral value.
//
// Read first: [Keys], [Count], [ForEach].
package expand
