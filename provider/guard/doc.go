// Package guard owns the wall between the engine and a provider that runs in the
// same program: what goes wrong behind it stays a failed call.
//
// It must never know what a call is about, and it judges no answer.
//
// Invariants:
//
//	GU1. A panic in a provider is a diagnostic with the provider, the method and the
//	     trace, and ends nothing but the call.
//	GU2. A call returns soon after its context ended, whatever the provider does. One
//	     that was left is reported as cancelled, and what it still says is dropped.
//	GU3. What a provider tells while a call lasts is passed on one thing at a time, and
//	     none of it after the call.
//
// A provider behind gRPC has such a wall already, and the engine's own (package builtin)
// needs none; they are handed out as they are.
//
// Read first: [Source], ask.
package guard
