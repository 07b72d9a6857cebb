package builtin

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// The types of this provider.
const (
	dataType   = "terraform_data"
	remoteType = "terraform_remote_state"
)

// schemas implements provider.Schemas.
type schemas struct {
	config, data, remote *schema.Resource
	functions            map[string]*schema.Function
}

var _ provider.Schemas = (*schemas)(nil)

func newSchemas(store bool) *schemas {
	s := &schemas{
		config:    &schema.Resource{Block: schema.Empty},
		data:      dataSchema(store),
		remote:    remoteSchema(),
		functions: make(map[string]*schema.Function, len(functions)),
	}
	for name, f := range functions {
		s.functions[name] = f.signature()
	}
	return s
}

func dataSchema(withStore bool) *schema.Resource {
	store := schema.NewBlock([]*schema.Attribute{
		{Name: "input", Type: cty.DynamicPseudoType, Optional: true, WriteOnly: true},
		{Name: "output", Type: cty.DynamicPseudoType, Computed: true},
		{Name: "sensitive_output", Type: cty.DynamicPseudoType, Computed: true, Sensitive: true},
		{Name: "version", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "sensitive", Type: cty.Bool, Optional: true},
		{Name: "replace", Type: cty.Bool, Optional: true},
	}, nil)
	var blocks []*schema.Nested
	if withStore {
		blocks = []*schema.Nested{{Name: "store", Nesting: schema.Single, Block: store}}
	}
	return &schema.Resource{
		Block: schema.NewBlock([]*schema.Attribute{
			{Name: "id", Type: cty.String, Computed: true},
			{Name: "input", Type: cty.DynamicPseudoType, Optional: true},
			{Name: "output", Type: cty.DynamicPseudoType, Computed: true},
			{Name: "triggers_replace", Type: cty.DynamicPseudoType, Optional: true},
		}, blocks),
		Identity: schema.NewObject(schema.Single, []*schema.Attribute{
			{Name: "id", Type: cty.String, Required: true, Description: "The id of the stored object."},
		}),
	}
}

func remoteSchema() *schema.Resource {
	return &schema.Resource{Block: schema.NewBlock([]*schema.Attribute{
		{Name: "backend", Type: cty.String, Required: true, Markdown: true,
			Description: "The type of the backend that keeps the state, for example `local` or `s3`."},
		{Name: "workspace", Type: cty.String, Optional: true, Markdown: true,
			Description: "The workspace whose state is read; `default` when left out."},
		{Name: "config", Type: cty.DynamicPseudoType, Optional: true, Markdown: true,
			Description: "An object with the arguments that the `backend` block of that configuration has."},
		{Name: "defaults", Type: cty.DynamicPseudoType, Optional: true, Markdown: true,
			Description: "An object with values for outputs that the state does not have."},
		{Name: "outputs", Type: cty.DynamicPseudoType, Computed: true, Markdown: true,
			Description: "An object with the values of the root module's outputs."},
	}, nil)}
}

func (s *schemas) Provider() *schema.Resource { return s.config }

func (s *schemas) Meta() *schema.Block { return nil }

func (s *schemas) Type(mode addr.Mode, name string) (*schema.Resource, diag.List) {
	switch {
	case mode == addr.Managed && name == dataType:
		return s.data, nil
	case mode == addr.Data && name == remoteType:
		return s.remote, nil
	}
	return nil, nil
}

func (s *schemas) Action(string) (*schema.Resource, diag.List) { return nil, nil }

func (s *schemas) ListConfig(string) (*schema.Resource, diag.List) { return nil, nil }

func (s *schemas) Functions() map[string]*schema.Function { return s.functions }

func (s *schemas) TypeNames(mode addr.Mode) []string {
	switch mode {
	case addr.Managed:
		return []string{dataType}
	case addr.Data:
		return []string{remoteType}
	}
	return nil
}

func (s *schemas) ActionNames() []string { return nil }

func (s *schemas) StateStore(string) (*schema.Resource, diag.List) { return nil, nil }

func (s *schemas) StateStoreNames() []string { return nil }

func (s *schemas) Capabilities() provider.Capabilities {
	return provider.Capabilities{SchemaOptional: true, MoveResourceState: true}
}
