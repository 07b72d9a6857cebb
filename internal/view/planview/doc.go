// Package planview owns the text of a plan: what changed outside, what will be
// done to each object and why, how many objects that makes, what becomes of the
// outputs.
//
// It must never know how a difference was found (that is internal/view/diff)
// nor how a plan was made.
//
// Invariants:
//
//	P1. Headers, symbols, counts and summary lines are fixed: programs read
//	    them.
//	P2. Nothing sensitive is shown.
//
// Read first: [Write], [Options], [Count].
package planview
