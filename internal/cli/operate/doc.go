// Package operate owns the commands that run the engine on a working directory:
// plan, apply, destroy, refresh, import, validate, query, explain, console and
// graph.
//
// It must never know how the engine works or how its results are written; it
// decides what is asked of whom, and in which order people hear of it.
//
// Invariants:
//
//	O1. Nothing is applied that nobody approved: the person, -auto-approve, or
//	    the one who saved the plan.
//	O2. A saved plan is applied with the configuration inside it, to the state
//	    it was made for, or not at all.
//	O3. The lock is held from before the state is read until after it is
//	    written, over the question for approval, too.
//	O4. Warnings are shown before the closing lines, errors last.
//
// Read first: [Options], operation, [face].
package operate
