// Package stateview owns the text of states and output values: what show, state
// show and output print, and the outputs behind an apply.
//
// It must never know where a state is kept.
//
// Invariants:
//
//	T1. Objects come in the order of their addresses, a module's together.
//	T2. Sensitive values are named, never shown, except by [Output] and [Raw],
//	    which were asked for one value by name.
//
// Read first: [Show], [Outputs], [Output].
package stateview
