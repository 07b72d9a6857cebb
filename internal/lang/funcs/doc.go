// Package funcs owns the functions of the language: go-cty's own where their
// behaviour is the language's, and the rest.
//
// It must never know configuration, providers, or the machine: files, the
// clock and randomness come in through [Options].
//
// Invariants:
//
//	F1. A function's result depends on its arguments and its Options alone.
//	F2. With Options.Pure set, functions whose result changes from call to
//	    call give unknown values.
//	F3. An error that would quote a sensitive argument does not.
//
// Read first: [Options], [Table], [Files].
package funcs
