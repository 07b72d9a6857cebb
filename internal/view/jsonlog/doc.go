// Package jsonlog owns the JSON lines that tools read while the engine works:
// one object a line, each with a level, a message for people, a time and a
// type.
//
// It must never know flags or streams, nor read a clock itself.
//
// Invariants:
//
//	K1. The version line comes first.
//	K2. The messages of change_summary lines are what the human view says.
//	K3. Lines are written whole, one Write each.
//
// Read first: [Log], [Options], [Log.Observe].
package jsonlog
