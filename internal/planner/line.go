package planner

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// line takes one object through the lifecycle. Its stages are the functions
// from one of the types below to the next; the first diagnostics with errors
// end it.
type line struct {
	*walk
	converse.Talk
	ctx    context.Context
	object *object
	scope  scope
	// generated is the configuration that was written for the object.
	generated string
	// waits says why the object is deferred, told that its provider said so.
	waits plan.DeferReason
	told  bool
}

// Upgraded is the previous run's object in the current schema.
type Upgraded struct {
	stored   *state.Object
	value    value.Bare
	private  []byte
	identity value.Bare
	// moved says that the object had another type before, changed that its provider
	// made something else of what is stored.
	moved, changed bool
}

// Refreshed is the prior state: the object as it is now. A null value means
// that there is none.
type Refreshed struct {
	was   Upgraded
	value value.Bare
	// changed says that the value is not the upgraded one.
	changed  bool
	marks    value.Marks
	private  []byte
	identity value.Bare
	status   state.Status
	imported *plan.Importing
}

// Desired is what the configuration says, with marks taken off.
type Desired struct {
	value value.Bare
	marks value.Marks
}

// Answer is the provider's planned new state.
type Answer struct {
	provider.PlanResponse
}

// plan takes an object through the line of its mode.
func (w *walk) plan(ctx context.Context, s *evaluate.Site, n *nodeState, o *object) result {
	about := addr.Object{Instance: o.addr, Deposed: o.deposed}
	l := &line{walk: w, ctx: ctx, object: o, waits: o.waits, Talk: converse.With(w.Run, w.Emit, s, about, o.config.Provider)}
	var r result
	l.Schema, l.Diags = w.schema(s, o)
	l.Client = w.client(s, o)
	switch {
	case l.Diags.HasErrors():
	case o.addr.Resource.Mode == addr.Data && !o.wanted:
		r = l.dropData()
	case l.Client == nil && !o.unserved:
		l.Fail(w.Unserved(o.addr, o.config))
	default:
		if o.mi >= 0 && o.wanted {
			l.scope = evaluate.ObjectScope(n.scopes[o.mi], w.Keys(s, o.mi), o.addr.Key)
		}
		r = l.run()
	}
	r.failed = r.failed || l.Diags.HasErrors()
	w.Report(l.Diags)
	return r
}

func (l *line) run() result {
	switch {
	case l.object.unserved:
		return l.unserved()
	case l.object.addr.Resource.Mode == addr.Data:
		return l.data()
	}
	return l.managed()
}

// upgrade gives the stored object in the current schema.
func (l *line) upgrade(stored *state.Object) Upgraded {
	null := value.Null(l.Schema.Block.Type())
	up := Upgraded{stored: stored, value: null}
	if stored == nil {
		return up
	}
	if from, ok := l.Moved[l.object.addr]; ok && from.Resource.Type != l.object.addr.Resource.Type {
		up, _ = l.move(stored, from)
		return up
	}
	if stored.SchemaVersion > l.Schema.Version {
		l.Fail(diag.Err("Resource instance managed by newer provider version",
			fmt.Sprintf("%s was last written with version %d of the type's schema; the provider %s that is selected knows up to version %d. Select the version of the provider that wrote it, or a newer one.", l.object.addr, stored.SchemaVersion, l.object.config.Provider.Display(), l.Schema.Version)))
		return up
	}
	res, diags := l.upgradeState(stored, stored.Attrs)
	if stored.SchemaVersion == l.Schema.Version && (diags.HasErrors() || l.leaks(res.Upgraded)) {
		// The provider may have dropped an attribute and stumble over it, or give
		// back a write-only value that another program has stored.
		if fitted, mended := stored.Fitted(l.Schema); mended {
			res, diags = l.upgradeState(stored, fitted)
		}
	}
	l.Note(diags)
	if !l.OK() {
		return up
	}
	l.Judge(contract.Upgrade, contract.Facts{Answer: res.Upgraded.Cty()})
	up.value, up.private = res.Upgraded, stored.Private
	up.changed = !res.AsStored && !up.value.IsZero() && l.OK() && !stored.Holds(up.value, l.Schema)
	up.identity = l.upgradeIdentity(stored)
	return up
}

// leaks says whether v has a value for a write-only argument.
func (l *line) leaks(v value.Bare) bool {
	if !l.Schema.Block.HasWriteOnly() || v.IsZero() || len(v.Cty().Type().TestConformance(l.Schema.Block.Type())) > 0 {
		return false // the type is judged elsewhere
	}
	_, leaked := l.Schema.Block.WithoutWriteOnly(v.Cty())
	return leaked
}

func (l *line) upgradeState(stored *state.Object, attrs []byte) (provider.UpgradeResponse, diag.List) {
	return l.Client.UpgradeState(l.ctx, provider.UpgradeRequest{
		TypeName: l.object.addr.Resource.Type, Version: stored.SchemaVersion, JSON: attrs, Flatmap: stored.Flat})
}

func (l *line) upgradeIdentity(stored *state.Object) value.Bare {
	if l.Schema.Identity == nil {
		return value.Bare{}
	}
	if len(stored.Identity) > 0 && stored.IdentityVersion != l.Schema.IdentityVersion {
		id, diags := l.Client.UpgradeIdentity(l.ctx, provider.UpgradeIdentityRequest{
			TypeName: l.object.addr.Resource.Type, Version: stored.IdentityVersion, JSON: stored.Identity})
		l.Note(diags)
		return id
	}
	id, err := stored.IdentityValue(l.Schema)
	if err != nil {
		l.Fail(diag.Err("Invalid resource identity in state", fmt.Sprintf("The identity stored for %s does not fit the identity schema of its type: %s.", l.object.addr, err)))
	}
	return id
}

