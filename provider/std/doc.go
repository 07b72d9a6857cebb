// Package std is the standard provider, embedded in the engine as builtin/std:
// the files, random values, keys, certificates and commands that nearly every
// configuration needs and that otherwise cost a download each.
//
// It is an ordinary provider of protocol 6 and gets no favours: it knows
// nothing of the engine, and the same server runs in the engine's process and
// in the standalone binary terraform-provider-std.
//
// It must never know an engine package, keep state of its own between two
// calls, or write anything but what a resource asks for.
//
// Invariants:
//
//	T1. Whatever can be known when planning is planned known; a plan never says
//	    "known after apply" of a value that will not change.
//	T2. Read reports the world, not the last wish: what was changed elsewhere
//	    shows up as a difference, what was removed is removed.
//	T3. A file is replaced as a whole or not at all.
//	T4. What may be secret is marked sensitive in the schema and never quoted in
//	    a diagnostic.
//	T5. Randomness comes from the operating system's generator, without bias.
//	T6. The clock enters through the provider; only tests set another.
//	T7. What hangs on the context of a call is let go of with the call.
//
// Read first: [Server], fileResource, commandResource.
package std
