package applier

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// op carries out one leg of one change.
type op struct {
	*walk
	converse.Talk
	ctx    context.Context
	change *plan.Change
	scope  *lang.Scope
	deps   []addr.ConfigResource
	// vanished says that a creation was attempted and left nothing.
	vanished bool
}

// start prepares the leg of a change.
func (w *walk) start(ctx context.Context, s *evaluate.Site, c *plan.Change) *op {
	o := &op{walk: w, ctx: ctx, change: c, Talk: converse.With(w.Run, w.Emit, s, c.Object(), c.Provider.Provider)}
	o.Schema, o.Diags = w.schemaOf(s, c)
	o.Client = w.client(s, c)
	if o.Schema == nil && o.OK() {
		o.Fail(diag.Err("no schema available for "+c.Addr.String(), "The provider has no such type any more."))
	}
	if o.Client == nil && o.OK() {
		o.Fail(w.Unserved(c.Addr, c.Provider))
	}
	return o
}

// makeObject carries out the make leg of a change.
func (w *walk) makeObject(ctx context.Context, s *evaluate.Site, n *nodeState, c *plan.Change) result {
	if l := w.firstLeg(c); l.failed {
		return result{failed: true}
	}
	o := w.start(ctx, s, c)
	o.deps = n.deps
	r := result{value: c.After}
	if o.OK() && o.enter(n) {
		switch {
		case c.Action == plan.NoOp:
			r.value = c.After
			o.recheck(c.After)
		case c.Action == plan.Read:
			if r.value = o.readData(); nested(s) {
				o.Diags = o.Broken(s, c.Addr.Module, o.Diags)
			}
		default:
			r.value = o.makeManaged()
		}
	}
	w.Report(o.Diags)
	if r.failed = !o.OK(); r.failed {
		o.husk()
	}
	if r.failed && c.Action.IsReplace() {
		w.remember(c, leg{failed: true, deposed: w.firstLeg(c).deposed})
	}
	return r
}

// nested says whether a data source stands in a check block.
func nested(s *evaluate.Site) bool { return s.Resource.Config.Check != "" }

// enter finds the scope of the change's module instance.
func (o *op) enter(n *nodeState) bool {
	if mi, ok := o.Index(o.Site.Module, o.change.Addr.Module); ok {
		if keys := o.Keys(o.Site, mi); keys.Has(o.change.Addr.Key) {
			o.scope = evaluate.ObjectScope(n.scopes[mi], keys, o.change.Addr.Key)
			return true
		}
	}
	o.Fail(diag.Err("Configuration changed between plan and apply",
		fmt.Sprintf("The plan has %s, but now that all values are known the configuration does not have it. Make a new plan.", o.change.Addr)))
	return false
}

func (w *walk) firstLeg(c *plan.Change) leg {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.legs[c.Addr]
}

func (w *walk) remember(c *plan.Change, l leg) {
	w.mu.Lock()
	w.legs[c.Addr] = l
	w.mu.Unlock()
}

// makeManaged creates or updates a managed object.
func (o *op) makeManaged() value.V {
	c := o.change
	null := value.Null(o.Schema.Block.Type())
	prior := value.Strip(c.Before)
	if c.Action.IsReplace() {
		prior = null
	}
	if !o.Preconditions(o.scope) {
		return c.After
	}
	config, marks, ok := o.desire(prior)
	if !ok {
		return c.After
	}
	final, ok := o.finalPlan(prior, config, marks)
	if !ok {
		return c.After
	}
	if !prior.Cty().IsNull() && prior.Cty().RawEquals(final.Planned.Cty()) {
		return o.local(final, marks)
	}
	if (c.Action == plan.CreateThenDelete || c.Action == plan.CreateThenForget) && !o.depose() {
		return c.After
	}
	kind := event.Update
	if prior.Cty().IsNull() {
		kind = event.Create
	}
	o.Begin(kind, prior)
	if !o.act(moment{event: "before_" + kind.String(), self: value.Join(prior, o.stored().Marks(prior.Cty(), o.Schema))}) {
		o.undepose()
		o.End(kind, prior, false)
		return c.After
	}
	if c.Action == plan.ForgetThenCreate {
		o.forget(c.Object())
	}
	if !o.OK() || !o.intend(c.Object(), kind) {
		o.End(kind, prior, false)
		return c.After
	}
	out, healthy := o.apply(prior, config, final, marks)
	if healthy && kind == event.Create {
		healthy = o.provision(out)
	}
	if healthy {
		healthy = o.act(moment{event: "after_" + kind.String(), self: out})
	}
	o.End(kind, value.Strip(out), healthy)
	if healthy && o.OK() {
		o.Postconditions(o.scope, out)
	}
	return out
}

