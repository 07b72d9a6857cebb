package verify

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// live creates the object of a case and takes it through its life. Whatever
// happens on the way, it is destroyed in the end.
func (t *trial) live(final provider.PlanResponse) {
	o, ok := t.apply("create", t.none(), t.at.Config, final)
	if !o.value.IsZero() && !o.value.Cty().IsNull() {
		defer func() { t.destroy(o) }()
	}
	if !ok || o.value.Cty().IsNull() {
		return
	}
	t.applied = true
	if o, ok = t.rest("after create", o, t.at.Config); !ok {
		return
	}
	t.upgrade(o)
	t.imports(o)
	if t.at.Then != cty.NilVal && !t.at.Then.IsNull() {
		t.change(&o)
	}
}

// apply makes a plan true and judges what came of it.
func (t *trial) apply(step string, prior object, config cty.Value, final provider.PlanResponse) (object, bool) {
	if !t.ready() {
		return prior, false
	}
	res, diags := t.client.Apply(t.ctx, provider.ApplyRequest{
		TypeName: t.name, Prior: prior.value, Planned: final.Planned, Config: value.MustBare(config),
		Private: final.Private, Identity: final.Identity})
	came := t.came(step, diags)
	sound := t.judged(step, contract.Check(contract.Apply, contract.Facts{
		Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name, Prior: prior.value.Cty(), Config: config,
		Planned: final.Planned.Cty(), Answer: res.New.Cty(), Legacy: res.Legacy, Failed: diags.HasErrors(),
		PriorIdentity: final.Identity.Cty(), AnswerIdentity: res.Identity.Cty()}))
	o := object{res.New, res.Private, res.Identity}
	if res.New.IsZero() || len(res.New.Cty().Type().TestConformance(t.schema.Block.Type())) > 0 {
		return prior, false
	}
	if !res.New.Cty().IsWhollyKnown() {
		o.value = value.MustBare(cty.UnknownAsNull(res.New.Cty()))
	}
	return o, came && sound
}

// rest finds out whether an object is at rest after an apply: reading and
// planning find nothing to do.
func (t *trial) rest(when string, o object, config cty.Value) (object, bool) {
	once, ok := t.read("read "+when, o, readAfterApply, "the apply returned")
	if !ok {
		return o, false
	}
	twice, ok := t.read("read "+when+", twice", once, readStable, "the first time it was")
	if !ok {
		return once, false
	}
	step := "plan " + when
	res, ok := t.plan(step, twice, config, nil)
	if !ok || !t.again(twice, config, res, step+", twice") {
		return twice, false
	}
	prior, planned := twice.value.Cty(), res.Planned.Cty()
	for _, p := range differences(prior, planned, nil) {
		t.breach(planEmpty, step, p, "it is "+t.show(prior, p)+", and "+t.show(planned, p)+" is planned")
		return twice, false
	}
	return twice, true
}

// read reads an object and holds it against what was known of it.
func (t *trial) read(step string, o object, r *Rule, before string) (object, bool) {
	if !t.ready() {
		return o, false
	}
	res, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: o.value, Private: o.private, Identity: o.identity})
	if !t.came(step, diags) {
		return o, false
	}
	if !t.judged(step, contract.Check(contract.Read, contract.Facts{
		Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name, Prior: o.value.Cty(), Answer: res.New.Cty(),
		PriorIdentity: o.identity.Cty(), AnswerIdentity: res.Identity.Cty(), Deferred: res.Deferred != nil})) || res.Deferred != nil {
		return o, false
	}
	was, now := o.value.Cty(), res.New.Cty()
	if now == cty.NilVal || now.IsNull() {
		t.breach(r, step, nil, "the object is not found")
		return o, false
	}
	ok := true
	for _, p := range differences(was, now, nil) {
		t.breach(r, step, p, before+" "+t.show(was, p)+", and reading finds "+t.show(now, p))
		ok = false
	}
	next := object{res.New, res.Private, o.identity}
	if !res.Identity.IsZero() && !res.Identity.Cty().IsNull() {
		next.identity = res.Identity
	}
	return next, ok
}

