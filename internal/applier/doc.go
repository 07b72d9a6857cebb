// Package applier owns carrying out a plan: it walks the program again with
// final values, asks providers for the final plan, applies it, and commits
// every result to the ledger before anything that depends on it may run.
//
// It must never decide what should happen: that is in the plan.
//
// Invariants:
//
//	AP1. An intent is durable before a provider is asked to change something
//	     remote, and the result before a dependant is released.
//	AP2. Whatever an answer says exists is in the state afterwards, errors or
//	     not.
//	AP3. An object whose first leg failed does not run its second one.
//	AP4. A node is a declaration's make leg (its site) or a resource's end leg.
//	AP5. Every change of the plan is carried out, and nothing else is worked on
//	     that waits for a later run.
//	AP6. What needs something that failed is not begun: a whole resource, or
//	     the instances of it that a declaration names by constant keys, if it
//	     reads nothing else of it.
//
// Read first: [Apply], [Options], leg.go.
package applier
