package serve

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
)

var blockNestings = map[schema.Nesting]tfplugin6.Schema_NestedBlock_NestingMode{
	schema.Single: tfplugin6.Schema_NestedBlock_SINGLE, schema.Group: tfplugin6.Schema_NestedBlock_GROUP,
	schema.List: tfplugin6.Schema_NestedBlock_LIST, schema.Set: tfplugin6.Schema_NestedBlock_SET, schema.Map: tfplugin6.Schema_NestedBlock_MAP,
}

var objectNestings = map[schema.Nesting]tfplugin6.Schema_Object_NestingMode{
	schema.Single: tfplugin6.Schema_Object_SINGLE, schema.List: tfplugin6.Schema_Object_LIST,
	schema.Set: tfplugin6.Schema_Object_SET, schema.Map: tfplugin6.Schema_Object_MAP,
}

// schemas writes all that a provider has.
func schemas(s provider.Schemas) *tfplugin6.GetProviderSchema_Response {
	able := s.Capabilities()
	out := &tfplugin6.GetProviderSchema_Response{
		Provider:                 resource(s.Provider()),
		ResourceSchemas:          all(s.TypeNames(addr.Managed), ofMode(s, addr.Managed)),
		DataSourceSchemas:        all(s.TypeNames(addr.Data), ofMode(s, addr.Data)),
		EphemeralResourceSchemas: all(s.TypeNames(addr.Ephemeral), ofMode(s, addr.Ephemeral)),
		ListResourceSchemas:      all(s.TypeNames(addr.List), s.ListConfig),
		ActionSchemas:            map[string]*tfplugin6.ActionSchema{},
		Functions:                map[string]*tfplugin6.Function{},
		ServerCapabilities: &tfplugin6.ServerCapabilities{PlanDestroy: able.PlanDestroy, GetProviderSchemaOptional: able.SchemaOptional,
			MoveResourceState: able.MoveResourceState, GenerateResourceConfig: able.GenerateConfig},
	}
	for name, a := range all(s.ActionNames(), s.Action) {
		out.ActionSchemas[name] = &tfplugin6.ActionSchema{Schema: a}
	}
	for name, f := range s.Functions() {
		out.Functions[name] = function(f)
	}
	return out
}

func ofMode(s provider.Schemas, m addr.Mode) func(string) (*schema.Resource, diag.List) {
	return func(name string) (*schema.Resource, diag.List) { return s.Type(m, name) }
}

func all(names []string, find func(string) (*schema.Resource, diag.List)) map[string]*tfplugin6.Schema {
	out := map[string]*tfplugin6.Schema{}
	for _, name := range names {
		if r, _ := find(name); r != nil {
			out[name] = resource(r)
		}
	}
	return out
}

func resource(r *schema.Resource) *tfplugin6.Schema {
	if r == nil {
		r = &schema.Resource{Block: schema.Empty}
	}
	return &tfplugin6.Schema{Version: r.Version, Block: block(r.Block)}
}

func block(b *schema.Block) *tfplugin6.Schema_Block {
	out := &tfplugin6.Schema_Block{}
	for _, name := range b.AttrNames() {
		out.Attributes = append(out.Attributes, attribute(b.Attributes[name]))
	}
	for _, name := range b.BlockNames() {
		n := b.Blocks[name]
		inner := block(n.Block)
		inner.Computed = n.Computed
		out.BlockTypes = append(out.BlockTypes, &tfplugin6.Schema_NestedBlock{TypeName: name, Block: inner, Nesting: blockNestings[n.Nesting],
			MinItems: int64(n.MinItems), MaxItems: int64(n.MaxItems)})
	}
	return out
}

func attribute(a *schema.Attribute) *tfplugin6.Schema_Attribute {
	out := &tfplugin6.Schema_Attribute{Name: a.Name, Required: a.Required, Optional: a.Optional, Computed: a.Computed,
		Sensitive: a.Sensitive, WriteOnly: a.WriteOnly, Deprecated: a.Deprecated, Description: a.Description}
	if a.Nested == nil {
		out.Type = typeJSON(a.Type)
		return out
	}
	out.NestedType = &tfplugin6.Schema_Object{Nesting: objectNestings[a.Nested.Nesting]}
	for _, name := range a.Nested.Names() {
		out.NestedType.Attributes = append(out.NestedType.Attributes, attribute(a.Nested.Attributes[name]))
	}
	return out
}

func function(f *schema.Function) *tfplugin6.Function {
	out := &tfplugin6.Function{Return: &tfplugin6.Function_Return{Type: typeJSON(f.Return)}, Summary: f.Summary}
	for _, p := range f.Parameters {
		out.Parameters = append(out.Parameters, parameter(p))
	}
	if f.Variadic != nil {
		out.VariadicParameter = parameter(*f.Variadic)
	}
	return out
}

func parameter(p schema.Parameter) *tfplugin6.Function_Parameter {
	return &tfplugin6.Function_Parameter{Name: p.Name, Type: typeJSON(p.Type), AllowNullValue: p.AllowNull, AllowUnknownValues: p.AllowUnknown}
}

// identities writes the identity schemas.
func identities(s provider.Schemas) *tfplugin6.GetResourceIdentitySchemas_Response {
	out := &tfplugin6.GetResourceIdentitySchemas_Response{IdentitySchemas: map[string]*tfplugin6.ResourceIdentitySchema{}}
	for _, name := range s.TypeNames(addr.Managed) {
		r, _ := s.Type(addr.Managed, name)
		if r == nil || r.Identity == nil {
			continue
		}
		to := &tfplugin6.ResourceIdentitySchema{Version: r.IdentityVersion}
		for _, attr := range r.Identity.Names() {
			a := r.Identity.Attributes[attr]
			to.IdentityAttributes = append(to.IdentityAttributes, &tfplugin6.ResourceIdentitySchema_IdentityAttribute{
				Name: attr, Type: typeJSON(a.Type), RequiredForImport: a.Required, OptionalForImport: a.Optional})
		}
		out.IdentitySchemas[name] = to
	}
	return out
}
