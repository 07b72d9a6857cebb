package applier

import (
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/action"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// desire evaluates the configuration with final values, and lets the provider
// validate it: it may have seen some of them as unknown only.
func (o *op) desire() bool {
	v, diags := o.Site.Resource.Body.Eval(o.scope)
	o.Diags = o.Diags.With(diags)
	if diags.HasErrors() {
		return false
	}
	bare, marks := value.Split(v)
	for _, d := range o.Site.Resource.Persistent(marks) {
		o.Fail(d)
	}
	o.Note(o.Client.ValidateResource(o.ctx, o.change.Addr.Resource.Type, bare))
	if !o.OK() {
		return false
	}
	o.config, o.marks = o.Site.Resource.Effective(o.Schema.Block, bare, marks, o.before, o.stored().Marks(o.before.Cty(), o.Schema))
	if !o.config.Cty().IsWhollyKnown() {
		o.Fail(diag.Err("Configuration contains unknown value",
			fmt.Sprintf("The configuration of %s still has unknown values although everything it depends on was applied.", o.change.Addr)).By(diag.Engine))
		return false
	}
	return true
}

// stored is the object that the change starts from; an empty one for a create.
func (o *op) stored() *state.Object {
	if s := o.prior.Object(o.change.Object()); s != nil && !o.change.Action.IsReplace() {
		return s
	}
	return &state.Object{}
}

// planAgain asks for the plan a second time, now that everything is known.
func (o *op) planAgain() bool {
	c, prior, config := o.change, o.before, o.config
	req := provider.PlanRequest{
		TypeName: c.Addr.Resource.Type, Meta: o.Meta(), Prior: prior, Config: config, PriorIdentity: converse.IdentityOf(prior, c.BeforeIdentity),
		Proposed: value.MustBare(contract.ProposedNew(o.Schema.Block, prior.Cty(), config.Cty())), PlannedPrivate: c.Private,
	}
	if !prior.Cty().IsNull() {
		req.PriorPrivate = o.stored().Private
	}
	res, diags := o.Client.Plan(o.ctx, req)
	o.Note(diags)
	if diags.HasErrors() {
		return false
	}
	o.final = res
	hidden := o.marks.Paths(value.Sensitive)
	now := o.nowAction(prior, res)
	was := c.Action
	if was.IsReplace() {
		was = plan.Create
	}
	return o.Judge(contract.FinalPlan, contract.Facts{Prior: prior.Cty(), Config: config.Cty(), Planned: value.Strip(c.After).Cty(),
		Answer: res.Planned.Cty(), Legacy: res.Legacy, Deferred: res.Deferred != nil, WasAction: was, NowAction: now, Hidden: hidden,
		PriorIdentity: req.PriorIdentity.Cty(), AnswerIdentity: res.Identity.Cty()})
}

// needless says that the final plan changes nothing, so that there is nothing to
// ask the provider for.
func (o *op) needless() bool {
	return !o.before.Cty().IsNull() && o.before.Cty().RawEquals(o.final.Planned.Cty())
}

// remarked says what an update that is needless amounts to: other marks, which
// were planned and are told, or nothing.
func (o *op) remarked() action.Variant {
	_, was := value.Split(value.Join(o.before, o.stored().Marks(o.before.Cty(), o.Schema).Only(value.Sensitive)))
	_, is := value.Split(o.marked(o.final.Planned, o.marks))
	if was.Equal(is) {
		return action.Needless
	}
	return action.MarksOnly
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

// local stores an update that changes nothing remote: other marks, other
// dependencies.
func (o *op) local() bool {
	o.out = o.marked(o.final.Planned, o.marks)
	o.put(o.out, state.Ready, o.stored().Private, o.final.Identity)
	return o.OK()
}

// marked puts the configuration's and the schema's sensitive marks on a value.
func (o *op) marked(v value.Bare, marks value.Marks) value.V {
	return value.Join(v, marks.Only(value.Sensitive).Plus(state.SensitiveMarks(o.Schema.Block.SensitivePaths(v.Cty()))))
}

// depose puts the present object aside before its replacement is made, as one that
// is replaced in this order from now on.
func (o *op) depose() bool {
	key := o.DeposedKey()
	if s := o.Ledger.Current().Object(o.target); s != nil && s.CreateBeforeDestroy != o.change.CreateBeforeDestroy {
		marked := *s
		marked.CreateBeforeDestroy = o.change.CreateBeforeDestroy
		o.saved(o.Ledger.Append(state.Put{Object: o.target, Provider: o.Ledger.Current().Instance(o.change.Addr).Provider(), New: &marked}))
	}
	well := o.saved(o.Ledger.Commit(state.Depose{Instance: o.change.Addr, Key: key}))
	if o.Ledger.Current().Object(addr.Object{Instance: o.change.Addr, Deposed: key}) != nil {
		o.remember(o.change, leg{deposed: key}) // recorded or not, it can be taken back
	}
	if !well {
		o.Fail(diag.Err("Failed to save state", "The object could not be put aside for its replacement."))
		return false
	}
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
// says exists. It says whether there were no errors.
func (o *op) apply() bool {
	if !o.intend() {
		return false
	}
	o.asked = true
	final := o.final
	res, diags := o.Client.Apply(o.ctx, provider.ApplyRequest{
		TypeName: o.change.Addr.Resource.Type, Meta: o.Meta(), Prior: o.before, Planned: final.Planned, Config: o.config,
		Private: final.Private, Identity: final.Identity})
	o.trace(final.Planned, res.New)
	o.Note(diags)
	failed := diags.HasErrors()
	sound := o.Judge(contract.Apply, contract.Facts{Prior: o.before.Cty(), Config: o.config.Cty(), Planned: final.Planned.Cty(),
		Answer: res.New.Cty(), Legacy: res.Legacy, Failed: failed, Hidden: o.marks.Paths(value.Sensitive),
		PriorIdentity: final.Identity.Cty(), AnswerIdentity: res.Identity.Cty()})
	sound = o.finite(&res) && sound
	answered := o.answered(res, failed, sound)
	o.out, o.applied = o.keep(res, answered), true
	return !answered.Failed
}

// finite says whether the state can hold all numbers of an answer. What it cannot hold
// is taken out of it: the rest tells of an object that exists.
func (o *op) finite(res *provider.ApplyResponse) bool {
	at, infinite := value.Infinite(res.New.Cty())
	if !infinite {
		return true
	}
	d := diag.Err("Invalid number", strings.TrimPrefix(value.PathString(at), ".")+" is an infinite number in what the provider returned, which the state cannot hold. It is stored as null.").By(diag.Provider)
	d.Path = at
	o.Note(diag.List{d})
	res.New = value.Finite(res.New)
	return false
}

// answered is an answer as far as it decides what remains of the object.
func (o *op) answered(res provider.ApplyResponse, failed, sound bool) action.Answered {
	return action.Answered{
		Creates: o.before.Cty().IsNull(),
		Failed:  failed || !sound,
		Came:    !res.New.IsZero(),
		Tells:   o.describes(res.New),
		Denies:  failed && !res.New.IsZero() && res.New.Cty().IsNull(),
	}
}

// keep makes the state tell what an apply left, and gives the object that others
// see from now on.
func (o *op) keep(res provider.ApplyResponse, a action.Answered) value.V {
	a.Incomplete = o.provisioned()
	left := action.Remaining(a)
	switch left.Keeps {
	case action.Nothing:
		o.vanished = true
		o.undepose()
		if left.Open {
			o.leaveOpen() // taking the old object back has settled it
		} else {
			o.settle()
		}
		return o.change.After
	case action.Before:
		if !left.Open {
			o.settle()
		}
		return value.Join(o.before, o.stored().Marks(o.before.Cty(), o.Schema))
	}
	v := o.marked(o.storable(res.New), o.marks)
	o.put(v, [...]state.Status{action.SameStatus: o.stored().Status, action.Complete: state.Ready, action.Tainted: state.Tainted}[left.Status],
		res.Private, o.identity(res.Identity))
	return v
}

// describes says whether an answer tells of an object, of the type asked for.
func (o *op) describes(answer value.Bare) bool {
	return !answer.IsZero() && !answer.Cty().IsNull() && answer.Cty().IsKnown() && conforms(answer.Cty(), o.Schema.Block.Type())
}

// storable is b with null for what it leaves unknown and for write-only arguments,
// which only a broken answer has.
func (o *op) storable(b value.Bare) value.Bare {
	v := b.Cty()
	if !v.IsWhollyKnown() {
		v = cty.UnknownAsNull(v)
	}
	v, _ = o.Schema.Block.WithoutWriteOnly(v)
	return value.MustBare(v)
}

// identity is the identity to store: the answered one, or what was known before
// where that is none.
func (o *op) identity(answered value.Bare) value.Bare {
	s := o.Schema.Identity
	if s == nil || answered.IsZero() || answered.Cty().IsWhollyKnown() && conforms(answered.Cty(), s.Element()) {
		return answered
	}
	return converse.IdentityOf(o.before, o.change.BeforeIdentity)
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
func (o *op) intend() bool {
	if o.inState() {
		return true
	}
	if !o.saved(o.Ledger.Intend(o.target, o.kind.String())) {
		o.Fail(diag.Err("Failed to save state", fmt.Sprintf("The intent to %s %s could not be written down, so it was not begun.", o.kind, o.change.Addr)))
		return false
	}
	return true
}

// leaveOpen keeps an operation on record whose outcome nobody knows.
func (o *op) leaveOpen() {
	if !o.inState() {
		o.saved(o.Ledger.Commit(state.Intent{Object: o.target, Op: o.kind.String()}))
	}
}

// settle closes an intent that changed nothing.
func (o *op) settle() {
	if !o.inState() {
		o.saved(o.Ledger.Append(state.Settle{Object: o.change.Object()}))
	}
}

// husk leaves the resource of an object that could not even be attempted, or of
// data that could not be read, in the state, without instances, as the
// incumbents do.
func (o *op) husk() {
	if !o.vanished {
		o.walk.husk(o.change)
	}
}

func (w *walk) husk(c *plan.Change) {
	if (c.Action == plan.Create || c.Action == plan.Read) && w.Ledger.Current().Resource(c.Addr.Abs()) == nil {
		w.saved(w.Ledger.Append(state.PutProvider{Resource: c.Addr.Abs(), Provider: c.Provider}))
	}
}

// readData reads a data source that had to wait. In a check block what the provider
// complains of is the check's failure; mistakes in the arguments are errors there, too.
func (o *op) readData() bool {
	v, diags := o.Site.Resource.Body.Eval(o.scope)
	o.Diags = o.Diags.With(diags)
	if diags.HasErrors() {
		return false
	}
	ok := o.askData(value.Split(v))
	if nested(o.Site) {
		o.Diags = o.Broken(o.Site, o.change.Addr.Module, o.Diags)
	}
	if !ok {
		o.husk()
	}
	return ok
}

// askData has the provider read a data source, and stores what it found.
func (o *op) askData(config value.Bare, marks value.Marks) bool {
	o.Note(o.Client.ValidateData(o.ctx, o.change.Addr.Resource.Type, config))
	if !o.OK() {
		return false
	}
	o.Begin(event.ReadData, value.Bare{})
	res, diags := o.Client.ReadData(o.ctx, provider.ReadDataRequest{TypeName: o.change.Addr.Resource.Type, Meta: o.Meta(), Object: o.change.Addr, Config: config})
	o.Note(diags)
	ok := !diags.HasErrors() && o.Judge(contract.Data, contract.Facts{Config: config.Cty(), Answer: res.State.Cty(), Hidden: marks.Paths(value.Sensitive), Deferred: res.Deferred != nil})
	o.End(event.ReadData, res.State, ok)
	if !ok {
		return false
	}
	o.traceRead(res.State)
	o.out = o.marked(res.State, marks)
	o.deps = nil
	o.put(o.out, state.Ready, nil, value.Bare{})
	return true
}
