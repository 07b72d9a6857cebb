package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
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
	if t.schema.Identity != nil && !absent(o.identity) && o.identity.Cty().IsWhollyKnown() {
		t.importBack("import by identity", o, provider.ImportRequest{TypeName: t.name, Identity: o.identity})
	}
}

// importBack imports an object that is known. A refusal is the provider's right
// and is forgotten.
func (t *trial) importBack(step string, o object, req provider.ImportRequest) {
	before := t.refusal
	found, ok := t.bring(step, req)
	if t.refusal = before; ok {
		t.compare(step, o.value.Cty(), found.value.Cty())
	}
}

// adopt imports an object that the trial did not make.
func (t *trial) adopt() {
	if _, ok := t.bring("import by id", provider.ImportRequest{TypeName: t.name, ID: t.at.ImportID}); ok {
		t.applied = true
	}
}

// bring imports an object and reads it.
func (t *trial) bring(step string, req provider.ImportRequest) (object, bool) {
	if !t.ready() {
		return object{}, false
	}
	res, diags := t.client.Import(t.ctx, req)
	if !t.came(step, diags) {
		return object{}, false
	}
	f := contract.Facts{Schema: t.schema.Block, Identity: t.schema.Identity, TypeName: t.name, Deferred: res.Deferred != nil}
	var stub provider.Imported
	for _, i := range res.Imported {
		f.ImportedTypes = append(f.ImportedTypes, i.TypeName)
		if i.TypeName == t.name && stub.TypeName == "" {
			stub = i
		}
	}
	f.Answer, f.AnswerIdentity = stub.State.Cty(), stub.Identity.Cty()
	if !t.judged(step, contract.Check(contract.Import, f)) || stub.TypeName == "" {
		return object{}, false
	}
	return t.readImported("read after "+step, stub, f)
}

func (t *trial) readImported(step string, stub provider.Imported, f contract.Facts) (object, bool) {
	var read provider.ReadResponse
	diags := diag.List(nil)
	if stub.State.Cty().IsWhollyKnown() {
		read, diags = t.client.Read(t.ctx, provider.ReadRequest{TypeName: t.name, Prior: stub.State, Private: stub.Private, Identity: stub.Identity})
	} else {
		// What is not known cannot be asked about; the rule for what is imported
		// says so.
		read.New, read.Identity = stub.State, stub.Identity
	}
	if !t.came(step, diags) {
		return object{}, false
	}
	f.Prior, f.PriorIdentity = f.Answer, f.AnswerIdentity
	f.Answer, f.AnswerIdentity = read.New.Cty(), read.Identity.Cty()
	return object{read.New, read.Private, read.Identity}, t.judged(step, contract.Check(contract.Imported, f))
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
	lost := ""
	for _, p := range places {
		at, err := p.Apply(now)
		if rule == importComplete || err == nil && at.IsNull() {
			lost += ", " + value.PathString(p)
			continue
		}
		t.breach(rule, step, p, "it was "+t.show(was, p)+", and the import finds "+t.show(now, p))
	}
	if lost != "" {
		t.breach(importComplete, step, nil, "the import finds something else or nothing at "+lost[2:])
	}
}
