// Package wire owns the provider protocol: the messages of versions 5 and 6,
// what travels in them, and a [Client] that is a provider.Provider over them.
//
// It must never know how a provider is started or found ([Link] does), what an
// answer means for an object (package contract does), nor any file format.
//
// There is one client, not two. The versions differ in the names of seven
// methods, in a handful of fields that only version 6 has, and in the schema
// messages. Methods are therefore rows of a table ([rpc]); requests and answers
// of both versions are version 6's messages; and a version 5 schema is lifted
// to version 6 when its type is first asked for.
//
// Invariants:
//
//	W1. Outside schemas, a message of version 5 and its counterpart of version
//	    6 agree in every field they share. A test compares the descriptors.
//	W2. Bytes of a version 5 schema are never decoded with version 6 messages:
//	    fields 10 and 11 of an attribute differ.
//	W3. A provider's whole schema is never decoded at once: an answer is cut
//	    into encoded schemas by name, and a type is compiled when asked for.
//	W4. The schema is asked for before anything else is asked of a process,
//	    unless the provider said that it does not need that.
//	W5. An absent value of a state or result is null, as both mean the same
//	    on the wire. A call that failed has a zero Bare.
//
// Read first: [Client], [Link], [exchange].
package wire
