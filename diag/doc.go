// Package diag owns diagnostics: what went wrong or deserves a warning, where,
// whose fault it is and what to do, as plain data.
//
// It must never know how a diagnostic is shown, nor any syntax library.
//
// Invariants:
//
//	D1. A diagnostic has a severity and a summary; the zero value is invalid.
//	D2. The summary is terse and fixed for its code; variable text belongs in
//	    the detail.
//	D3. A List is returned beside the best partial result, never instead of it.
//
// Read first: [Diag], [List], [Range].
package diag