// desire evaluates the configuration with final values.
func (o *op) desire(prior value.Bare) (value.Bare, value.Marks, bool) {
	v, diags := o.Site.Resource.Body.Eval(o.scope)
	o.Diags = o.Diags.With(diags)
	if diags.HasErrors() {
		return value.Bare{}, nil, false
	}
	bare, marks := value.Split(v)
	for _, d := range o.Site.Resource.Persistent(marks) {
		o.Fail(d)
	}
	bare, marks = o.Site.Resource.Effective(o.Schema.Block, bare, marks, prior, o.stored().Marks(prior.Cty(), o.Schema))
	if !bare.Cty().IsWhollyKnown() {
		o.Fail(diag.Err("Configuration contains unknown value",
			fmt.Sprintf("The configuration of %s still has unknown values although everything it depends on was applied.", o.change.Addr)).By(diag.Engine))
		return bare, marks, false
	}
	return bare, marks, true
}

// stored is the object that the change starts from; an empty one for a create.
func (o *op) stored() *state.Object {
	if s := o.prior.Object(o.change.Object()); s != nil && !o.change.Action.IsReplace() {
		return s
	}
	return &state.Object{}
}

// finalPlan asks for the plan a second time, now that everything is known.
func (o *op) finalPlan(prior, config value.Bare, marks value.Marks) (provider.PlanResponse, bool) {
	c := o.change
	req := provider.PlanRequest{
		TypeName: c.Addr.Resource.Type, Prior: prior, Config: config, PriorIdentity: identityOf(prior, c.BeforeIdentity),
		Proposed: value.MustBare(contract.ProposedNew(o.Schema.Block, prior.Cty(), config.Cty())), PlannedPrivate: c.Private,
	}
	if !prior.Cty().IsNull() {
		req.PriorPrivate = o.stored().Private
	}
	res, diags := o.Client.Plan(o.ctx, req)
	o.Note(diags)
	if diags.HasErrors() {
		return res, false
	}
	hidden := paths(marks)
	now := o.nowAction(prior, res)
	was := c.Action
	if was.IsReplace() {
		was = plan.Create
	}
	ok := o.Judge(contract.Plan, contract.Facts{Prior: prior.Cty(), Config: config.Cty(), Answer: res.Planned.Cty(),
		Legacy: res.Legacy, Deferred: res.Deferred != nil, Hidden: hidden,
		PriorIdentity: identityOf(prior, c.BeforeIdentity).Cty(), AnswerIdentity: res.Identity.Cty()}) &&
		o.Judge(contract.FinalPlan, contract.Facts{Prior: prior.Cty(), Config: config.Cty(), Planned: value.Strip(c.After).Cty(),
			Answer: res.Planned.Cty(), Legacy: res.Legacy, WasAction: was, NowAction: now, Hidden: hidden})
	return res, ok
}

// nowAction is what the final plan amounts to.
func (o *op) nowAction(prior value.Bare, final provider.PlanResponse) plan.Action {
	switch {
	case prior.Cty().IsNull():
		return plan.Create
	case prior.Cty().RawEquals(final.Planned.Cty()):
		return plan.NoOp
	case len(contract.Forces(o.Schema.Block, prior.Cty(), final.Planned.Cty(), final.RequiresReplace)) > 0:
		return plan.DeleteThenCreate
	}
	return plan.Update
}

func identityOf(prior, id value.Bare) value.Bare {
	if prior.Cty().IsNull() {
		return value.Bare{}
	}
	return id
}

func paths(marks value.Marks) []cty.Path {
	var out []cty.Path
	for _, m := range marks.Only(value.Sensitive) {
		out = append(out, m.Path)
	}
	return out
}

