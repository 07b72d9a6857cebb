package verify

import (
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// action plans an action, twice and without a trace, and invokes it where that is
// allowed.
func (t *trial) action() {
	planned := t.traceless("plan", func() bool {
		return t.planAction("plan", t.at.Config)
	})
	if !planned {
		return
	}
	if !t.planAction("plan, twice", t.at.Config) {
		t.complain(planDeterministic, "plan, twice", nil)
		return
	}
	if t.may() && t.ready() {
		t.applied = t.came("invoke", t.client.InvokeAction(t.ctx, t.name, value.MustBare(t.at.Config), func(string) {}))
	}
}

func (t *trial) planAction(step string, config cty.Value) bool {
	if !t.ready() {
		return false
	}
	deferred, diags := t.client.PlanAction(t.ctx, provider.PlanActionRequest{TypeName: t.name, Config: value.MustBare(config)})
	if deferred != nil {
		t.breach(deferralOffered, step, nil, "it put the answer off although that was not on offer")
	}
	return t.came(step, diags) && deferred == nil
}
