package engine

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/planner"
	"github.com/plumb-iac/plumb/plan"
)

// invoking makes a plan that invokes actions one that changes nothing else.
func invoking(prog *evaluate.Program, o *PlanOptions) diag.List {
	if len(o.Invoke) == 0 {
		return nil
	}
	if o.Mode == plan.Destroy {
		return diag.Errs("Incompatible plan mode options", "A plan that invokes actions changes nothing else, so it cannot destroy at the same time.")
	}
	o.Mode = plan.RefreshOnly
	var diags diag.List
	for _, a := range o.Invoke {
		if prog.Action(a) == nil {
			diags = diags.With(planner.NotFound(a))
		}
	}
	return diags
}
