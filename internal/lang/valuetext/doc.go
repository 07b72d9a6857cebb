// Package valuetext writes values and types for people, in the form of the
// language: what the console and the output command print.
//
// It must never know where a value came from, nor colours.
//
// Invariants:
//
//	VT1. A sensitive or ephemeral value is named, never shown.
//	VT2. The text of a wholly known value is an expression of the same value,
//	     except that "${" and "%{" in strings are not escaped.
//
// Read first: [Format], [TypeText].
package valuetext
