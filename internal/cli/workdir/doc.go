// Package workdir owns what a working directory is made of: the configuration
// with its installed modules, the dependency lock file, the providers, and the
// place where the state of the selected workspace is kept.
//
// It must never know what a command does with them.
//
// Invariants:
//
//	D1. Everything is read at most once in a command.
//	D2. A configured place for the state that differs from the one that init
//	    set up is an error, never used.
//	D3. States and plan files are read and written here and nowhere else in the
//	    commands, so that none forgets that they may be encrypted.
//
// Read first: [Dir], [OpenStorage], [Storage].
package workdir
