// Package golden owns the expected texts of tests: text in, text out, one file a
// story. With -update a test writes what it got instead of comparing.
//
// It must never know what the texts are about.
//
// Invariants:
//
//	G1. A test without any expectation fails.
//	G2. Without -update nothing is written.
//
// Read first: [File], [Part], [Paragraphs], [Stories].
package golden
