// Package serve owns the other end of the wire: it serves any provider.Provider,
// such as a scripted one of provider/fake, in version 6 of the provider protocol,
// so that tests can put real gRPC between the engine and it.
//
// It must never know what it serves, and it judges nothing.
//
// Invariants:
//
//	SV1. A diagnostic that says that a call did not come through (the codes of
//	     package wire) becomes such a call: an error of gRPC, or an answer that
//	     does not decode.
//	SV2. An answer is sent as it is, however wrong.
//
// Read first: [Register].
package serve
