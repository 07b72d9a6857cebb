// Package journal owns the form in which edits survive a crash: records, one
// an edit, each carrying a checksum that continues the one before it, so that a
// record is only believed when everything before it is.
//
// It must never know files or syncing: bytes in, bytes out.
//
// A journal begins by saying which state it continues (lineage and serial) and,
// each time before that state is replaced, by which (a seal, with a digest of its
// content). [Fold] decides with those which of the edits are still to be applied;
// docs/journal.md goes through what a crash may leave.
//
// Invariants:
//
//	J1. Read(Append…Append) gives the same edits in the same order.
//	J2. Cut anywhere, or damaged anywhere, a journal reads as the longest prefix
//	    of whole records; there is no error and no panic. What a write that was
//	    cut off leaves is told from damage with whole records behind it.
//	J3. An intent is unresolved until an edit of the same object follows it.
//	J4. Edits are never applied twice: where a sealed state is there, as its content
//	    tells, those before the seal are in it, and a journal without further ones is
//	    finished.
//	J5. A journal of another lineage, or of a serial that the state has left
//	    behind otherwise, is reported and never applied.
//	J6. States that are equal have one digest, also after they went through a file.
//
// Read first: [Encoder], [Read], [Fold].
package journal