// upgrade stores an object and upgrades it from the version it was stored by.
func (t *trial) upgrade(o object) {
	const step = "upgrade from its own state"
	stored, err := state.Object{}.WithValue(o.value.Cty(), t.schema)
	if err != nil || !t.ready() {
		return
	}
	res, diags := t.client.UpgradeState(t.ctx, provider.UpgradeRequest{TypeName: t.name, Version: t.schema.Version, JSON: stored.Attrs})
	if !t.came(step, diags) {
		t.complain(upgradeOwn, step)
		return
	}
	if !t.judged(step, contract.Check(contract.Upgrade, contract.Facts{Schema: t.schema.Block, Answer: res.Upgraded.Cty()})) {
		return
	}
	was, now := o.value.Cty(), res.Upgraded.Cty()
	if now == cty.NilVal || now.IsNull() {
		return
	}
	for _, p := range differences(was, now, nil) {
		t.breach(upgradeOwn, step, p, t.show(was, p)+" was stored, and "+t.show(now, p)+" came of it")
	}
}

// change turns the object into what the case says next. A change that needs a
// replacement is no change: creating and destroying are examined anyway.
func (t *trial) change(o *object) {
	if !t.validate("validate the change", t.at.Then) {
		return
	}
	first, ok := t.plan("plan to update", *o, t.at.Then, nil)
	if !ok || !t.again(*o, t.at.Then, first, "plan to update, twice") ||
		len(contract.Forces(t.schema.Block, o.value.Cty(), first.Planned.Cty(), first.RequiresReplace)) > 0 {
		return
	}
	final, ok := t.final("plan to update, at apply", *o, t.at.Then, first)
	if !ok {
		return
	}
	next, ok := t.apply("update", *o, t.at.Then, final)
	if !next.value.IsZero() && !next.value.Cty().IsNull() {
		*o = next
	}
	if ok {
		t.rest("after update", *o, t.at.Then)
	}
}

// destroy ends the object and makes sure that it is gone.
func (t *trial) destroy(o object) {
	null := cty.NullVal(t.schema.Block.Type())
	end := provider.PlanResponse{Planned: value.MustBare(null), Private: o.private, Identity: o.identity}
	if !t.ready() {
		t.left(o, nil)
		return
	}
	if t.schemas.Capabilities().PlanDestroy {
		if res, ok := t.plan("plan to destroy", o, null, nil); ok {
			end.Private = res.Private
		}
	}
	o.identity = value.Bare{} // what is deleted has no identity to keep
	if _, ok := t.apply("destroy", o, null, end); !ok {
		t.left(o, t.refusal)
		return
	}
	res, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: o.value, Private: o.private, Identity: end.Identity})
	if diags.HasErrors() {
		return
	}
	if now := res.New.Cty(); now != cty.NilVal && !now.IsNull() && t.remembers(o) {
		t.breach(destroyedIsGone, "read after destroy", nil, "the object is still found")
	}
}

// remembers says whether the type is kept somewhere outside the state: one that
// lives in the state alone is found as long as the state has it, even when it
// never was.
func (t *trial) remembers(o object) bool {
	v := o.value.Cty()
	if a := t.schema.Block.Attributes["id"]; a == nil || a.Type != cty.String || !t.ready() {
		return false
	}
	never := replaced(v, cty.GetAttrPath("id"), cty.StringVal("plumb-verify-no-such-object"))
	res, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: value.MustBare(never), Private: o.private})
	return !diags.HasErrors() && (res.New.IsZero() || res.New.Cty().IsNull())
}

func (t *trial) left(o object, why diag.List) {
	text := t.name
	if v := o.value.Cty(); v.Type().IsObjectType() && v.Type().HasAttribute("id") && !v.IsNull() {
		if id := v.GetAttr("id"); id.Type() == cty.String && id.IsKnown() && !id.IsNull() {
			text += fmt.Sprintf(" with id %q", id.AsString())
		}
	}
	if why.HasErrors() {
		text += ": " + why.Errors()[0].Summary
	}
	t.report.Left = append(t.report.Left, text)
}
