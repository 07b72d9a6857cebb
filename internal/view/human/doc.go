// Package human owns the progress lines that people read while the engine
// works: a fold over events, told the time by whoever has a clock.
//
// It must never know what runs next, nor read a clock or a terminal itself.
//
// Invariants:
//
//	H1. Each event gives the same lines whatever the time, except for the
//	    durations the events themselves carry.
//	H2. A line is written whole, in one Write.
//	H3. Only a live view moves the cursor, and only over its own lines.
//
// Read first: [View], [Options], [View.Observe].
package human
