// Package planjson owns the JSON forms of plans, states and outputs that tools
// read: `show -json`, `output -json` and the values inside them.
//
// It must never know how a plan was made, where a state came from, or any
// configuration syntax: the configuration part of a plan is written by a
// function it is handed.
//
// Invariants:
//
//	J1. Keys come in a fixed order and the document is written as it is
//	    visited: nothing is kept but the tree of modules.
//	J2. Sensitive values are written in clear; sensitive_values says where they
//	    are.
//	J3. An unknown attribute is absent from values and true in after_unknown.
//
// Read first: [WritePlan], [WriteState], [Options].
package planjson
