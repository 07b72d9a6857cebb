// Package statetest draws random snapshots and edits for property tests of the
// packages that store them.
//
// It must never be imported outside of tests.
//
// Invariants:
//
//	T1. Every drawn edit fits the snapshot it was drawn for.
//	T2. Every part of an object, and every kind of edit, is drawn sometimes.
//
// Read first: [Snapshot], [Edit], [Object].
package statetest
