package explain

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Artefacts are the values of one object on its way through a plan, as a tracer
// collects them. A stage that was not passed leaves its value zero.
type Artefacts struct {
	Object   addr.Object
	Provider addr.ProviderConfig
	Schema   *schema.Block
	// Config is what was written, Effective the same with ignored changes taken
	// back. Waits are, for each argument that is not wholly known, the attributes of
	// other objects that make it so.
	Config, Effective value.Bare
	Waits             map[string][]string
	// Previous is the object as the last run stored it, where it is of the
	// current schema; PreviousVersion its version.
	Previous                       value.Bare
	PreviousVersion, SchemaVersion int64
	Upgraded, Prior                value.Bare
	Proposed, Planned              value.Bare
	// Remade are the proposed and the planned object of a replacement, which is
	// planned a second time from nothing.
	RemadeProposed, Remade value.Bare
	// Requires are the paths that the provider wants a replacement for, Forces
	// those of them that differ.
	Requires, Forces []cty.Path
	Legacy           bool
	// Read says that the provider was asked what the object is like now.
	Read       bool
	Imported   bool
	Previously addr.AbsInstance
	// Deferred says why the change waits for a later run, "" when it does not;
	// DeferredByProvider that the provider said so.
	Deferred           plan.DeferReason
	DeferredByProvider bool
	Action             plan.Action
	Reason             plan.Reason
	// Triggers are the entries of replace_triggered_by that change, Pending what a
	// data source depends on that changes, Deposed the keys of the deposed objects of
	// the same instance.
	Triggers, Pending, Deposed []string
	// Result is what a data source answered while planning.
	Result value.Bare
	// Runs are the actions that the change triggers, in order.
	Runs []Run
	// Final and New are made during an apply.
	Final, New value.Bare
	// Hidden are places that the configuration or the state calls sensitive.
	Hidden []cty.Path
}

// Run is an action that a change triggers at one of its events.
type Run struct{ Action, Event string }

// Stage is a column of the explanation.
type Stage uint8

// The stages, in the order in which an object passes them.
const (
	Configuration Stage = iota
	PreviousRun
	UpgradedState
	PriorState
	ProposedState
	InitialPlan
	ReplacementPlan
	FinalPlan
	NewState
	ReadResult
	stages
)

// String is the stage's name.
func (s Stage) String() string {
	return [...]string{"configuration", "previous run", "upgraded", "prior", "proposed", "initial plan", "replacement plan", "final plan", "new", "read"}[s]
}

// Stages are all stages.
func Stages() []Stage {
	out := make([]Stage, stages)
	for i := range out {
		out[i] = Stage(i)
	}
	return out
}

// At is the value of a stage; cty.NilVal where it was not passed.
func (a *Artefacts) At(s Stage) cty.Value {
	return [...]value.Bare{a.Config, a.Previous, a.Upgraded, a.Prior, a.Proposed, a.Planned, a.Remade, a.Final, a.New, a.Result}[s].Cty()
}
