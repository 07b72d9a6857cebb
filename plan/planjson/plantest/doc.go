// Package plantest owns plans written down as text, for tests of what is made
// of plans.
//
// It must never know how a plan is shown.
//
// A story is a txtar archive with "schema.json" and "plan.json". In values,
// {"?": true} is an unknown and {"!": V} a sensitive V.
//
// Invariants:
//
//	Q1. The same text gives the same plan.
//
// Read first: [Parse].
package plantest
