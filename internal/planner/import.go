package planner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// importObject brings a remote object in: import, then read.
func (l *line) importObject(t evaluate.Imported) Refreshed {
	if l.Site.Resource.Bare() && !l.settledProvider() {
		return Refreshed{}
	}
	key, id := evaluate.IdentifyImport(t.ID, t.Identity)
	l.Emit(event.Begun{Object: l.About, Op: event.Import, IDKey: key, IDValue: id})
	stub, ok := l.importStub(t)
	if !ok {
		l.Emit(event.Failed{Object: l.About, Op: event.Import, IDKey: key, IDValue: id})
		return Refreshed{}
	}
	l.Emit(event.Ended{Object: l.About, Op: event.Import, IDKey: key, IDValue: id})
	read := l.readImported(stub)
	if l.OK() {
		read.imported = &plan.Importing{ID: t.ID, Identity: t.Identity}
	}
	return read
}

// settledProvider checks that the provider's configuration is known. What is
// imported into a bare declaration is in the state at once, and may be another
// object than the one that the finished configuration would lead to.
func (l *line) settledProvider() bool {
	s := l.Site.Resource.Provider
	config, diags := l.ProviderConfig(s, l.object.config.Key)
	if !diags.HasErrors() && !value.Strip(config).Cty().IsWhollyKnown() {
		l.Fail(diag.Err("Invalid provider configuration",
			fmt.Sprintf("The configuration of %s depends on values that only an apply can tell. Where it looks for the object is not known. Apply what it depends on first, or write the values down.", l.object.config)).At(s.Provider.Range).By(diag.Author))
	}
	return l.OK()
}

// putAside says whether what is to be imported was imported before, and then put
// aside for a replacement that did not come to its end: it is to go, and imported
// again it would be destroyed under its new name.
func (l *line) putAside(t evaluate.Imported) bool {
	for _, o := range l.PrevRun.Instance(l.object.addr).Deposed() {
		var known struct{ ID any }
		if t.ID != "" && json.Unmarshal(o.Attrs, &known) == nil && known.ID == t.ID {
			return true
		}
		identity, err := o.IdentityValue(l.Schema)
		if err == nil && !t.Identity.IsZero() && !identity.IsZero() && !identity.Cty().IsNull() && identity.Cty().RawEquals(t.Identity.Cty()) {
			return true
		}
	}
	return false
}

// importStub asks the provider for the object: what it gives is not all there is
// to know, but enough to read it.
func (l *line) importStub(t evaluate.Imported) (provider.Imported, bool) {
	res, diags := l.Client.Import(l.ctx, provider.ImportRequest{TypeName: l.object.addr.Resource.Type, ID: t.ID, Identity: t.Identity, DeferralAllowed: l.Deferral})
	l.Note(diags)
	if !l.OK() {
		return provider.Imported{}, false
	}
	if res.Deferred != nil {
		l.Judge(contract.Import, contract.Facts{Deferred: true, DeferralOffered: l.Deferral})
		l.deferred(res.Deferred)
		return provider.Imported{}, false
	}
	stub, ok := l.stub(res)
	if !ok {
		return provider.Imported{}, false
	}
	l.Judge(contract.Import, contract.Facts{Answer: stub.State.Cty(), AnswerIdentity: stub.Identity.Cty(), ImportedTypes: []string{stub.TypeName}})
	return stub, l.OK()
}

// stub is the imported object of the type asked for; there must be exactly one.
func (l *line) stub(res provider.ImportResponse) (provider.Imported, bool) {
	switch len(res.Imported) {
	case 0:
		l.Judge(contract.Import, contract.Facts{})
		return provider.Imported{}, false
	case 1:
		return res.Imported[0], true
	}
	types := make([]string, len(res.Imported))
	for i, o := range res.Imported {
		types[i] = o.TypeName
	}
	l.Fail(diag.Err("Multiple import states not supported",
		fmt.Sprintf("The provider gives %d objects for what is to become %s: %s. An import takes one. Import each of them by an ID of its own, if the provider has one; nothing was imported.", len(res.Imported), l.object.addr, strings.Join(types, ", "))))
	return provider.Imported{}, false
}

// readImported reads the imported stub; an object that is not there cannot be
// imported.
func (l *line) readImported(stub provider.Imported) Refreshed {
	l.Begin(event.Refresh, stub.State)
	res, diags := l.Client.Read(l.ctx, provider.ReadRequest{
		TypeName: l.object.addr.Resource.Type, Meta: l.Meta(), Prior: stub.State, Private: stub.Private, Identity: stub.Identity, DeferralAllowed: l.Deferral})
	l.Note(diags)
	if l.OK() {
		l.Judge(contract.Imported, contract.Facts{Prior: stub.State.Cty(), Answer: res.New.Cty(), PriorIdentity: stub.Identity.Cty(), AnswerIdentity: res.Identity.Cty(),
			Deferred: res.Deferred != nil, DeferralOffered: l.Deferral})
	}
	l.End(event.Refresh, res.New, l.OK())
	if !l.OK() || l.deferred(res.Deferred) {
		return Refreshed{}
	}
	id := res.Identity
	if id.IsZero() || id.Cty().IsNull() {
		id = stub.Identity
	}
	found := l.filled(res.New)
	return Refreshed{
		was:   Upgraded{value: value.Null(l.Schema.Block.Type())},
		value: found, private: res.Private, identity: id,
		marks: state.SensitiveMarks(l.Schema.Block.SensitivePaths(found.Cty())),
	}
}

// move asks the provider to convert an object that had another type before.
func (l *line) move(stored *state.Object, from addr.AbsInstance) (Upgraded, bool) {
	null := value.Null(l.Schema.Block.Type())
	source := l.PrevRun.Instance(l.object.addr).Provider().Provider
	schemas, diags := l.Schemas(l.object.config.Provider)
	if diags.HasErrors() || !schemas.Capabilities().MoveResourceState {
		l.Fail(diag.Err("Unsupported `moved` across resource types",
			fmt.Sprintf("A moved block says that %s was %s, an object of another type. The provider %s does not convert objects of other types.", l.object.addr, from, l.object.config.Provider.Display())))
		return Upgraded{value: null}, false
	}
	res, diags := l.Client.Move(l.ctx, provider.MoveRequest{
		SourceProvider: source, SourceType: from.Resource.Type, SourceVersion: stored.SchemaVersion, SourceJSON: stored.Attrs,
		SourcePrivate: stored.Private, SourceIdentityJSON: stored.Identity, SourceIdentityVersion: stored.IdentityVersion,
		TargetType: l.object.addr.Resource.Type})
	l.Note(diags)
	if !l.OK() {
		return Upgraded{value: null}, false
	}
	l.Judge(contract.Move, contract.Facts{Answer: res.Target.Cty(), AnswerIdentity: res.Identity.Cty()})
	moved := *stored
	moved.Sensitive = nil
	return Upgraded{stored: &moved, value: res.Target, private: res.Private, identity: res.Identity, moved: true}, l.OK()
}
