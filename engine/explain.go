package engine

import "github.com/plumb-iac/plumb/internal/explain"

// What an explanation is made of.
type (
	// Artefacts are the values of one managed object on its way through a plan. Ask
	// for them with PlanOptions.Explain; ApplyOptions.Explain completes them.
	Artefacts = explain.Artefacts
	// Explanation is what happens to an object, and why.
	Explanation = explain.Explanation
	// ExplainedPlace is a row of it: one place in the object.
	ExplainedPlace = explain.Row
	// ExplainedRun is an action that a change triggers.
	ExplainedRun = explain.Run
	// Origin says who decided the planned value of a place, and by which rule.
	Origin = explain.Origin
	// Side is who decided it.
	Side = explain.Side
	// Stage is a column of an explanation.
	Stage = explain.Stage
)

// Explain makes the explanation of what was collected.
func Explain(a *Artefacts) Explanation { return explain.Explain(a) }

// Stages are all stages, in the order in which an object passes them.
func Stages() []Stage { return explain.Stages() }
