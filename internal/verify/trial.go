package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Case is what a trial is made with. Everything it does follows from it, so a
// simpler case that breaks the same rule can take its place.
type Case struct {
	// Config is the configuration, Then the one it is changed into after it was
	// applied (null for none).
	Config, Then cty.Value
	// Unknown is an argument that is not known at the first plan; empty for
	// none. Such a case is planned only.
	Unknown cty.Path
	// Live cases are applied.
	Live bool
}

// trial drives one case.
type trial struct {
	*examination
	subject
	at    Case
	found []Breach
	// refusal is the provider's own refusal, if it came to that.
	refusal diag.List
	applied bool
	// tolerated says that the old type system was excused for something.
	tolerated bool
}

// object is an object as the engine would keep it between calls.
type object struct {
	value    value.Bare
	private  []byte
	identity value.Bare
}

func (t *trial) none() object { return object{value: value.Null(t.schema.Block.Type())} }

// came notes a call that did not come through, and says whether to go on with
// its answer.
func (t *trial) came(step string, diags diag.List) bool {
	if !diags.HasErrors() {
		return true
	}
	if code, saw := lost(diags); code != "" {
		t.breach(answers, step, nil, saw)
		if code == wire.CodeDied {
			t.close()
		}
		return false
	}
	t.refusal = diags
	return false
}

// run drives the case to its end.
func (t *trial) run() {
	switch {
	case len(t.at.Unknown) > 0:
		t.unknown()
	case t.validate("validate", t.at.Config):
		first, ok := t.plan("plan to create", t.none(), t.at.Config, nil)
		if !ok || !t.again(t.none(), t.at.Config, first, "plan to create, twice") {
			return
		}
		final, ok := t.final("plan to create, at apply", t.none(), t.at.Config, first)
		if ok && t.at.Live && t.AllowApply {
			t.live(final)
		}
	}
}

func (t *trial) validate(step string, config cty.Value) bool {
	if !t.ready() {
		return false
	}
	return t.came(step, t.client.ValidateResource(t.ctx, t.name, value.MustBare(config)))
}

// plan asks for a plan and judges it.
func (t *trial) plan(step string, prior object, config cty.Value, planned []byte) (provider.PlanResponse, bool) {
	res, diags := t.ask(prior, config, planned)
	if !t.came(step, diags) {
		return res, false
	}
	return res, t.judged(step, contract.Check(contract.Plan, t.facts(prior, config, res))) && res.Deferred == nil
}

func (t *trial) ask(prior object, config cty.Value, planned []byte) (provider.PlanResponse, diag.List) {
	if !t.ready() {
		return provider.PlanResponse{}, diag.Errs("Provider not available", "It could not be started again.")
	}
	proposed := cty.NullVal(t.schema.Block.Type())
	if !config.IsNull() {
		proposed = contract.ProposedNew(t.schema.Block, prior.value.Cty(), config)
	}
	return t.client.Plan(t.ctx, provider.PlanRequest{
		TypeName: t.name, Prior: prior.value, Proposed: value.MustBare(proposed), Config: value.MustBare(config),
		PriorPrivate: prior.private, PlannedPrivate: planned, PriorIdentity: prior.identity})
}

func (t *trial) facts(prior object, config cty.Value, res provider.PlanResponse) contract.Facts {
	return contract.Facts{Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name,
		Prior: prior.value.Cty(), Config: config, Answer: res.Planned.Cty(), Legacy: res.Legacy, Replace: res.RequiresReplace, Deferred: res.Deferred != nil,
		PriorIdentity: prior.identity.Cty(), AnswerIdentity: res.Identity.Cty()}
}

// again plans a second time from the same, which must give the same.
func (t *trial) again(prior object, config cty.Value, first provider.PlanResponse, step string) bool {
	second, diags := t.ask(prior, config, nil)
	if !t.came(step, diags) {
		return false
	}
	if a, b := first.Planned.Cty(), second.Planned.Cty(); a != cty.NilVal && b != cty.NilVal {
		for _, p := range differences(a, b, nil) {
			t.breach(planDeterministic, step, p, "the first plan has "+t.show(a, p)+", the second has "+t.show(b, p))
			return false
		}
	}
	return true
}

// final is the plan at apply, held against the first one.
func (t *trial) final(step string, prior object, config cty.Value, first provider.PlanResponse) (provider.PlanResponse, bool) {
	res, ok := t.plan(step, prior, config, first.Private)
	if !ok {
		return res, false
	}
	f := t.facts(prior, config, res)
	f.Planned = first.Planned.Cty()
	// The plan itself was judged a moment ago.
	var news contract.Findings
	for _, x := range contract.Check(contract.FinalPlan, f) {
		if x.Rule.Stage() == contract.FinalPlan {
			news = append(news, x)
		}
	}
	return res, t.judged(step, news)
}

// unknown plans with an argument that is not known yet, then with all of it.
func (t *trial) unknown() {
	where := value.PathString(t.at.Unknown)
	at, err := t.at.Unknown.Apply(t.at.Config)
	if err != nil {
		return
	}
	kind := at.Type()
	if a := t.schema.Block.AttributeAt(t.at.Unknown); a != nil && a.Type == cty.DynamicPseudoType {
		kind = cty.DynamicPseudoType
	}
	vague := replaced(t.at.Config, t.at.Unknown, cty.UnknownVal(kind))
	step := "validate while " + where + " is unknown"
	if !t.validate(step, vague) {
		t.complain(unknownAccepted, step)
		return
	}
	step = "plan while " + where + " is unknown"
	first, ok := t.plan(step, t.none(), vague, nil)
	if !ok {
		t.complain(unknownPlanned, step)
		return
	}
	t.final("plan to create, when "+where+" has become known", t.none(), t.at.Config, first)
}

// complain turns a refusal into a breach.
func (t *trial) complain(r *Rule, step string) {
	if t.refusal.HasErrors() {
		d := t.refusal.Errors()[0]
		t.breach(r, step, t.at.Unknown, "the provider says: "+d.Summary+". "+firstLine(d.Detail))
		t.refusal = nil
	}
}

// show writes the value at a path, unless it is sensitive.
func (t *trial) show(v cty.Value, path cty.Path) string {
	for n := 1; n <= len(path); n++ {
		if a := t.schema.Block.AttributeAt(path[:n]); a != nil && a.Sensitive {
			return "a sensitive value"
		}
	}
	at, err := path.Apply(v)
	if err != nil {
		return "nothing"
	}
	switch {
	case !at.IsKnown():
		return "an unknown value"
	case at.IsNull():
		return "null"
	}
	text := valuetext.Format(at, 0)
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}
