// Package planfile owns the file that holds a saved plan: a zip container with
// the plan document, the states it was made from, the configuration, and the
// dependency lock file.
//
// It must never know how a plan is made, shown or applied, nor where files are
// kept: it reads from and writes to what it is handed.
//
// Invariants:
//
//	P1. Read(Write(c)) is c: values keep their exact type, what is unknown about
//	    them, and their marks.
//	P2. A file that Write did not make is refused with the reason, before any
//	    of it is used.
//	P3. The same content gives the same bytes.
//	P4. An ephemeral or poisoned value is never written.
//
// Read first: [Content], [Write], [Read].
package planfile
