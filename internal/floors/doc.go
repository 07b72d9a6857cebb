// Package floors owns the law of who may import whom. The law is data,
// floors.txt; the tests of this package hold the repository to it.
//
// It must never be imported: it has no code that a program could use.
//
// Invariants:
//
//	F1. A package imports only packages on lower floors, and the siblings that
//	    the law lists with a reason.
//	F2. Floors 0 to 2 have bare hands: no go statement, no clock, no file, no
//	    network, no process.
//	F3. Every package has a doc.go.
//
// Read first: floors.txt, law_test.go, floors_test.go.
package floors
