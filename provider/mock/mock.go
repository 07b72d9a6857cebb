package mock

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Key names a type of objects.
type Key struct {
	Mode addr.Mode
	Type string
}

// Values are given for attributes that a provider decides.
type Values struct {
	// Given is an object of values by attribute, cty.NilVal for none.
	Given cty.Value
	// AtPlan makes the values, and those that are generated beside them, known
	// when an object is planned rather than when it is applied.
	AtPlan bool
	// Range is where they stand, nil for nowhere.
	Range *diag.Range
}

// Spec says what is answered.
type Spec struct {
	// Types are values for all objects of a type; Other is for the other types.
	Types map[Key]Values
	Other Values
	// Imports lets objects be imported, with the values of Other.
	Imports bool
	Strings Strings
}

// Provider stands in for a provider. It wraps one that is not configured, or the
// one that serves an object.
type Provider struct {
	provider.Provider
	spec Spec
}

// New makes a stand-in for around, which stays the caller's to close.
func New(around provider.Provider, s Spec) *Provider { return &Provider{around, s} }

// ValidateProvider takes any configuration: nothing is done with it.
func (p *Provider) ValidateProvider(_ context.Context, config value.Bare) (value.Bare, diag.List) {
	return config, nil
}

// Configure does nothing.
func (p *Provider) Configure(context.Context, provider.ConfigureRequest) diag.List { return nil }

// Stop does nothing: nothing takes long.
func (p *Provider) Stop(context.Context) error { return nil }

// Close does nothing: the provider inside is not this one's.
func (p *Provider) Close() error { return nil }

// Read gives what is stored.
func (p *Provider) Read(_ context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	return provider.ReadResponse{New: req.Prior, Private: req.Private, Identity: req.Identity}, nil
}

// Plan plans what was proposed, with what is to be made up unknown or made up
// already.
func (p *Provider) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	proposed := req.Proposed.Cty()
	if req.Config.IsZero() || req.Config.Cty().IsNull() || proposed.IsNull() {
		return provider.PlanResponse{Planned: req.Proposed, Private: req.PriorPrivate, Identity: req.PriorIdentity}, nil
	}
	// What is made up now has to be the same when it is planned again.
	f, diags := p.filler(ctx, addr.Managed, req.TypeName, req.PlannedPrivate)
	if diags.HasErrors() {
		return provider.PlanResponse{Planned: req.Proposed}, diags
	}
	f.hole = func(v cty.Value) bool { return v.IsNull() }
	if !f.values.AtPlan {
		f.make = func(t cty.Type, _ cty.Value) cty.Value { return cty.UnknownVal(t) }
	}
	planned := f.block(f.schema.Block, proposed, f.values.Given)
	return provider.PlanResponse{Planned: value.Strip(planned), Private: f.seed, Identity: req.PriorIdentity}, f.diags
}

// Apply makes what was planned, with what is unknown made up.
func (p *Provider) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	planned := req.Planned.Cty()
	if planned.IsNull() {
		return provider.ApplyResponse{New: req.Planned}, nil
	}
	f, diags := p.filler(ctx, addr.Managed, req.TypeName, req.Private)
	if diags.HasErrors() {
		return provider.ApplyResponse{New: req.Prior}, diags
	}
	f.hole = func(v cty.Value) bool { return !v.IsKnown() }
	made := f.block(f.schema.Block, planned, f.values.Given)
	if f.diags.HasErrors() {
		return provider.ApplyResponse{New: req.Prior, Identity: req.Identity}, f.diags
	}
	return provider.ApplyResponse{New: value.Strip(made), Identity: req.Identity}, nil
}

// ReadData makes up what a data source finds.
func (p *Provider) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	found, diags := p.found(ctx, addr.Data, req.TypeName, req.Config)
	return provider.ReadDataResponse{State: found}, diags
}

// Open makes up an ephemeral object, which needs no renewal.
func (p *Provider) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	found, diags := p.found(ctx, addr.Ephemeral, req.TypeName, req.Config)
	return provider.OpenResponse{Result: found}, diags
}

// CloseEphemeral does nothing.
func (p *Provider) CloseEphemeral(context.Context, string, []byte) diag.List { return nil }

// found completes a configuration by what is made up.
func (p *Provider) found(ctx context.Context, mode addr.Mode, typeName string, config value.Bare) (value.Bare, diag.List) {
	f, diags := p.filler(ctx, mode, typeName, nil)
	if diags.HasErrors() {
		return value.Bare{}, diags
	}
	f.hole = func(v cty.Value) bool { return v.IsNull() }
	return value.Strip(f.block(f.schema.Block, config.Cty(), f.values.Given)), f.diags
}

// Import makes up an object, if the values for it were given.
func (p *Provider) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	if !p.spec.Imports {
		return provider.ImportResponse{}, diag.List{diag.Err("Mocked providers cannot import",
			"The provider of this object is mocked, so there is nothing to be found under the id. Say with an override_resource block, whose target is exactly this object, what the import is to find.")}
	}
	f, diags := p.filler(ctx, addr.Managed, req.TypeName, nil)
	if diags.HasErrors() {
		return provider.ImportResponse{}, diags
	}
	f.hole = func(v cty.Value) bool { return v.IsNull() }
	f.any = true
	object := f.block(f.schema.Block, emptyObject(f.schema.Block), f.values.Given)
	return provider.ImportResponse{Imported: []provider.Imported{{TypeName: req.TypeName, State: value.Strip(object), Identity: req.Identity}}}, f.diags
}

// ListResources finds nothing.
func (p *Provider) ListResources(context.Context, provider.ListRequest, func(provider.Listed) bool) diag.List {
	return nil
}

// PlanAction lets any action run.
func (p *Provider) PlanAction(context.Context, provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	return nil, nil
}

// InvokeAction does nothing.
func (p *Provider) InvokeAction(context.Context, string, value.Bare, func(string)) diag.List {
	return nil
}

// filler prepares to make up an object of a type. A seed says that it was begun
// before.
func (p *Provider) filler(ctx context.Context, mode addr.Mode, typeName string, seed []byte) (*filler, diag.List) {
	schemas, diags := p.Schemas(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	sch, diags := schemas.Type(mode, typeName)
	if sch == nil && !diags.HasErrors() {
		diags = diag.Errs("Unknown type", fmt.Sprintf("The provider has no type %q, so nothing can stand in for it.", typeName))
	}
	if diags.HasErrors() {
		return nil, diags
	}
	values, typed := p.spec.Types[Key{mode, typeName}]
	if !typed {
		values = p.spec.Other
	}
	if len(seed) != seedSize {
		seed = p.spec.Strings.seed(typeName)
	}
	f := &filler{schema: sch, values: values, seed: seed, text: p.spec.Strings.source(seed)}
	f.make = f.madeUp
	return f, nil
}

func emptyObject(b *schema.Block) cty.Value {
	attrs := map[string]cty.Value{}
	for _, name := range b.AttrNames() {
		attrs[name] = cty.NullVal(b.Attributes[name].Type)
	}
	for _, name := range b.BlockNames() {
		n := b.Blocks[name]
		switch t := n.Type(); {
		case n.Nesting == schema.Group:
			attrs[name] = emptyObject(n.Block)
		case t.IsListType():
			attrs[name] = cty.ListValEmpty(t.ElementType())
		case t.IsSetType():
			attrs[name] = cty.SetValEmpty(t.ElementType())
		case t.IsMapType():
			attrs[name] = cty.MapValEmpty(t.ElementType())
		default:
			attrs[name] = cty.NullVal(t)
		}
	}
	return cty.ObjectVal(attrs)
}
