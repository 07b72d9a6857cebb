package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/action"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// managed takes a managed resource's object through the line.
func (l *line) managed() result {
	stored := l.PrevRun.Object(addr.Object{Instance: l.object.addr, Deposed: l.object.deposed})
	up := l.upgrade(stored)
	var prior Refreshed
	if imp, ok := l.Import(l.object.addr); ok && stored == nil && l.object.deposed == "" && l.OK() && !l.putAside(imp) {
		if imp.Unknown && l.waits == plan.NotDeferred {
			l.waits = plan.DeferConfigUnknown
		}
		if l.waits == plan.NotDeferred {
			prior = l.importObject(imp)
		}
		if l.waits != plan.NotDeferred && l.OK() {
			return l.importLater(imp)
		}
	} else if !l.object.wanted && l.Mode != plan.RefreshOnly && l.forgets(stored) {
		prior = l.skipRead(up) // what becomes of it is not our business any more
	} else {
		prior = l.refresh(up)
	}
	if !l.OK() {
		return result{value: cty.DynamicVal, failed: true, stored: stored}
	}
	l.tracePrior(up, prior)
	r := l.remember(prior)
	switch {
	case l.Mode == plan.RefreshOnly:
		l.refreshOnly(&r, prior)
	case l.object.wanted && l.Mode == plan.Normal:
		l.change(&r, prior)
		l.salvage(&r, prior)
	default:
		l.remove(&r, prior)
	}
	l.putOff(&r, prior)
	return r
}

// remember notes what refreshing found: the object to store as prior state,
// and drift.
func (l *line) remember(prior Refreshed) result {
	r := result{stored: prior.was.stored, value: value.Join(prior.value, prior.marks)}
	before := prior.was.stored
	if prior.value.Cty().IsNull() {
		r.stored, r.touched = nil, before != nil
	} else if l.differs(prior) {
		r.stored, r.touched = l.encode(prior), true
	}
	if r.stored != nil && l.object.wanted {
		l.recordReads(&r)
	}
	if before != nil && l.Mode != plan.Destroy { // what is to go may have become what it will
		r.drift = l.driftOf(prior)
	}
	return r
}

// recordReads adds what the configuration depends on now to what the state
// remembers, and takes note of another provider configuration. Until the object
// is applied both count.
func (l *line) recordReads(r *result) {
	deps := union(r.stored.Dependencies, l.nodes[l.Site.ID].deps())
	inst := l.PrevRun.Instance(l.object.addr)
	if inst != nil && inst.Provider() != l.object.config {
		r.touched = true
	}
	if !l.SkipRefresh && !slices.Equal(deps, r.stored.Dependencies) {
		o := *r.stored
		o.Dependencies = deps
		r.stored, r.touched = &o, true
	}
}

// union merges sorted dependencies.
func union(a, b []addr.ConfigResource) []addr.ConfigResource {
	if len(a) == 0 || slices.Equal(a, b) {
		return b
	}
	out := append(slices.Clone(a), b...)
	slices.SortFunc(out, addr.Compare)
	return slices.Compact(out)
}

// differs says whether the refreshed object is not stored as it is.
func (l *line) differs(prior Refreshed) bool {
	s := prior.was.stored
	return s == nil || prior.was.moved || prior.was.changed || s.SchemaVersion != l.Schema.Version || s.Attrs == nil ||
		prior.changed ||
		string(prior.private) != string(s.Private) ||
		!sameIdentity(prior.identity, prior.was.identity) ||
		len(s.Identity) > 0 && s.IdentityVersion != l.Schema.IdentityVersion
}

func sameIdentity(a, b value.Bare) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() == b.IsZero()
	}
	return a.Cty().RawEquals(b.Cty())
}

// encode makes the stored form of a refreshed object.
func (l *line) encode(prior Refreshed) *state.Object {
	var base state.Object
	if prior.was.stored != nil {
		base = *prior.was.stored
	}
	base.Private = prior.private
	o, err := base.WithValue(value.Join(prior.value, prior.marks), l.Schema)
	if err == nil && l.Schema.Identity != nil {
		o, err = o.WithIdentity(prior.identity, l.Schema)
	}
	if err != nil {
		l.Fail(diag.Err("Failed to encode object", fmt.Sprintf("What the provider returned for %s cannot be stored: %s.", l.object.addr, err)).By(diag.Provider))
		return prior.was.stored
	}
	return o
}

// base is the change with everything that all actions share.
func (l *line) base(prior Refreshed) *plan.Change {
	c := &plan.Change{
		Addr: l.object.addr, PrevAddr: l.object.addr, Deposed: l.object.deposed, Provider: l.object.config,
		Schema: l.Schema, Before: value.Join(prior.value, prior.marks), BeforeIdentity: prior.identity,
		After: cty.NullVal(l.Schema.Block.Type()), Importing: prior.imported, GeneratedConfig: l.generated,
	}
	if from, ok := l.Moved[l.object.addr]; ok && l.object.deposed == "" && !l.settled() {
		c.PrevAddr = from
	}
	if prior.was.stored != nil {
		c.Dependencies = prior.was.stored.Dependencies
		c.CreateBeforeDestroy, c.SkipDestroy = prior.was.stored.CreateBeforeDestroy, prior.was.stored.SkipDestroy
	}
	return c
}

