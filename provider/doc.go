// Package provider owns what the engine asks of a provider: one request and
// one response struct per operation, in terms of cty values, and small
// interfaces grouping them. Whether a provider is a process behind gRPC
// (provider/wire, provider/process), part of the program (provider/builtin)
// or a script in a test (provider/fake) is invisible behind them.
//
// It must never know states, plans or configuration files, and it never judges
// an answer: that is package contract's job.
//
// Invariants:
//
//	P1. Values in requests and responses are bare (value.Bare); sensitive and
//	    other marks never reach a provider.
//	P2. A failed call is a diagnostic that blames the provider and names it and
//	    the operation; it is never a Go error and never a panic.
//	P3. A response is returned as the provider gave it, converted to the
//	    schema's implied type where that is possible; a zero Bare means that it
//	    gave none, or one that does not decode (then there is a diagnostic too).
//
// Read first: [Provider], [Managed], [PlanRequest].
package provider
