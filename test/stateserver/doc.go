// Package stateserver is a server that keeps one state and one lock over HTTP, and
// that fails when it is told to.
//
// It must never be imported outside of tests.
//
// Invariants:
//
//	ST1. Without trouble it speaks the protocol strictly: it compares checksums,
//	     and takes a locked state from the lock's holder only.
//
// Read first: [New], [Fault].
package stateserver
