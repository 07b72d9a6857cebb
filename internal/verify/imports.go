package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/zclconf/go-cty/cty"
)

// imports imports the object by its id and by its identity and holds what
// comes of it against what the apply returned. A type that cannot be imported,
// or not by its id, is no finding.
func (t *trial) imports(o object) {
	v := o.value.Cty()
	if t.schema.Block.Attributes["id"] != nil {
		if id := v.GetAttr("id"); id.Type() == cty.String && id.IsKnown() && !id.IsNull() && id.AsString() != "" {
			t.importBack("import by id", o, provider.ImportRequest{TypeName: t.name, ID: id.AsString()})
		}
	}
	if t.schema.Identity != nil && !o.identity.IsZero() && !o.identity.Cty().IsNull() && o.identity.Cty().IsWhollyKnown() {
		t.importBack("import by identity", o, provider.ImportRequest{TypeName: t.name, Identity: o.identity})
	}
}

func (t *trial) importBack(step string, o object, req provider.ImportRequest) {
	if !t.ready() {
		return
	}
	res, diags := t.client.Import(t.ctx, req)
	if !t.imported(step, diags) || res.Deferred != nil {
		return
	}
	f := contract.Facts{Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name}
	var stub provider.Imported
	for _, i := range res.Imported {
		f.ImportedTypes = append(f.ImportedTypes, i.TypeName)
		if i.TypeName == t.name && stub.TypeName == "" {
			stub = i
		}
	}
	f.Answer, f.AnswerIdentity = stub.State.Cty(), stub.Identity.Cty()
	if !t.judged(step, contract.Check(contract.Import, f)) || stub.TypeName == "" {
		return
	}
	read, diags := t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: stub.State, Private: stub.Private, Identity: stub.Identity})
	if !t.imported("read after "+step, diags) {
		return
	}
	f.Prior, f.PriorIdentity = f.Answer, f.AnswerIdentity
	f.Answer, f.AnswerIdentity = read.New.Cty(), read.Identity.Cty()
	if t.judged("read after "+step, contract.Check(contract.Imported, f)) {
		t.compare(step, o.value.Cty(), f.Answer)
	}
}

// imported notes a call that did not come through; a refusal is the provider's
// right and is forgotten.
func (t *trial) imported(step string, diags diag.List) bool {
	before := t.refusal
	ok := t.came(step, diags)
	t.refusal = before
	return ok
}

// compare tells an import that cannot know what was configured, which services
// may excuse, from one that finds something else in a place that the provider
// filled in itself. What is computed from a configured value that is not given
// back differs, too, so one such value excuses the rest.
func (t *trial) compare(step string, was, now cty.Value) {
	places, rule := differences(was, now, nil), importRoundTrip
	for _, p := range places {
		if at, err := p.Apply(t.at.Config); err == nil && !at.IsNull() {
			rule = importComplete
		}
	}
	for _, p := range places {
		rule := rule
		if at, err := p.Apply(now); err == nil && at.IsNull() {
			rule = importComplete
		}
		t.breach(rule, step, p, "it was "+t.show(was, p)+", and the import finds "+t.show(now, p))
	}
}
