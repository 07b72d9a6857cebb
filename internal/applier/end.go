package applier

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/action"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// takePrior finds the object that is to end. One that is gone by now needs no
// end.
func (o *op) takePrior() bool {
	o.ending = o.Ledger.Current().Object(o.target)
	if o.ending != nil && o.target.Deposed == "" && o.ending != o.prior.Object(o.target) {
		o.Fail(diag.Err("Object changed while it was applied",
			fmt.Sprintf("%s is another object now than the one that was to be destroyed, so it was left alone.", o.target)).By(diag.Engine))
		return false
	}
	return o.ending != nil
}

// planEnd asks a provider that wants to be asked about the end of an object: it
// was planned to be replaced, and stands beside its replacement now.
func (o *op) planEnd() bool {
	schemas, diags := o.Schemas(o.change.Provider.Provider)
	if diags.HasErrors() || schemas == nil || !schemas.Capabilities().PlanDestroy {
		return true
	}
	null := value.Null(o.Schema.Block.Type())
	res, diags := o.Client.Plan(o.ctx, provider.PlanRequest{
		TypeName: o.change.Addr.Resource.Type, Meta: o.Meta(), Prior: o.before, Proposed: null, Config: null,
		PriorPrivate: o.ending.Private, PriorIdentity: o.change.BeforeIdentity})
	o.Note(diags)
	if diags.HasErrors() {
		return false
	}
	o.endPlan = res.Private
	return o.Judge(contract.Plan, contract.Facts{Prior: o.before.Cty(), Answer: res.Planned.Cty(), Legacy: res.Legacy,
		PriorIdentity: o.change.BeforeIdentity.Cty(), Deferred: res.Deferred != nil})
}

// destroy asks the provider to delete an object.
func (o *op) destroy() bool {
	c, null := o.change, value.Null(o.Schema.Block.Type())
	if !o.intend() {
		return false
	}
	res, diags := o.Client.Apply(o.ctx, provider.ApplyRequest{
		TypeName: c.Addr.Resource.Type, Meta: o.Meta(), Prior: o.before, Planned: null, Config: null,
		Private: o.endPrivate(), Identity: c.BeforeIdentity})
	o.Note(diags)
	failed := diags.HasErrors()
	sound := o.Judge(contract.Apply, contract.Facts{Prior: o.before.Cty(), Config: null.Cty(), Planned: null.Cty(), Answer: res.New.Cty(), Legacy: res.Legacy, Failed: failed})
	answered := o.answered(res, failed, sound)
	answered.Ends = true
	o.bury(res, action.Remaining(answered))
	return !answered.Failed
}

// endPrivate is the private data that goes with a deletion: what the plan of the end
// gave, else the object's own. SDKs of the older type system keep nothing there but the
// timeouts of the configuration, and those that count are of the one that is planned:
// whoever raises the timeout of a deletion that took too long means this deletion.
func (o *op) endPrivate() []byte {
	switch c := o.change; {
	case o.endPlan != nil:
		return o.endPlan
	case c.Private != nil && (c.Action == plan.Delete || c.Action == plan.DeleteThenCreate && c.Legacy):
		return c.Private
	}
	return o.ending.Private
}

// bury makes the state tell what a deletion left.
func (o *op) bury(res provider.ApplyResponse, left action.Remains) {
	if left.Keeps == action.Nothing {
		o.commit(state.Drop{Object: o.target})
		return
	}
	if left.Open {
		return
	}
	keep := *o.ending
	if left.Keeps == action.Told {
		base := keep
		base.Private = res.Private
		base.CreateBeforeDestroy = false // it is past its replacement
		v := o.storable(res.New)
		if updated, err := base.WithValue(value.Join(v, o.ending.Marks(v.Cty(), o.Schema)), o.Schema); err == nil {
			keep = *updated
		}
	}
	o.commit(state.Put{Object: o.target, Provider: o.change.Provider, New: &keep})
}

