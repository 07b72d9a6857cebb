// Package validate owns checking a configuration without state and inputs: it
// evaluates every site once with everything unknown that only a plan can know,
// and asks the providers about what is known.
//
// It must never configure a provider or read a remote object.
//
// Invariants:
//
//	VA1. Each declaration is checked once, whatever its repetition.
//	VA2. A site with errors hides the problems of the sites that need it, and
//	     no others.
//
// Read first: [Run], [Options].
package validate
