// Package value owns values: go-cty's, with the engine's policy about marks.
//
// Their JSON form, as states store it, is read here, and paths into values are written
// here, as messages name them.
//
// A V may carry marks (sensitive, ephemeral, deprecated, poison). A Bare is
// proved free of them. Split and Join are the only doors between the two;
// providers, the contract and the codecs take Bare only.
//
// It must never know schemas, addresses or files.
//
// Invariants:
//
//	V1. A Bare holds no mark at any depth.
//	V2. Join(Split(v)) == v.
//	V3. Only this package imports or compares cty marks.
//
// Read first: [V], [Bare], [Split].
package value
