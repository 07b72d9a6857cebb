// Package backendtest is the suite that every backend must pass.
//
// It must never be imported outside of tests, nor know any backend.
//
// Invariants:
//
//	BT1. Each test begins with a backend that holds nothing.
//	BT2. What a backend may leave out (a journal, other workspaces than the default
//	     one) is tested when it is there.
//
// Read first: [Run].
package backendtest
