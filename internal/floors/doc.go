// Package floors owns the law of the house: who may import whom, and how code has to
// look. The law is data, floors.txt; the tests of this package hold the product's
// packages to it, without what is generated.
//
// It must never be imported: it has no code that a program could use.
//
// Invariants:
//
//	F1. A package imports only packages on lower floors, and the siblings that
//	    the law lists with a reason.
//	F2. Floors 0 to 2 have bare hands: no go statement, no clock, no file, no
//	    network, no process.
//	F3. Every package has a doc.go that says what it must never know and what to
//	    read first; what it names is there.
//	F4. No function, file or interface is larger than the law allows.
//	F5. No global changes.
//	F6. Goroutines are started by the packages that the law lists with a reason.
//	F7. Every exported name is documented.
//
// Read first: floors.txt, law_test.go, floors_test.go, style_test.go.
package floors
