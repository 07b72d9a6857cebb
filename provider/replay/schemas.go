package replay

import (
	"maps"
	"reflect"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
)

// overview is what a provider says of itself beside its types.
type overview struct {
	Provider     *schema.Resource
	Meta         *schema.Block
	Functions    map[string]*schema.Function
	Types        map[string][]string
	Actions      []string
	Capabilities provider.Capabilities
}

var modes = map[string]addr.Mode{"resource": addr.Managed, "data": addr.Data, "ephemeral": addr.Ephemeral}

func modeName(m addr.Mode) string {
	for _, name := range slices.Sorted(maps.Keys(modes)) {
		if modes[name] == m {
			return name
		}
	}
	return "other"
}

func overviewOf(s provider.Schemas) overview {
	o := overview{Provider: s.Provider(), Meta: s.Meta(), Functions: s.Functions(), Types: map[string][]string{}, Actions: s.ActionNames(), Capabilities: s.Capabilities()}
	for name, m := range modes {
		o.Types[name] = s.TypeNames(m)
	}
	return o
}

// recorded are schemas that note each type when it is first asked for.
type recorded struct {
	provider.Schemas
	by *Recorder
}

// Type implements provider.Schemas.
func (r recorded) Type(m addr.Mode, name string) (*schema.Resource, diag.List) {
	s, diags := r.Schemas.Type(m, name)
	r.by.schema(modeName(m), name, s, diags)
	return s, diags
}

// Action implements provider.Schemas.
func (r recorded) Action(name string) (*schema.Resource, diag.List) {
	s, diags := r.Schemas.Action(name)
	r.by.schema("action", name, s, diags)
	return s, diags
}

// ListConfig implements provider.Schemas.
func (r recorded) ListConfig(name string) (*schema.Resource, diag.List) {
	s, diags := r.Schemas.ListConfig(name)
	r.by.schema("list", name, s, diags)
	return s, diags
}

// played are schemas from a recording.
type played struct {
	overview
	by *Player
}

// Provider implements provider.Schemas.
func (p played) Provider() *schema.Resource { return p.overview.Provider }

// Meta implements provider.Schemas.
func (p played) Meta() *schema.Block { return p.overview.Meta }

// Type implements provider.Schemas.
func (p played) Type(m addr.Mode, name string) (*schema.Resource, diag.List) {
	return p.find(modeName(m), name, p.TypeNames(m))
}

// Action implements provider.Schemas.
func (p played) Action(name string) (*schema.Resource, diag.List) {
	return p.find("action", name, p.Actions)
}

// ListConfig implements provider.Schemas.
func (p played) ListConfig(name string) (*schema.Resource, diag.List) {
	return p.find("list", name, []string{name})
}

// find is a type's schema: nil for one that the provider does not have.
func (p played) find(kind, name string, known []string) (*schema.Resource, diag.List) {
	if !slices.Contains(known, name) {
		return nil, nil
	}
	var s *schema.Resource
	diags := p.by.answer("schema", kind+" "+name, nil, &s)
	return finished(s), diags
}

// Functions implements provider.Schemas.
func (p played) Functions() map[string]*schema.Function { return p.overview.Functions }

// TypeNames implements provider.Schemas.
func (p played) TypeNames(m addr.Mode) []string { return p.Types[modeName(m)] }

// ActionNames implements provider.Schemas.
func (p played) ActionNames() []string { return p.Actions }

// StateStore implements provider.Schemas. Where states are kept is not recorded.
func (p played) StateStore(string) (*schema.Resource, diag.List) { return nil, nil }

// StateStoreNames implements provider.Schemas.
func (p played) StateStoreNames() []string { return nil }

// Capabilities implements provider.Schemas.
func (p played) Capabilities() provider.Capabilities { return p.overview.Capabilities }

// finished computes what schemas hold beside what is written of them.
func finished(r *schema.Resource) *schema.Resource {
	if r == nil {
		return nil
	}
	out := *r
	out.Block = finishedBlock(r.Block)
	out.Identity = finishedObject(r.Identity)
	return &out
}

func finishedBlock(b *schema.Block) *schema.Block {
	if b == nil {
		return schema.NewBlock(nil, nil)
	}
	var attrs []*schema.Attribute
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		attrs = append(attrs, finishedAttribute(b.Attributes[name]))
	}
	var blocks []*schema.Nested
	for _, name := range slices.Sorted(maps.Keys(b.Blocks)) {
		n := *b.Blocks[name]
		n.Block = finishedBlock(n.Block)
		blocks = append(blocks, &n)
	}
	out := schema.NewBlock(attrs, blocks)
	out.Description, out.Markdown = b.Description, b.Markdown
	out.Deprecated, out.DeprecationMessage = b.Deprecated, b.DeprecationMessage
	return out
}

func finishedAttribute(a *schema.Attribute) *schema.Attribute {
	out := *a
	out.Nested = finishedObject(a.Nested)
	return &out
}

func finishedObject(o *schema.Object) *schema.Object {
	if o == nil {
		return nil
	}
	var attrs []*schema.Attribute
	for _, name := range slices.Sorted(maps.Keys(o.Attributes)) {
		attrs = append(attrs, finishedAttribute(o.Attributes[name]))
	}
	return schema.NewObject(o.Nesting, attrs)
}

// schema notes the schema of a type, once.
func (r *Recorder) schema(kind, name string, s *schema.Resource, diags diag.List) {
	if s == nil && len(diags) == 0 || !r.book.once(r.name, kind+" "+name) {
		return
	}
	r.write("schema", kind+" "+name, nil, s, diags)
}

// write notes a call as it is.
func (r *Recorder) write(operation, typeName string, request, response any, diags diag.List) {
	r.book.write(r.name, call{Operation: operation, Type: typeName, Request: treeOf(request), Response: tree(reflect.ValueOf(response)), Diags: treeOf(diags)})
}
