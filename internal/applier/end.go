package applier

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// endObject carries out the end leg of a change. It says whether it went well.
func (w *walk) endObject(ctx context.Context, s *evaluate.Site, c *plan.Change) bool {
	l := w.firstLeg(c)
	target := c.Object()
	second := c.Action == plan.CreateThenDelete || c.Action == plan.CreateThenForget
	if second {
		if l.failed || l.deposed == "" {
			return !l.failed
		}
		target.Deposed = l.deposed
	}
	if c.Deposed != "" && s != nil && s.Resource.CreateFirst && w.firstLeg(c).failed {
		return true // its successor could not be made; it stays until it can
	}
	o := w.start(ctx, s, c)
	if c.Action.Forgets() {
		o.Diags = nil // forgetting needs no provider
		o.forget(target)
	} else if o.OK() {
		o.destroy(target)
	}
	w.Report(o.Diags)
	if !o.OK() && c.Action == plan.DeleteThenCreate {
		w.remember(c, leg{failed: true})
	}
	return o.OK()
}

// forget takes an object out of the state and leaves it alone otherwise.
func (o *op) forget(target addr.Object) {
	if o.Ledger.Current().Object(target) == nil {
		return
	}
	o.commit(state.Drop{Object: target})
}

// destroy asks the provider to delete an object.
func (o *op) destroy(target addr.Object) {
	stored := o.Ledger.Current().Object(target)
	if stored == nil {
		return
	}
	c := o.change
	if target.Deposed == "" && stored != o.prior.Object(target) {
		o.Fail(diag.Err("Object changed while it was applied",
			fmt.Sprintf("%s is another object now than the one that was to be destroyed, so it was left alone.", target)).By(diag.Engine))
		return
	}
	prior := value.Strip(c.Before)
	null := value.Null(o.Schema.Block.Type())
	private := stored.Private
	if c.Action == plan.Delete && c.Private != nil {
		private = c.Private
	}
	o.About = target
	o.Begin(event.Delete, prior)
	if !o.provisionDestroy(c.Before) || !o.endAct("before_destroy") || !o.intend(target, event.Delete) {
		o.End(event.Delete, prior, false)
		return
	}
	res, diags := o.Client.Apply(o.ctx, provider.ApplyRequest{
		TypeName: c.Addr.Resource.Type, Prior: prior, Planned: null, Config: null,
		Private: private, Identity: c.BeforeIdentity})
	o.Note(diags)
	failed := diags.HasErrors()
	sound := o.Judge(contract.Apply, contract.Facts{Prior: prior.Cty(), Config: null.Cty(), Planned: null.Cty(), Answer: res.New.Cty(), Legacy: res.Legacy, Failed: failed})
	o.bury(target, stored, res, failed || !sound)
	healthy := !failed && sound && o.endAct("after_destroy")
	o.End(event.Delete, prior, healthy)
}

// bury takes a deleted object out of the state. After errors it stays, as the
// provider last described it.
func (o *op) bury(target addr.Object, stored *state.Object, res provider.ApplyResponse, failed bool) {
	if !failed {
		o.commit(state.Drop{Object: target})
		return
	}
	if res.New.IsZero() {
		return // no answer came; the intent stays open
	}
	keep := *stored
	keep.CreateBeforeDestroy = false // it is past its replacement
	if !res.New.IsZero() && !res.New.Cty().IsNull() && conforms(res.New.Cty(), o.Schema.Block.Type()) {
		base := keep
		base.Private = res.Private
		v := known(res.New)
		if updated, err := base.WithValue(value.Join(v, stored.Marks(v.Cty(), o.Schema)), o.Schema); err == nil {
			keep = *updated
		}
	}
	o.commit(state.Put{Object: target, Provider: o.change.Provider, New: &keep})
}

// provision runs the create-time provisioners in order. A failure taints the
// object. It says whether all went well.
func (o *op) provision(self value.V) bool {
	if !o.provisioned() {
		return true
	}
	for _, p := range o.Site.Resource.Provisioners {
		if !p.Config.Destroy && !o.runProvisioner(p, self) {
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
func (o *op) provisionDestroy(self value.V) bool {
	if o.change.Deposed != "" || o.change.Action == plan.CreateThenDelete || o.tainted() {
		return true
	}
	provisioners, scope := o.destroyProvisioners()
	for _, p := range provisioners {
		if !p.Config.Destroy {
			continue
		}
		o.scope = scope
		if !o.runProvisioner(p, self) {
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
	o.Emit(event.Begun{Object: object, Op: event.Provision, Detail: p.Config.Type})
	output := o.shower(object, p.Config.Type, hushed, secret)
	run := o.Provisioners(p.Config.Type)
	if run == nil {
		o.Fail(diag.Err("Unsupported provisioner type", fmt.Sprintf("There is no provisioner %q.", p.Config.Type)))
		return false
	}
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
