// Package verify owns the examination of a provider: it makes configurations
// of the provider's own schema, takes each through the lifecycle, and reports
// every rule that was broken, with the smallest configuration that still
// breaks it.
//
// It must never know states, plans, configuration files or how a provider is
// started: it is handed a function that opens one.
//
// Invariants:
//
//	VF1. Without Options.AllowApply nothing is called that may touch the outside
//	     world beyond what configuring the provider does: schemas, validation,
//	     plans, functions.
//	VF2. The same seed and the same answers give the same report.
//	VF3. A configuration that the provider refuses with diagnostics of its own is
//	     no finding; neither is a failed apply.
//	VF4. What was created is destroyed before the examination goes on, and what
//	     could not be destroyed is named in the report.
//
// Read first: [Options], [Run], [Breach].
package verify
