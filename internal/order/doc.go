// Package order arranges changes in time. Every site (a resource as it is
// configured, or one that only the state knows) has up to two legs: making what
// is wanted, and ending what was there. Rows of a table say which leg of one
// site waits for which leg of another.
//
// It must never know values, addresses or providers.
//
// Invariants:
//
//	O1. If what the sites are configured to depend on, and to be ended with, has
//	    no cycle, neither has the program, whatever the state remembers.
//	O2. A must is always in the program. A wish is left out exactly where it
//	    lies on a cycle, and then it is listed as dropped.
//	O3. Spreading only ever adds create-first; it never takes it away.
//	O4. What is recorded and follows from the rest is left out of the program,
//	    whose legs come in the same order without it.
//
// Read first: [Site], [Arrange], [Spread].
//
// Why O1 holds: count a site that is only ended as destroy-first. Then among
// the musts, end legs of create-first sites may wait for anything, and nothing
// waits for them but their like. What is left goes down the configuration: make legs
// wait for make legs of what is depended on, and for their own destroy-first end;
// destroy-first ends wait for make legs of what they need, which is depended on, too.
package order
