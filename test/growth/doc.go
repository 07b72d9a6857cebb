// Package growth holds the engine to the growth law: four times the objects cost
// at most 4.4 times as much, in every command and for every shape of
// configuration.
//
// It counts allocations, which are the same in every run, and not time, which
// test/bench measures.
//
// Read first: TestGrowth.
package growth
