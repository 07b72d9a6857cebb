// Package processgroup keeps programs that are started apart from the terminal's
// interrupt, and ends them together with what they have started.
//
// It must never know what the programs are for.
//
// Invariants:
//
//	PG1. An interrupt typed at the terminal does not reach a program in a group
//	     of its own: the engine alone hears it, and decides.
//	PG2. Where the system has no process groups the program alone is ended.
//
// Read first: [Own].
package processgroup
