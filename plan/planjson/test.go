package planjson

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/state"
)

// WriteTestPlan writes what the lines about tests tell of a plan, as members of
// an object that was begun.
func WriteTestPlan(w *jsonout.Writer, d *plan.Document) {
	w.KeyString("plan_format_version", planFormat)
	writeOutputChanges(w, d.Outputs)
	writeChanges(w, "resource_changes", d.Changes)
	writeChanges(w, "resource_drift", d.Drift)
	writeList(w, "relevant_attributes", d.Relevant, writeRelevant)
}

// WriteTestState writes what the lines about tests tell of a state, as members of
// an object that was begun.
func WriteTestState(w *jsonout.Writer, s *state.Snapshot, schemas Schemas) {
	w.KeyString("state_format_version", stateFormat)
	writeRootModule(w, s, schemas)
	writeStateOutputs(w, s)
}
