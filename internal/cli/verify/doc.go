// Package verify owns the command "provider verify": it starts a provider's
// program in a directory of its own, has it examined, and shows the report.
//
// It must never know the rules, nor how an examination goes: that is package
// internal/verify's job.
//
// Invariants:
//
//	PV1. The provider works in a fresh directory that is removed afterwards.
//	PV2. What is not allowed to be called is said before anything is called.
//
// Read first: [Commands].
package verify
