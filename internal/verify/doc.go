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
//	VF4. What was created is destroyed before the examination goes on; what could
//	     not be destroyed is named in the report, and no more of its type is made.
//	     An interrupt (Options.Enough) is no exception.
//	VF5. One mistake is one breach: what a breach covers (the same rule elsewhere,
//	     another rule at the same place) is noted with it.
//	VF6. An unknown value is never sent where the engine would wait for it.
//
// Read first: [Options], [Run], [Breach], then trial.run, which leads to what is
// done with each kind of subject.
package verify
