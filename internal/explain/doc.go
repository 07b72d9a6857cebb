// Package explain owns the explanation of one object's plan: all values that it
// passed through side by side, and for each place which side decided it, by
// which rule.
//
// It must never know how the values were made, nor how they are shown.
//
// Invariants:
//
//	X1. The origins follow from the artefacts and the schema alone.
//	X2. Every place at which any artefact has something has a row.
//	X3. A sensitive value is in no row, note or sentence.
//
// Read first: [Artefacts], [Explain].
package explain
