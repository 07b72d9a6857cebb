// Package state owns what is known of remote objects: the [Snapshot], an
// immutable value, and the [Edit], the only way from one snapshot to the next.
//
// It must never know files, locks, providers or schemas: attributes stay
// encoded, and what they mean is somebody else's business.
//
// A snapshot is a persistent tree, resource → instances → objects. An edit
// shares everything it does not touch, so that it costs O(log n) and snapshots
// can be read by anybody at any time.
//
// Invariants (an [EditError] and a [Defect] carry their numbers):
//
//	S1.  A snapshot never changes. Edits that change nothing give the same
//	     pointer.
//	S2.  Only managed resources and data sources are stored.
//	S3.  Every object has attributes: one JSON object, or a flat map.
//	S4.  Every instance has an object. A resource without instances is a husk:
//	     a provider configuration and nothing else, left by a halted apply.
//	S5.  A deposed object has a key of eight hexadecimal digits, unique within
//	     its instance.
//	S6.  An object is deposed, restored, tainted, moved or given another
//	     provider only where it exists.
//	S7.  No object is overwritten by restoring or moving another.
//	S8.  Every object has a provider configuration.
//	S9.  An output is wholly known and not ephemeral.
//	S10. Data source results are neither tainted nor deposed.
//	S11. Dependencies are sorted and without repetition.
//
// Read first: [Snapshot], [Edit], [Object].
package state
