// Package nonsense owns a provider that is honest but for one stage, where it
// answers nonsense: a value of another type, bytes that are no value, nothing, an
// object that is not there or not known, or no answer at all, because it panics,
// ends, or loses the connection.
//
// It is written on the protocol itself, since the libraries do not let a provider
// answer like that. It must never know which program calls it.
//
// Invariants:
//
//	N1. What is remote is a directory with a file for each object, which outlives
//	    the provider: what there is in truth can be asked of it.
//	N2. But for its one stage it keeps every rule.
//
// Read first: [Provider], [Provider.spoil].
package nonsense
