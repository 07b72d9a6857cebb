// Package mock owns what stands in for a provider, or for the provider of one
// object, in tests: it answers as a provider would that makes up everything which
// it decides itself.
//
// It must never reach anything remote. Of the provider that it stands in for it
// asks schemas, validation, functions and the upgrade of what is stored: nothing
// that needs a configuration.
//
// Invariants:
//
//	M1. What the configuration sets is never changed: only attributes that the
//	    schema says are computed, and that are not set, are made up.
//	M2. A value that was given for an attribute is used where it fits the
//	    attribute's type, and is an error where it does not; what is not given is
//	    generated.
//	M3. What exists stays as it is until the configuration changes: reading gives
//	    what was stored.
//
// Read first: [New], [Spec], filler.
package mock