// provision runs the create-time provisioners in order. A failure taints the
// object. It says whether all went well.
func (o *op) provision() bool {
	if !o.provisioned() {
		return true
	}
	for _, p := range o.Site.Resource.Provisioners {
		if !p.Config.Destroy && !o.runProvisioner(p, o.out) {
			return false
		}
	}
	o.saved(o.Ledger.Commit(state.Taint{Instance: o.change.Addr}))
	return true
}

// provisioned says whether provisioners complete the new object. Until they
// have, it is stored as tainted, so that a run that ends too early says so.
func (o *op) provisioned() bool {
	return slices.ContainsFunc(o.Site.Resource.Provisioners, func(p evaluate.ProvisionerDecl) bool { return !p.Config.Destroy })
}

// provisionDestroy runs the destroy-time provisioners. With a failure the
// object is not destroyed.
func (o *op) provisionDestroy() bool {
	if o.tainted() {
		return true
	}
	provisioners, scope := o.destroyProvisioners()
	for _, p := range provisioners {
		if !p.Config.Destroy {
			continue
		}
		o.scope = scope
		if !o.runProvisioner(p, o.change.Before) {
			return false
		}
	}
	return true
}

// tainted says whether the object that ends was never complete, so that its
// destroy-time provisioners do not run.
func (o *op) tainted() bool {
	s := o.prior.Object(o.change.Object())
	return s != nil && s.Status == state.Tainted
}

// runProvisioner runs one provisioner. It says whether the work may go on.
func (o *op) runProvisioner(p evaluate.ProvisionerDecl, self value.V) bool {
	if !o.saved(o.Ledger.Sync()) { // the program may do anything to this process
		return false
	}
	object := o.change.Object()
	scope := evaluate.WithSelf(o.scope, self)
	if o.Site != nil {
		scope = o.Site.Resource.WithObject(o.scope, self)
	}
	config, diags := p.Body.Eval(scope)
	connection := cty.NullVal(cty.DynamicPseudoType)
	if p.Connection != nil && !diags.HasErrors() {
		var more diag.List
		connection, more = p.Connection.Eval(scope)
		diags = diags.With(more)
	}
	if diags.HasErrors() {
		o.Diags = o.Diags.With(diags)
		return false
	}
	hushed := value.Contains(config, value.Sensitive) || value.Contains(connection, value.Sensitive)
	secret := value.Contains(config, value.Ephemeral) || value.Contains(connection, value.Ephemeral)
	run := o.Provisioners(p.Config.Type)
	if run == nil {
		o.Fail(diag.Err("Unsupported provisioner type", fmt.Sprintf("There is no provisioner %q.", p.Config.Type)))
		return false
	}
	o.Emit(event.Begun{Object: object, Op: event.Provision, Detail: p.Config.Type})
	output := o.shower(object, p.Config.Type, hushed, secret)
	diags = run.Run(o.ctx, value.Strip(config).Cty(), value.Strip(connection).Cty(), output)
	for i := range diags {
		if diags[i].Subject == nil {
			diags[i] = diags[i].At(p.Config.Range)
		}
		diags[i].Address = o.change.Addr.String()
	}
	if !diags.HasErrors() {
		o.Diags = o.Diags.With(diags)
		o.Emit(event.Ended{Object: object, Op: event.Provision, Detail: p.Config.Type})
		return true
	}
	o.Emit(event.Failed{Object: object, Op: event.Provision, Detail: p.Config.Type})
	if p.Config.Continue {
		for i := range diags {
			diags[i].Severity = diag.Warning
		}
	}
	o.Diags = o.Diags.With(diags)
	return p.Config.Continue
}

// shower gives the function that shows a provisioner's output, or a notice
// instead of each part of it where the output could tell a secret: that there is
// progress is none.
func (o *op) shower(object addr.Object, detail string, hushed, secret bool) func(string) {
	if !hushed && !secret {
		return func(text string) { o.Emit(event.Output{Object: object, Detail: detail, Text: text}) }
	}
	why := "sensitive"
	if !hushed {
		why = "ephemeral"
	}
	notice := event.Output{Object: object, Detail: detail, Text: "(output suppressed due to " + why + " value in config)"}
	return func(string) { o.Emit(notice) }
}