// refreshOnly plans nothing for the object.
func (l *line) refreshOnly(r *result, prior Refreshed) {
	if l.object.wanted {
		l.Preconditions(l.scope)
	}
	if prior.value.Cty().IsNull() {
		r.value = cty.UnknownVal(l.Schema.Block.Type())
	} else if l.object.wanted {
		l.Postconditions(l.scope, r.value)
	}
}

// remove plans the end of an object that is not wanted.
func (l *line) remove(r *result, prior Refreshed) {
	if prior.value.Cty().IsNull() {
		r.value = cty.DynamicVal // what needs it has to do without
		if l.object.deposed != "" && l.Mode == plan.Normal {
			r.change = l.base(prior) // nothing is left to be done about it
			r.change.Action = plan.NoOp
		}
		return
	}
	c := l.base(prior)
	c.Action, c.Reason = action.Decide(action.Facts{
		Mode: l.Mode, Deposed: l.object.deposed != "", Exists: true, Keep: l.forgets(prior.was.stored), Why: l.object.reason})
	if c.Action == plan.Forget && l.RemembersKept {
		c.Reason = l.keptBy(prior.was.stored, c.Reason)
	}
	if c.Action == plan.Delete {
		if l.waits == plan.NotDeferred && l.prevented(c) {
			r.failed = true
		}
		c.Private = l.planDestroy(prior)
		if !l.OK() && !r.failed {
			return // the provider refused
		}
	}
	r.change = c
	l.traceChange(c, Desired{})
	l.act(r, c)
}

// forgets says whether the object's end is that it is not managed any more.
func (l *line) forgets(stored *state.Object) bool {
	if l.Site != nil {
		return !l.Site.Resource.Config.Lifecycle.Destroy
	}
	if l.remembered(stored) {
		return true
	}
	return l.Mode != plan.Destroy && l.Forgotten != nil && l.Forgotten(l.object.addr)
}

// remembered says whether the state is what keeps an object that nothing declares.
func (l *line) remembered(stored *state.Object) bool {
	return l.RemembersKept && stored != nil && stored.SkipDestroy && l.Removed(l.object.addr.Config()) == nil
}

// keptBy says where lifecycle.destroy = false stands that makes an object be
// forgotten; other is the reason where it is a removed block.
func (l *line) keptBy(stored *state.Object, other plan.Reason) plan.Reason {
	switch {
	case l.Site != nil:
		return plan.ForgotInConfig
	case l.remembered(stored):
		return plan.ForgotInState
	}
	return other
}

// change plans what the configuration wants of an object.
func (l *line) change(r *result, prior Refreshed) {
	r.value = cty.UnknownVal(l.Schema.Block.Type())
	if l.Site.Resource.Bare() {
		if !prior.value.Cty().IsNull() {
			r.value = value.Join(prior.value, prior.marks)
			l.keep(r, prior)
		}
		return
	}
	if l.Site.Resource.Generated && !l.generate(prior) {
		return
	}
	if !l.Preconditions(l.scope) {
		return
	}
	d := l.desire()
	if !l.OK() {
		return
	}
	from, effective := prior.value, l.effective(d, prior)
	if prior.anew() {
		from, effective = value.Null(l.Schema.Block.Type()), d
	}
	answer := l.ask(prior, from, effective)
	l.traceAnswer(from, d, effective, answer)
	if !l.OK() {
		return
	}
	c := l.base(prior)
	l.decide(c, prior, effective, d, answer)
	if l.OK() && c.Action != plan.NoOp {
		l.storable(c, effective)
	}
	if !l.OK() {
		return
	}
	l.traceChange(c, d)
	if (c.Action.IsReplace() || c.Action == plan.Delete) && l.waits == plan.NotDeferred {
		l.prevented(c) // of what waits it is not certain
	}
	r.change, r.value = c, c.After
	l.keepBooks(r, c)
	l.Postconditions(l.scope, c.After)
	l.act(r, c)
}

// keepBooks updates what the state records beside the value of an object that
// does not change: its dependencies, its order of replacement and its provider
// configuration. One that waits may change yet, so it keeps its dependencies.
func (l *line) keepBooks(r *result, c *plan.Change) {
	if c.Action != plan.NoOp || r.stored == nil {
		return
	}
	deps := l.nodes[l.Site.ID].deps()
	if l.waits != plan.NotDeferred {
		deps = r.stored.Dependencies
	}
	moved := l.PrevRun.Instance(c.Addr) != nil && l.PrevRun.Instance(c.Addr).Provider() != l.object.config
	if slices.Equal(r.stored.Dependencies, deps) && r.stored.CreateBeforeDestroy == c.CreateBeforeDestroy && r.stored.SkipDestroy == c.SkipDestroy && !moved {
		return
	}
	o := *r.stored
	o.Dependencies, o.CreateBeforeDestroy, o.SkipDestroy = deps, c.CreateBeforeDestroy, c.SkipDestroy
	r.stored, r.touched = &o, true
}

