// Package diffview owns the text of differences: symbols, alignment, counts of
// what is not shown, here documents and JSON.
//
// It must never know what is compared, nor decide what differs: that is
// internal/view/diff's.
//
// Invariants:
//
//	V1. A level is four columns deep; a symbol stands in the last three columns
//	    before what it is about.
//	V2. Text of a node begins behind its name and ends without a line break.
//	V3. A part that is not shown is counted in a line of its own.
//
// Read first: [Painter], [Painter.Value], [Manner].
package diffview
