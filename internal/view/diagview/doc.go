// Package diagview owns showing diagnostics: in boxes for people, as objects
// for tools, with the piece of source they are about.
//
// It must never know what a diagnostic means, except which summaries must be
// shown one by one.
//
// Invariants:
//
//	G1. Warnings come before errors, as diag.List.Sorted has them.
//	G2. Nothing is lost: a warning that is not shown is counted in one that is.
//	G3. Text of providers cannot move the cursor: control characters are
//	    replaced.
//
// Read first: [Write], [Options], [WriteJSON].
package diagview
