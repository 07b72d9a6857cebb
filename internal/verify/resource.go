package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// object is an object as the engine would keep it between calls.
type object struct {
	value    value.Bare
	private  []byte
	identity value.Bare
}

func (t *trial) none() object { return object{value: value.Null(t.schema.Block.Type())} }

// resource plans to create an object, and where that is allowed takes it through
// its life.
func (t *trial) resource() {
	var final provider.PlanResponse
	planned := t.traceless("plan to create", func() bool {
		if !t.validate("validate", t.at.Config) {
			return false
		}
		first, ok := t.plan("plan to create", t.none(), t.at.Config, nil)
		if !ok || !t.again(t.none(), t.at.Config, first, "plan to create, twice") {
			return false
		}
		final, ok = t.final("plan to create, at apply", t.none(), t.at.Config, first)
		return ok
	})
	if planned && t.may() {
		t.live(final)
	}
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
		t.complain(planDeterministic, step, nil)
		return false
	}
	if a, b := first.Planned.Cty(), second.Planned.Cty(); a != cty.NilVal && b != cty.NilVal {
		if places := differences(a, b, nil); len(places) > 0 {
			p := places[0]
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
	f.WasAction, f.NowAction = t.amounts(prior, first), t.amounts(prior, res)
	// The plan itself was judged a moment ago.
	var news contract.Findings
	for _, x := range contract.Check(contract.FinalPlan, f) {
		if x.Rule.Stage() == contract.FinalPlan {
			news = append(news, x)
		}
	}
	return res, t.judged(step, news)
}

// amounts is what a plan amounts to.
func (t *trial) amounts(prior object, res provider.PlanResponse) plan.Action {
	was, now := prior.value.Cty(), res.Planned.Cty()
	switch {
	case was.IsNull():
		return plan.Create
	case len(contract.Forces(t.schema.Block, was, now, res.RequiresReplace)) > 0:
		return plan.DeleteThenCreate
	case was.RawEquals(now):
		return plan.NoOp
	}
	return plan.Update
}

// unknownPlan plans with the case's unknown argument, and again when it has
// become known, which may only narrow what was planned.
func (t *trial) unknownPlan(prior object, config, vague cty.Value, verb string) bool {
	where := value.PathString(t.at.Unknown)
	step := "plan to " + verb + " while " + where + " is unknown"
	first, ok := t.plan(step, prior, vague, nil)
	if !ok {
		refused := t.refusal
		if t.refusal = nil; refused.HasErrors() {
			if _, known := t.plan("plan to "+verb, prior, config, nil); known {
				t.refusal = refused
				t.complain(unknownPlanned, step, t.at.Unknown)
			}
			t.refusal = nil
		}
		return false
	}
	if t.amounts(prior, first).IsReplace() {
		return true // the final plan is one for a new object
	}
	before := len(t.found)
	_, ok = t.final("plan to "+verb+", when "+where+" has become known", prior, config, first)
	for i := range t.found[before:] {
		if b := &t.found[before+i]; (b.Rule == actionKept || first.Legacy) && t.structured(t.at.Unknown) {
			b.Verdict = contract.Noted
		}
	}
	return ok
}

// actionKept is noted only where what is not known is a whole block or nested
// attribute: the libraries that providers are made with look at replacements and
// defaults inside of it one value at a time, once it is known. The old one cannot
// but treat unknown blocks as none, so there nothing is said of them.
const actionKept = "final/action-kept"

func (t *trial) structured(path cty.Path) bool {
	a := t.schema.Block.AttributeAt(path)
	return a == nil || a.Nested != nil
}
