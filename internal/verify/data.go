package verify

import (
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// data reads a data source twice. Its configuration is always known: an unknown
// one is never sent, since reading waits for what it depends on.
func (t *trial) data() {
	if !t.may() {
		return
	}
	first, ok := t.readData("read")
	if !ok {
		return
	}
	t.applied = true
	second, ok := t.readData("read, twice")
	if !ok {
		t.complain(dataStable, "read, twice", nil)
		return
	}
	for _, p := range differences(first, second, nil) {
		if !t.secret(p) {
			t.breach(dataStable, "read, twice", p, "the first time it was "+t.show(first, p)+", the second time "+t.show(second, p))
		}
	}
}

func (t *trial) readData(step string) (cty.Value, bool) {
	if !t.ready() {
		return cty.NilVal, false
	}
	res, diags := t.client.ReadData(t.ctx, provider.ReadDataRequest{TypeName: t.name, Config: value.MustBare(t.at.Config)})
	if !t.came(step, diags) {
		return cty.NilVal, false
	}
	ok := t.judged(step, contract.Check(contract.Data, contract.Facts{Schema: t.schema.Block, TypeName: t.name,
		Config: t.at.Config, Answer: res.State.Cty(), Deferred: res.Deferred != nil}))
	return res.State.Cty(), ok && res.Deferred == nil
}
