// Package test owns the command that runs the tests of a configuration: which are
// asked for, with which values, who hears of it, and where what is left goes.
//
// It must never know how a test is carried out or judged.
//
// Invariants:
//
//	X1. The state of the working directory is neither read nor written.
//	X2. The exit status is 1 when a run failed, could not be carried out, or left
//	    something behind; else 0, also when there are no tests.
//
// Read first: [Command], work.
package test
