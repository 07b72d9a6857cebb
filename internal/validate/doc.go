// Package validate owns checking a configuration without state and inputs: it
// evaluates every site once with everything unknown that only a plan can know,
// and asks the providers about what is known.
//
// It must never configure a provider or read a remote object.
//
// Invariants:
//
//	VA1. Each declaration is checked once, whatever its repetition.
//	VA2. A site with errors is worth an unknown value: it hides no problem of
//	     the sites that need it.
//
// Read first: [Run], [Options].
package validate