// anew says whether an object is made anew, whatever the configuration wants of it:
// the provider is asked about the new object only, and not about changing one that
// was never complete.
func (r Refreshed) anew() bool { return r.status == state.Tainted && !r.value.Cty().IsNull() }

// decide chooses the action and fills in the change. A replacement starts from
// nothing, so it takes the whole configuration, ignored changes included.
func (l *line) decide(c *plan.Change, prior Refreshed, d, whole Desired, a Answer) {
	res := l.Site.Resource
	f := action.Facts{
		Mode: l.Mode, Wanted: true, Exists: !prior.value.Cty().IsNull(),
		Tainted:     prior.status == state.Tainted,
		Requested:   l.replace[l.object.addr],
		Equal:       equal(prior.value, a.Planned),
		Keep:        !res.Config.Lifecycle.Destroy,
		CreateFirst: l.first[l.Site.ID],
	}
	c.ReplacePaths = contract.Forces(l.Schema.Block, prior.value.Cty(), a.Planned.Cty(), a.RequiresReplace)
	f.Forced = len(c.ReplacePaths) > 0
	f.ForgetFirst, f.NamesTriggerOnCreate = l.ForgetFirst, l.NamesTriggerOnCreate
	triggered := l.triggered()
	if f.Exists || f.NamesTriggerOnCreate {
		f.Triggered = triggered
	}
	planned := a
	after := d.marks.Plus(l.schemaMarks(a.Planned))
	f.SameMarks = sameMarks(prior, a.Planned, after, f.Equal)
	c.Action, c.Reason = action.Decide(f)
	switch {
	case prior.anew():
		c.ReplacePaths = nil // nobody was asked about a change
	case c.Action.IsReplace():
		planned = l.ask(prior, value.Null(l.Schema.Block.Type()), whole)
		if !l.OK() {
			return
		}
		after = whole.marks.Plus(l.schemaMarks(planned.Planned))
	default:
		c.ReplacePaths = nil
	}
	c.Private, c.Legacy, c.AfterIdentity = planned.Private, planned.Legacy, planned.Identity
	c.CreateBeforeDestroy, c.SkipDestroy = f.CreateFirst, f.Keep && l.RemembersKept
	if c.Action != plan.NoOp {
		c.After = value.Join(planned.Planned, sensitive(after))
		return
	}
	c.After = c.Before
	if c.AfterIdentity.IsZero() || c.AfterIdentity.Cty().IsNull() {
		c.AfterIdentity = c.BeforeIdentity
	}
}

// storable refuses a change whose outcome no state could hold: what exists already
// when that is found out can only be stored with a part of it missing.
func (l *line) storable(c *plan.Change, d Desired) {
	at, is := value.Infinite(c.After)
	if !is {
		return
	}
	where := strings.TrimPrefix(value.PathString(at), ".")
	why := diag.Err("Invalid number", where+" is an infinite number. What is planned will be stored in the state, which cannot hold one.").By(diag.Provider)
	if _, configured := value.Infinite(d.value.Cty()); configured {
		why.Detail, why.Blame = where+" is an infinite number, as comes of dividing by zero. What is configured will be stored in the state, which cannot hold one.", diag.Author
	}
	why.Path = at
	l.Note(diag.List{why})
}

func (l *line) schemaMarks(v value.Bare) value.Marks {
	return state.SensitiveMarks(l.Schema.Block.SensitivePaths(v.Cty()))
}

// sensitive leaves the sensitive marks.
func sensitive(m value.Marks) value.Marks { return m.Only(value.Sensitive) }

// sameMarks says whether the planned object is sensitive where the prior one is.
// Marks on equal values end up at the same places.
func sameMarks(prior Refreshed, planned value.Bare, after value.Marks, equal bool) bool {
	was, is := sensitive(prior.marks), sensitive(after)
	return equal && was.Equal(is) || visible(was, prior.value).Equal(visible(is, planned))
}

// visible are the marks as they end up on v: set elements and unknowns carry
// theirs on the whole.
func visible(m value.Marks, v value.Bare) value.Marks {
	if len(m) == 0 {
		return nil
	}
	_, out := value.Split(value.Join(v, m))
	return out
}

// equal says whether the planned state is known to be the prior state.
func equal(a, b value.Bare) bool {
	if a.Cty().RawEquals(b.Cty()) {
		return true
	}
	if a.Cty().IsNull() || b.Cty().IsNull() {
		return false
	}
	eq := a.Cty().Equals(b.Cty())
	return eq.IsKnown() && eq.True()
}

// prevented reports a destruction that prevent_destroy forbids.
func (l *line) prevented(c *plan.Change) bool {
	if l.Site == nil {
		return false
	}
	prevented, diags := l.Prevented(l.Site, c.Addr)
	if l.Diags = l.Diags.With(diags); !prevented || diags.HasErrors() {
		return prevented
	}
	l.Fail(diag.Err("Instance cannot be destroyed",
		fmt.Sprintf("%s has lifecycle.prevent_destroy set, and this plan would destroy it. Take prevent_destroy away if that is meant, or leave the object out of the plan with -target or -exclude.", c.Addr)))
	return true
}
