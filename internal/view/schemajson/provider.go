package schemajson

import (
	"io"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
)

// modes are the parts of a provider that are named by type.
var modes = []struct {
	key  string
	mode addr.Mode
}{
	{"resource_schemas", addr.Managed},
	{"data_source_schemas", addr.Data},
	{"ephemeral_resource_schemas", addr.Ephemeral},
	{"list_resource_schemas", addr.List},
}

// writer collects the problems of malformed schemas.
type writer struct {
	*jsonout.Writer
	diags diag.List
}

// WriteProviders writes the schemas of providers as providers schema -json
// does.
func WriteProviders(out io.Writer, all map[addr.Provider]provider.Schemas) (diag.List, error) {
	w := &writer{Writer: jsonout.New(out)}
	w.Begin()
	w.KeyString("format_version", Format)
	w.all(all)
	w.End()
	return w.diags, w.Err()
}

// Format is the format_version of schemas.
const Format = "1.0"

// WriteMember writes schemas as the member provider_schemas of an object that was
// begun.
func WriteMember(to *jsonout.Writer, all map[addr.Provider]provider.Schemas) {
	(&writer{Writer: to}).all(all)
}

func (w *writer) all(all map[addr.Provider]provider.Schemas) {
	if len(all) == 0 {
		return
	}
	w.Key("provider_schemas")
	w.Begin()
	for _, p := range sortedProviders(all) {
		w.Key(p.String())
		w.provider(all[p])
	}
	w.End()
}

func sortedProviders(all map[addr.Provider]provider.Schemas) []addr.Provider {
	out := make([]addr.Provider, 0, len(all))
	for p := range all {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Less(out[j]) })
	return out
}

func (w *writer) provider(s provider.Schemas) {
	w.Begin()
	if p := s.Provider(); p != nil {
		w.Key("provider")
		w.resource(p)
	}
	identities := map[string]*schema.Resource{}
	for _, m := range modes {
		w.types(m.key, s.TypeNames(m.mode), func(name string) (*schema.Resource, diag.List) {
			r, diags := s.Type(m.mode, name)
			if m.mode == addr.Managed && r != nil && r.Identity != nil {
				identities[name] = r
			}
			return r, diags
		})
	}
	w.functions(s.Functions())
	w.identities(identities)
	w.actions(s)
	w.types("state_store_schemas", s.StateStoreNames(), s.StateStore)
	w.End()
}

func (w *writer) types(key string, names []string, find func(string) (*schema.Resource, diag.List)) {
	if len(names) == 0 {
		return
	}
	w.Key(key)
	w.Begin()
	for _, name := range names {
		r, diags := find(name)
		w.diags = w.diags.With(diags)
		if r != nil {
			w.Key(name)
			w.resource(r)
		}
	}
	w.End()
}

func (w *writer) actions(s provider.Schemas) {
	names := s.ActionNames()
	if len(names) == 0 {
		return
	}
	w.Key("action_schemas")
	w.Begin()
	for _, name := range names {
		r, diags := s.Action(name)
		w.diags = w.diags.With(diags)
		if r != nil {
			w.Key(name)
			w.Begin()
			w.Key("block")
			w.block(r.Block)
			w.End()
		}
	}
	w.End()
}

func (w *writer) resource(r *schema.Resource) {
	w.Begin()
	w.KeyInt("version", r.Version)
	if r.Block != nil {
		w.Key("block")
		w.block(r.Block)
	}
	w.End()
}

func (w *writer) block(b *schema.Block) {
	w.Begin()
	w.attributes(b.Attributes, b.AttrNames())
	if names := b.BlockNames(); len(names) > 0 {
		w.Key("block_types")
		w.Begin()
		for _, name := range names {
			w.Key(name)
			w.nested(b.Blocks[name])
		}
		w.End()
	}
	w.describe(b.Description, b.Markdown)
	w.KeyTrue("deprecated", b.Deprecated)
	w.KeyFilled("deprecation_message", b.DeprecationMessage)
	w.End()
}

