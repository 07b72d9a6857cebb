// Package testview owns what people see of tests while they run, and the report in
// the form that JUnit made common.
//
// It must never know how a test came out the way it did, nor where diagnostics go:
// it hands them on.
//
// Invariants:
//
//	V1. A line is written when something is complete or begins, in the order of
//	    the runs.
//	V2. The report has every run, those that were skipped, too.
//
// Read first: [View], [WriteJUnit].
package testview
