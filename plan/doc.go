// Package plan owns the plan: what is going to happen to which object and why,
// as plain data.
//
// It must never know how a plan was made or how it is shown. The file format is
// plan/planfile's, the JSON that tools read plan/planjson's.
//
// Invariants:
//
//	L1. Changes are sorted by address; a current object comes before the
//	    deposed ones of its instance.
//	L2. Before is null exactly for create and read; After is null exactly for
//	    delete and forget.
//	L3. A Document is immutable once the planner returned it.
//
// Read first: [Document], [Change], [Action].
package plan
