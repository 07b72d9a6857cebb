// Package v4 owns the state file format, version 4: JSON in, [state.Snapshot]
// out, and back. States of version 3 are read too, and written as version 4.
//
// It must never know where a file is, who holds its lock, or what an attribute
// means: attributes pass through as they are.
//
// Invariants:
//
//	F1. Read(Write(s)) equals s, for every snapshot.
//	F2. Write is a function of the snapshot and the options: the same snapshot
//	    gives the same bytes, those that Terraform 1.16 writes for it.
//	F3. What the two families of tools add for themselves (identities, remembered
//	    lifecycle arguments, provider configurations of single instances,
//	    deprecated outputs, checks of unknown kinds) survives.
//	F4. Whatever is not understood is an error with its place, never a guess and
//	    never a panic; no snapshot comes with an error.
//
// Read first: [Read], [Write], [Options].
package v4