// local stores an update that changes nothing remote: other marks, other
// dependencies.
func (o *op) local(final provider.PlanResponse, marks value.Marks) value.V {
	v := o.marked(final.Planned, marks)
	o.put(v, state.Ready, o.stored().Private, final.Identity)
	if o.OK() {
		o.Postconditions(o.scope, v)
	}
	return v
}

// marked puts the configuration's and the schema's sensitive marks on a value.
func (o *op) marked(v value.Bare, marks value.Marks) value.V {
	return value.Join(v, marks.Only(value.Sensitive).Plus(state.SensitiveMarks(o.Schema.Block.SensitivePaths(v.Cty()))))
}

// depose puts the present object aside before its replacement is made.
func (o *op) depose() bool {
	key := o.DeposedKey()
	if !o.saved(o.Ledger.Commit(state.Depose{Instance: o.change.Addr, Key: key})) {
		o.Fail(diag.Err("Failed to save state", "The object could not be put aside for its replacement."))
		return false
	}
	o.remember(o.change, leg{deposed: key})
	return true
}

// undepose takes the old object back when its replacement came to nothing.
func (o *op) undepose() {
	l := o.firstLeg(o.change)
	if l.deposed == "" {
		return
	}
	o.saved(o.Ledger.Commit(state.Undepose{Instance: o.change.Addr, Key: l.deposed}))
	o.remember(o.change, leg{failed: true})
}

// apply asks the provider to make the planned state true and stores what it
// says exists. healthy means that there were no errors.
func (o *op) apply(prior, config value.Bare, final provider.PlanResponse, marks value.Marks) (value.V, bool) {
	res, diags := o.Client.Apply(o.ctx, provider.ApplyRequest{
		TypeName: o.change.Addr.Resource.Type, Prior: prior, Planned: final.Planned, Config: config,
		Private: final.Private, Identity: final.Identity})
	o.trace(final.Planned, res.New)
	o.Note(diags)
	failed := diags.HasErrors()
	sound := o.Judge(contract.Apply, contract.Facts{Prior: prior.Cty(), Config: config.Cty(), Planned: final.Planned.Cty(),
		Answer: res.New.Cty(), Legacy: res.Legacy, Failed: failed, Hidden: paths(marks),
		PriorIdentity: final.Identity.Cty(), AnswerIdentity: res.Identity.Cty()})
	v := o.keep(prior, res, marks, failed || !sound, failed && nothing(res))
	return v, !failed && sound
}

// nothing says that the provider answered that there is no object, which is to be
// believed together with an error only: a provider that has created an object as
// asked, and has none, may have lost it.
func nothing(res provider.ApplyResponse) bool { return !res.New.IsZero() && res.New.Cty().IsNull() }

// keep stores the outcome of an apply. denied says that nothing was created, for
// sure.
func (o *op) keep(prior value.Bare, res provider.ApplyResponse, marks value.Marks, failed, denied bool) value.V {
	exists := !res.New.IsZero() && !res.New.Cty().IsNull() && res.New.Cty().IsKnown() && conforms(res.New.Cty(), o.Schema.Block.Type())
	creating := prior.Cty().IsNull()
	switch {
	case !exists && creating:
		o.vanished = true
		o.undepose()
		if !denied {
			o.announce(event.Create) // taking the old object back has settled it
			return o.change.After
		}
		o.settle()
		return o.change.After
	case !exists && res.New.IsZero():
		// No answer came: whether anything changed is not known, and the intent
		// stays open to say so.
		return value.Join(prior, o.stored().Marks(prior.Cty(), o.Schema))
	case !exists:
		// An error without an object leaves the object as it was.
		o.settle()
		return value.Join(prior, o.stored().Marks(prior.Cty(), o.Schema))
	}
	status := state.Ready
	if creating && (failed || o.provisioned()) {
		status = state.Tainted
	}
	if failed && !creating {
		status = o.stored().Status
	}
	v := o.marked(known(res.New), marks)
	o.put(v, status, res.Private, res.Identity)
	return v
}

// known is b with null for what it leaves unknown, which only a broken answer does.
func known(b value.Bare) value.Bare {
	if b.Cty().IsWhollyKnown() {
		return b
	}
	return value.MustBare(cty.UnknownAsNull(b.Cty()))
}

func conforms(v cty.Value, t cty.Type) bool { return len(v.Type().TestConformance(t)) == 0 }

