// Package jsonout owns writing JSON whose keys come in a fixed order, piece by
// piece, so that a document of any size takes constant memory.
//
// It must never know what is written.
//
// Invariants:
//
//	J1. After the first error nothing more is written; Flush reports it.
//	J2. A value is written as plain JSON: unknown parts of it are left out of
//	    objects and null elsewhere.
//
// Read first: [Writer], [New], [Writer.Value].
package jsonout
