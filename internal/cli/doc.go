// Package cli owns the command line: which command a line of arguments selects, the
// overview of all commands, and how shells complete a line. Each family of commands
// is a directory.
//
// It must never know how a plan is made: package engine is the only way in.
//
// Invariants:
//
//	M1. Main returns the exit status and ends nothing.
//	M2. 0 is success, 1 an error, 2 a plan with changes when that was asked
//	    for, 127 a line that selects no command.
//	M3. Every command is a row of the table; there is no other way to run one.
//
// Read first: [Main], table, [command.Command].
package cli