// put stores the object of the change.
func (o *op) put(v value.V, status state.Status, private []byte, identity value.Bare) {
	base := state.Object{Status: status, Private: private, Dependencies: o.deps, CreateBeforeDestroy: o.change.CreateBeforeDestroy, SkipDestroy: o.change.SkipDestroy}
	obj, err := base.WithValue(v, o.Schema)
	if err == nil && o.Schema.Identity != nil {
		obj, err = obj.WithIdentity(identity, o.Schema)
	}
	if err != nil {
		o.Fail(diag.Err("Failed to encode object", fmt.Sprintf("What the provider returned for %s cannot be stored: %s.", o.change.Addr, err)).By(diag.Provider))
		return
	}
	o.commit(state.Put{Object: addr.Object{Instance: o.change.Addr}, Provider: o.change.Provider, New: obj})
}

// commit makes an edit durable: at once for remote objects, with the node for
// objects that exist in the state only.
func (o *op) commit(e state.Edit) {
	var err error
	if o.inState() {
		err = o.Ledger.Append(e)
	} else {
		err = o.Ledger.Commit(e)
	}
	if !o.saved(err) {
		o.Fail(diag.Err("Failed to save state", fmt.Sprintf("The new state of %s could not be saved; the object exists as the provider left it.", o.change.Addr)))
	}
}

// inState says whether the object exists in the state only, so that nothing
// remote can get lost.
func (o *op) inState() bool { return o.change.Provider.Provider == addr.Builtin("terraform") }

// intend makes it durable that a remote object is about to change.
func (o *op) intend(target addr.Object, kind event.Op) bool {
	if o.inState() {
		return true
	}
	if !o.saved(o.Ledger.Intend(target, kind.String())) {
		o.Fail(diag.Err("Failed to save state", fmt.Sprintf("The intent to %s %s could not be written down, so it was not begun.", kind, o.change.Addr)))
		return false
	}
	return true
}

// announce keeps an operation on record whose outcome nobody knows.
func (o *op) announce(kind event.Op) {
	if !o.inState() {
		o.saved(o.Ledger.Intend(o.change.Object(), kind.String()))
	}
}

// settle closes an intent that changed nothing.
func (o *op) settle() {
	if !o.inState() {
		o.saved(o.Ledger.Append(state.Settle{Object: o.change.Object()}))
	}
}

// husk leaves the resource of an object that could not even be attempted in the
// state, without instances, as the incumbents do.
func (o *op) husk() {
	c := o.change
	if c.Action == plan.Create && !o.vanished && o.Ledger.Current().Resource(c.Addr.Abs()) == nil {
		o.saved(o.Ledger.Append(state.PutProvider{Resource: c.Addr.Abs(), Provider: c.Provider}))
	}
}

// readData reads a data source that had to wait.
func (o *op) readData() value.V {
	if !o.Preconditions(o.scope) {
		return o.change.After
	}
	v, diags := o.Site.Resource.Body.Eval(o.scope)
	o.Diags = o.Diags.With(diags)
	if diags.HasErrors() {
		return o.change.After
	}
	config, marks := value.Split(v)
	o.Note(o.Client.ValidateData(o.ctx, o.change.Addr.Resource.Type, config))
	if !o.OK() {
		return o.change.After
	}
	o.Begin(event.ReadData, value.Bare{})
	res, diags := o.Client.ReadData(o.ctx, provider.ReadDataRequest{TypeName: o.change.Addr.Resource.Type, Object: o.change.Addr, Config: config})
	o.Note(diags)
	ok := !diags.HasErrors() && o.Judge(contract.Data, contract.Facts{Config: config.Cty(), Answer: res.State.Cty(), Hidden: paths(marks), Deferred: res.Deferred != nil})
	o.End(event.ReadData, res.State, ok)
	if !ok {
		return o.change.After
	}
	o.traceRead(res.State)
	out := o.marked(res.State, marks)
	o.deps = nil
	o.put(out, state.Ready, nil, value.Bare{})
	o.Postconditions(o.scope, out)
	return out
}

// recheck evaluates the conditions of an object that does not change.
func (o *op) recheck(v value.V) {
	if o.Preconditions(o.scope) {
		o.Postconditions(o.scope, v)
	}
}
