package verify

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

// moves moves the object to its own type, as from another provider's, and one of
// terraform_data to it. A provider that does not take them refuses, which is its
// right.
func (t *trial) moves(o object) {
	stored, ok := t.stored(o)
	if !ok || !t.schemas.Capabilities().MoveResourceState {
		return
	}
	own := provider.MoveRequest{SourceProvider: t.Provider, SourceType: t.name, SourceVersion: t.schema.Version, SourceJSON: stored.Attrs,
		SourcePrivate: o.private, SourceIdentityJSON: stored.Identity, SourceIdentityVersion: stored.IdentityVersion, TargetType: t.name}
	if moved, ok := t.move("move from its own type", own); ok {
		was := o.value.Cty()
		for _, p := range differences(was, moved, nil) {
			t.breach(moveOwn, "move from its own type", p, "it was "+t.show(was, p)+", and is "+t.show(moved, p))
		}
	}
	input := t.Given["terraform_data"]["input"]
	t.move("move from terraform_data", provider.MoveRequest{SourceProvider: addr.Builtin("terraform"), SourceType: "terraform_data",
		SourceJSON: fmt.Appendf(nil, `{"id":"verify","input":{"value":%q,"type":"string"},"output":{"value":%q,"type":"string"},"triggers_replace":null}`, input, input), TargetType: t.name})
}

func (t *trial) move(step string, req provider.MoveRequest) (cty.Value, bool) {
	if !t.ready() {
		return cty.NilVal, false
	}
	before := t.refusal
	res, diags := t.client.Move(t.ctx, req)
	came := t.came(step, diags)
	if t.refusal = before; !came {
		return cty.NilVal, false
	}
	return res.Target.Cty(), t.judged(step, contract.Check(contract.Move, contract.Facts{Schema: t.schema.Block, Identity: t.schema.Identity,
		TypeName: t.name, Answer: res.Target.Cty(), AnswerIdentity: res.Identity.Cty()}))
}

// stored is an object as the state keeps it.
func (t *trial) stored(o object) (*state.Object, bool) {
	out, err := state.Object{}.WithValue(o.value.Cty(), t.schema)
	if err == nil && t.schema.Identity != nil && !absent(o.identity) {
		out, err = out.WithIdentity(o.identity, t.schema)
	}
	return out, err == nil && t.ready()
}

// upgrade stores an object and upgrades it from the version it was stored by.
func (t *trial) upgrade(o object) {
	const step = "upgrade from its own state"
	stored, ok := t.stored(o)
	if !ok {
		return
	}
	res, diags := t.client.UpgradeState(t.ctx, provider.UpgradeRequest{TypeName: t.name, Version: t.schema.Version, JSON: stored.Attrs})
	if !t.came(step, diags) {
		t.complain(upgradeOwn, step, nil)
		return
	}
	if !t.judged(step, contract.Check(contract.Upgrade, contract.Facts{Schema: t.schema.Block, Answer: res.Upgraded.Cty()})) {
		return
	}
	if absent(res.Upgraded) {
		t.raise("upgrade/", "what was stored a moment ago would be lost")
		return
	}
	was, now := o.value.Cty(), res.Upgraded.Cty()
	for _, p := range differences(was, now, nil) {
		t.breach(upgradeOwn, step, p, t.show(was, p)+" was stored, and "+t.show(now, p)+" came of it")
	}
}
