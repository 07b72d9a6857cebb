// Package ephemeral owns the objects that live for one walk only: it opens
// them, renews them in the background while somebody needs them, and closes
// them when the last who needs them is done.
//
// A walk over a program is a graph and the work of its nodes. [Run] runs both,
// with two changes: the sites of ephemeral resources are worked on here, and
// each has one more node that closes its objects.
//
// It must never store anything, and never know whether the walk plans or
// applies.
//
// Invariants:
//
//	EP1. Whatever a provider opened is closed exactly once, errors or not, at
//	     the latest when the walk is over.
//	EP2. An object is closed after everything that its value leads to, and
//	     after the ephemeral objects that were made from it.
//	EP3. Every value that leaves an ephemeral resource is marked ephemeral,
//	     unknown ones too.
//	EP4. A lease has one goroutine at most, it ends before the object is closed,
//	     and lease.go has the only go statement.
//
// Read first: [Run], [Host], lease.go.
package ephemeral
