// Package engine is the only way in: the public API that the command line and
// every embedding program use. It plans and applies a loaded configuration
// against a state, through providers it is handed.
//
// It must never print, exit, read the environment or keep global state.
//
// Tests of a configuration are run by package suite below it, through this API.
//
// Invariants:
//
//	N1. One operation at a time per Engine; a second one waits.
//	N2. Diagnostics are returned beside the best partial result.
//	N3. Whatever happened is in the state that Apply returns and in the store,
//	    errors or not.
//
// Read first: [Engine], [Options], [PlanOptions].
package engine
