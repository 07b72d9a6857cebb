// Package testprovider owns a real provider, made with terraform-plugin-framework,
// for tests that want the wire between them and it. It is served in process by
// [Register5] and [Register6], and as a program by the command below it.
//
// It must never know the engine.
//
// Invariants:
//
//	T1. It serves protocols 5 and 6 alike, but for its state store, which 5 has not.
//	T2. What the configuration does not ask for does not fail.
//
// Read first: [New], [Register6].
package testprovider
