package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

// ephemeral opens an object, renews it if it asks for that, closes it, and does
// so again: each run opens its own. What it contains may differ.
func (t *trial) ephemeral() {
	if !t.may() || !t.open("open") {
		return
	}
	t.applied = true
	if !t.open("open, twice") {
		t.complain(ephemeralAgain, "open, twice", nil)
	}
}

func (t *trial) open(step string) bool {
	if !t.ready() {
		return false
	}
	res, diags := t.client.Open(t.ctx, provider.OpenRequest{TypeName: t.name, Config: value.MustBare(t.at.Config)})
	if !t.came(step, diags) {
		return false
	}
	ok := t.judged(step, contract.Check(contract.Open, contract.Facts{Schema: t.schema.Block, TypeName: t.name,
		Config: t.at.Config, Answer: res.Result.Cty(), Deferred: res.Deferred != nil}))
	if res.Deferred != nil {
		return false
	}
	private := res.Private
	if ok && !res.RenewAt.IsZero() {
		renewed, diags := t.client.Renew(t.ctx, t.name, private)
		if ok = t.ended("renew", diags); ok {
			private = renewed.Private
		}
	}
	// Whatever was opened is closed.
	return t.ready() && t.ended("close", t.client.CloseEphemeral(t.ctx, t.name, private)) && ok
}

// ended judges a call that has no business to fail.
func (t *trial) ended(step string, diags diag.List) bool {
	if t.came(step, diags) {
		return true
	}
	if t.refusal.HasErrors() {
		t.report.leave(t.name + " (opened and not closed): " + diags.Errors()[0].Summary)
	}
	t.complain(ephemeralEnds, step, nil)
	return false
}
