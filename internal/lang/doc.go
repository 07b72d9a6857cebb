// Package lang owns the expression language: references, compiled expressions
// and bodies, scopes, and what goes wrong when they are evaluated.
//
// It must never know which objects exist, which providers run, or in which
// phase it is called: whoever builds a [Scope] decides what a name is worth.
// It never reads a file, the clock or a random source by itself.
//
// Invariants:
//
//	L1. An Expr or Body is compiled once and immutable afterwards; evaluating
//	    it any number of times, from any goroutine, changes nothing.
//	L2. Refs of an Expr or Body are all that its evaluation reads from the
//	    scope, apart from functions.
//	L3. The value of a Body has the type of its schema, whatever went wrong:
//	    what could not be evaluated is unknown.
//	L4. Bad input gives diagnostics and a usable partial result, never a panic.
//
// Read first: [Expr], [Body], [Scope].
package lang
