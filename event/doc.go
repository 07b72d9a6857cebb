// Package event owns what the engine tells while it works: a closed set of
// small immutable structs. Views fold over them; nothing else is shown.
//
// It must never know how an event is shown.
//
// Invariants:
//
//	E1. Events are delivered in one total order, Seq ascending without gaps.
//	E2. A begin precedes its end, and both carry the same Object and Op.
//	E3. StateSaved follows durability and precedes the release of dependants.
//	E4. An event's fields are never changed after it was emitted.
//
// Read first: [Event], [Header], [Observer].
package event