func (w *writer) nested(n *schema.Nested) {
	w.Begin()
	w.KeyString("nesting_mode", n.Nesting.String())
	w.Key("block")
	w.block(n.Block)
	if n.MinItems > 0 {
		w.KeyInt("min_items", int64(n.MinItems))
	}
	if n.MaxItems > 0 {
		w.KeyInt("max_items", int64(n.MaxItems))
	}
	w.End()
}

func (w *writer) attributes(all map[string]*schema.Attribute, names []string) {
	if len(names) == 0 {
		return
	}
	w.Key("attributes")
	w.Begin()
	for _, name := range names {
		w.Key(name)
		w.attribute(all[name])
	}
	w.End()
}

func (w *writer) attribute(a *schema.Attribute) {
	w.Begin()
	if a.Nested != nil {
		w.Key("nested_type")
		w.Begin()
		w.attributes(a.Nested.Attributes, a.Nested.Names())
		w.KeyString("nesting_mode", a.Nested.Nesting.String())
		w.End()
	} else {
		w.Key("type")
		w.Type(a.Type)
	}
	w.describe(a.Description, a.Markdown)
	w.KeyTrue("deprecated", a.Deprecated)
	w.KeyFilled("deprecation_message", a.DeprecationMessage)
	w.KeyTrue("required", a.Required)
	w.KeyTrue("optional", a.Optional)
	w.KeyTrue("computed", a.Computed)
	w.KeyTrue("sensitive", a.Sensitive)
	w.KeyTrue("write_only", a.WriteOnly)
	w.End()
}

func (w *writer) describe(text string, markdown bool) {
	w.KeyFilled("description", text)
	kind := "plain"
	if markdown {
		kind = "markdown"
	}
	w.KeyString("description_kind", kind)
}

func (w *writer) functions(all map[string]*schema.Function) {
	if len(all) == 0 {
		return
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	w.Key("functions")
	w.Begin()
	for _, name := range names {
		w.Key(name)
		w.function(all[name])
	}
	w.End()
}

func (w *writer) function(f *schema.Function) {
	w.Begin()
	w.KeyFilled("description", f.Description)
	w.KeyFilled("summary", f.Summary)
	w.KeyFilled("deprecation_message", f.DeprecationMessage)
	w.Key("return_type")
	w.Type(f.Return)
	if len(f.Parameters) > 0 {
		w.Key("parameters")
		w.BeginList()
		for i := range f.Parameters {
			w.parameter(&f.Parameters[i])
		}
		w.EndList()
	}
	if f.Variadic != nil {
		w.Key("variadic_parameter")
		w.parameter(f.Variadic)
	}
	w.End()
}

func (w *writer) parameter(p *schema.Parameter) {
	w.Begin()
	w.KeyFilled("name", p.Name)
	w.KeyFilled("description", p.Description)
	w.KeyTrue("is_nullable", p.AllowNull)
	w.Key("type")
	w.Type(p.Type)
	w.End()
}

// identities writes the schemas of resource identities, whose attributes say
// what an import needs.
func (w *writer) identities(all map[string]*schema.Resource) {
	if len(all) == 0 {
		return
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	w.Key("resource_identity_schemas")
	w.Begin()
	for _, name := range names {
		r := all[name]
		w.Key(name)
		w.Begin()
		w.KeyInt("version", r.IdentityVersion)
		w.Key("attributes")
		w.Begin()
		for _, attr := range r.Identity.Names() {
			a := r.Identity.Attributes[attr]
			w.Key(attr)
			w.Begin()
			w.Key("type")
			w.Type(a.Type)
			w.KeyFilled("description", a.Description)
			w.KeyTrue("required_for_import", a.Required)
			w.KeyTrue("optional_for_import", a.Optional)
			w.End()
		}
		w.End()
		w.End()
	}
	w.End()
}