// skipRead takes the upgraded object for the prior state.
func (l *line) skipRead(up Upgraded) Refreshed {
	r := Refreshed{was: up, value: up.value, private: up.private, identity: up.identity}
	if up.stored != nil {
		r.status = up.stored.Status
		r.marks = up.stored.Marks(up.value.Cty(), l.Schema)
	}
	return r
}

// read asks the provider what the object is like now.
func (l *line) read(up Upgraded) Refreshed {
	r := l.skipRead(up)
	if up.value.Cty().IsNull() {
		return r
	}
	l.Begin(event.Refresh, up.value)
	res, diags := l.Client.Read(l.ctx, provider.ReadRequest{
		TypeName: l.object.addr.Resource.Type, Meta: l.Meta(), Prior: up.value, Private: up.private, Identity: up.identity, DeferralAllowed: l.Deferral})
	l.Note(diags)
	if !l.OK() {
		l.End(event.Refresh, up.value, false)
		return r
	}
	l.Judge(contract.Read, contract.Facts{Prior: up.value.Cty(), Answer: res.New.Cty(),
		PriorIdentity: up.identity.Cty(), AnswerIdentity: res.Identity.Cty(), Deferred: res.Deferred != nil, DeferralOffered: l.Deferral})
	if !l.OK() || l.deferred(res.Deferred) {
		l.End(event.Refresh, up.value, l.OK())
		return r
	}
	l.End(event.Refresh, res.New, true)
	r.value, r.private = l.filled(res.New), res.Private
	r.changed = !r.value.Cty().RawEquals(up.value.Cty())
	if !res.Identity.IsZero() && !res.Identity.Cty().IsNull() {
		r.identity = res.Identity
	}
	r.marks = up.stored.Marks(r.value.Cty(), l.Schema)
	return r
}

// filled is what a provider has read, with empty nested blocks for null ones: that
// is what a configuration says, which does not mention them.
func (l *line) filled(v value.Bare) value.Bare {
	return value.MustBare(l.Schema.Block.WithBlocks(v.Cty()))
}

// refresh is read, or skipRead where the run does not refresh.
func (l *line) refresh(up Upgraded) Refreshed {
	if l.SkipRefresh || !l.OK() {
		return l.skipRead(up)
	}
	return l.read(up)
}

// desire evaluates the configuration of the object.
func (l *line) desire() Desired {
	v, diags := l.Site.Resource.Body.Eval(l.scope)
	l.Diags = l.Diags.With(diags)
	if !l.OK() {
		return Desired{}
	}
	bare, marks := value.Split(v)
	for _, d := range l.Site.Resource.Persistent(marks) {
		l.Fail(d)
	}
	l.Note(l.Client.ValidateResource(l.ctx, l.object.addr.Resource.Type, bare))
	return Desired{bare, marks}
}

// propose merges configuration and prior state.
func (l *line) propose(prior value.Bare, d Desired) value.Bare {
	return value.MustBare(contract.ProposedNew(l.Schema.Block, prior.Cty(), d.value.Cty()))
}

// ask gets the provider's plan and judges it.
func (l *line) ask(prior Refreshed, from value.Bare, d Desired) Answer {
	req := provider.PlanRequest{
		TypeName: l.object.addr.Resource.Type, Meta: l.Meta(), Prior: from, Proposed: l.propose(from, d), Config: d.value,
		PriorIdentity: prior.identity, DeferralAllowed: l.Deferral}
	if !from.Cty().IsNull() {
		req.PriorPrivate = prior.private
	}
	res, diags := l.Client.Plan(l.ctx, req)
	l.Note(diags)
	if !l.OK() {
		return Answer{res}
	}
	l.Judge(contract.Plan, contract.Facts{
		Prior: from.Cty(), Config: d.value.Cty(), Answer: res.Planned.Cty(), Legacy: res.Legacy,
		Replace: res.RequiresReplace, PriorIdentity: converse.IdentityOf(from, prior.identity).Cty(), AnswerIdentity: res.Identity.Cty(),
		Deferred: res.Deferred != nil, DeferralOffered: l.Deferral, Hidden: d.marks.Paths(value.Sensitive)})
	if l.deferred(res.Deferred) && (res.Planned.IsZero() || res.Planned.Cty().IsNull()) {
		res.Planned = l.preview(d)
	}
	return Answer{res}
}

// planDestroy asks the provider about the end of an object, if it wants to be
// asked.
func (l *line) planDestroy(prior Refreshed) []byte {
	schemas, diags := l.Schemas(l.object.config.Provider)
	if diags.HasErrors() || schemas == nil || !schemas.Capabilities().PlanDestroy {
		return prior.private
	}
	null := value.Null(l.Schema.Block.Type())
	res, diags := l.Client.Plan(l.ctx, provider.PlanRequest{
		TypeName: l.object.addr.Resource.Type, Meta: l.Meta(), Prior: prior.value, Proposed: null, Config: null,
		PriorPrivate: prior.private, PriorIdentity: prior.identity, DeferralAllowed: l.Deferral})
	l.Note(diags)
	if !l.OK() {
		return nil
	}
	l.Judge(contract.Plan, contract.Facts{Prior: prior.value.Cty(), Answer: res.Planned.Cty(), Legacy: res.Legacy,
		PriorIdentity: prior.identity.Cty(), Deferred: res.Deferred != nil, DeferralOffered: l.Deferral})
	l.deferred(res.Deferred)
	return res.Private
}
