// Package schemajson owns the JSON that tells tools what can be written in a
// configuration: providers' schemas, functions' signatures, versions.
//
// It must never know a provider's process or wire.
//
// Invariants:
//
//	M1. A flag that is not set is absent.
//	M2. Names come in alphabetical order.
//
// Read first: [WriteProviders], [WriteFunctions], [WriteVersion].
package schemajson
