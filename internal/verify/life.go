package verify

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
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
	t.moves(o)
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
	if came && sound && t.schema.Identity != nil && absent(o.identity) && !o.value.Cty().IsNull() {
		if !t.raise("apply/identity", "an object of this type has one") {
			t.breach(identityGiven, step, nil, "it has none")
		}
		return o, false
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
	if !ok {
		t.complain(planEmpty, step, nil)
		return twice, false
	}
	if !t.again(twice, config, res, step+", twice") {
		return twice, false
	}
	if t.raise("plan/identity", "nothing is to be changed") {
		return twice, false
	}
	if !absent(twice.identity) && !absent(res.Identity) && !res.Identity.Cty().IsWhollyKnown() {
		t.breach(identityGiven, step, nil, "it is planned to be unknown, although nothing is to be changed")
		return twice, false
	}
	prior, planned := twice.value.Cty(), res.Planned.Cty()
	changes := differences(prior, planned, nil)
	if len(changes) == 0 {
		return twice, true
	}
	if p := changes[0]; !t.raise("plan/", "and so the same configuration plans a change again and again") {
		t.breach(planEmpty, step, p, "it is "+t.show(prior, p)+", and "+t.show(planned, p)+" is planned")
	}
	return twice, false
}

// read reads an object and holds it against what was known of it.
func (t *trial) read(step string, o object, r *Rule, before string) (object, bool) {
	if !t.ready() {
		return o, false
	}
	res, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: o.value, Private: o.private, Identity: o.identity})
	if !t.came(step, diags) {
		t.complain(r, step, nil)
		return o, false
	}
	if !t.judged(step, contract.Check(contract.Read, contract.Facts{
		Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name, Prior: o.value.Cty(), Answer: res.New.Cty(),
		PriorIdentity: o.identity.Cty(), AnswerIdentity: res.Identity.Cty(), Deferred: res.Deferred != nil})) || res.Deferred != nil {
		return o, false
	}
	if t.raise("read/identity", "nobody changed the object") {
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

// change turns the object into what the case says next. A change that needs a
// replacement is no change, since creating and destroying are examined anyway: what
// asks for it stays as it is.
func (t *trial) change(o *object) {
	then, first, ok := t.mendable(*o)
	if !ok {
		return
	}
	final, ok := t.final("plan to update, at apply", *o, then, first)
	if !ok {
		return
	}
	next, ok := t.apply("update", *o, then, final)
	if !next.value.IsZero() && !next.value.Cty().IsNull() {
		*o = next
	}
	if ok {
		t.rest("after update", *o, then)
	}
}

// mendable plans the change, a second time without what forces a replacement.
func (t *trial) mendable(o object) (then cty.Value, first provider.PlanResponse, ok bool) {
	then = t.at.Then
	if !t.validate("validate the change", then) {
		return then, first, false
	}
	first, ok = t.plan("plan to update", o, then, nil)
	if !ok || !t.again(o, then, first, "plan to update, twice") || !t.unknownChange(o) {
		return then, first, false
	}
	for range 2 {
		forces := contract.Forces(t.schema.Block, o.value.Cty(), first.Planned.Cty(), first.RequiresReplace)
		if len(forces) == 0 {
			return then, first, true
		}
		attrs := then.AsValueMap()
		for _, p := range forces {
			if g, ok := p[0].(cty.GetAttrStep); ok && t.at.Config.Type().HasAttribute(g.Name) {
				attrs[g.Name] = t.at.Config.GetAttr(g.Name)
			}
		}
		then = cty.ObjectVal(attrs)
		if first, ok = t.plan("plan to update", o, then, nil); !ok {
			return then, first, false
		}
	}
	return then, first, false
}

// unknownChange plans, for each argument that the change sets, the change of that
// argument alone while its new value is unknown.
func (t *trial) unknownChange(o object) bool {
	asked := t.at
	defer func() { t.at = asked }()
	paths := []cty.Path{asked.Unknown}
	if len(asked.Unknown) == 0 {
		paths = settable(t.schema.Block, asked.Then, nil)
	}
	for _, t.at.Unknown = range paths {
		to, err := t.at.Unknown.Apply(asked.Then)
		if err != nil {
			continue
		}
		t.at.Then = replaced(asked.Config, t.at.Unknown, to)
		vague, ok := t.vague(t.at.Then)
		if !ok || vague.RawEquals(t.at.Then) {
			continue
		}
		before := len(t.found)
		if !t.unknownPlan(o, t.at.Then, vague, "update") && len(t.found) > before {
			return false
		}
	}
	return true
}

// destroy ends the object and makes sure that it is gone.
func (t *trial) destroy(o object) {
	before := t.refusal
	defer func() { t.refusal = before }()
	t.refusal = nil
	null := cty.NullVal(t.schema.Block.Type())
	end := provider.PlanResponse{Planned: value.MustBare(null), Private: o.private, Identity: o.identity}
	if !t.ready() {
		t.left(o, nil)
		return
	}
	if t.schemas.Capabilities().PlanDestroy {
		res, ok := t.plan("plan to destroy", o, null, nil)
		if ok {
			end.Private = res.Private
		}
		t.complain(destroyable, "plan to destroy", nil)
	}
	o.identity = value.Bare{} // what is deleted has no identity to keep
	if _, ok := t.apply("destroy", o, null, end); !ok {
		t.left(o, t.refusal)
		t.complain(destroyable, "destroy", nil)
		return
	}
	res, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: o.value, Private: o.private, Identity: end.Identity})
	if !t.came("read after destroy", diags) {
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
	return t.came("read what never was", diags) && absent(res.New)
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
	t.report.leave(text)
	t.stuck[t.name] = true
}

// leave names something that was left behind, once.
func (r *Report) leave(text string) {
	if !slices.Contains(r.Left, text) {
		r.Left = append(r.Left, text)
	}
}
