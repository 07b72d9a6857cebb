// Package session owns what every command needs of the outside world: the
// streams, the environment, the working directory and its data directory, the
// selected workspace, asking a person, and showing diagnostics.
//
// It must never know what a command does, nor the formats of plans and states.
//
// Invariants:
//
//	E1. The process is reached through Process alone, so that a test or an
//	    embedding program can be the process.
//	E2. Warnings go to the output unless a program reads it, errors to the
//	    error stream.
//	E3. Nobody is asked anything when input was switched off.
//	E4. What is said through Print, List, Complain and Report is said in lines of
//	    JSON where SpeakLines asked for them.
//	E5. Whoever reads the output may go away; the command ends as it would have.
//
// Read first: [Process], [Session], [Session.Report].
package session
