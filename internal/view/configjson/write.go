package configjson

import (
	"slices"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Schemas finds the schemas by which bodies are read; nil results are read
// without one.
type Schemas struct {
	Resource planjson.Schemas
	// Provider is a provider's own configuration schema; may be nil.
	Provider func(p addr.Provider) *schema.Block
	// Action is an action type's schema; may be nil.
	Action func(p addr.Provider, typeName string) *schema.Block
}

// Options say how a configuration is written.
type Options struct {
	Schemas
	// VariableDetail tells type and necessity of variables, which a dialect does.
	VariableDetail bool
	// Outline leaves out what only schemas and other modules could tell:
	// expressions, schema versions, and the content of called modules.
	Outline bool
}

// Write writes the configuration. Hand a closure over it to planjson.
func Write(out *jsonout.Writer, t *config.Tree, o Options) {
	if t == nil || t.Root == nil {
		out.Begin()
		out.End()
		return
	}
	w := writer{Writer: out, homes: homesIn(t.Root), schemas: o.Schemas, detail: o.VariableDetail, outline: o.Outline}
	w.Begin()
	if all := w.homes.providerConfigs(t.Root); len(all) > 0 {
		w.Key("provider_config")
		w.Begin()
		for _, p := range all {
			w.Key(p.key)
			w.providerConfig(&p)
		}
		w.End()
	}
	w.Key("root_module")
	w.module(t.Root)
	w.End()
}

type writer struct {
	*jsonout.Writer
	homes   homes
	schemas Schemas
	detail  bool
	outline bool
}

func (w writer) providerConfig(p *providerConfig) {
	w.Begin()
	w.KeyString("name", p.name)
	w.KeyString("full_name", p.source.String())
	w.KeyFilled("alias", p.alias)
	w.KeyFilled("version_constraint", p.version)
	w.KeyFilled("module_address", p.module.String())
	if p.block != nil && !w.outline {
		var s *schema.Block
		if w.schemas.Provider != nil {
			s = w.schemas.Provider(p.source)
		}
		w.expressions("expressions", config.ContentOf(p.block.Config, s), s)
	}
	w.End()
}

func (w writer) module(m *config.Module) {
	w.Begin()
	w.outputs(m)
	w.resources(m)
	w.calls(m)
	w.variables(m)
	w.actions(m)
	w.End()
}

func (w writer) outputs(m *config.Module) {
	if len(m.Outputs) == 0 {
		return
	}
	w.Key("outputs")
	w.Begin()
	for _, name := range sorted(m.Outputs) {
		o := m.Outputs[name]
		w.Key(name)
		w.Begin()
		w.KeyTrue("sensitive", o.Sensitive)
		w.KeyTrue("ephemeral", o.Ephemeral)
		w.KeyFilled("deprecated", o.Deprecated)
		if !w.outline {
			w.Key("expression")
			w.expression(o.Expr)
		}
		w.dependsOn(len(o.DependsOn), func(i int) string { return traversal(o.DependsOn[i]) })
		w.KeyFilled("description", o.Description)
		w.End()
	}
	w.End()
}

func (w writer) resources(m *config.Module) {
	var list []*config.Resource
	for _, mode := range []addr.Mode{addr.Managed, addr.Data, addr.Ephemeral} {
		of := len(list)
		for _, r := range m.Resources {
			if r.Addr.Mode == mode {
				list = append(list, r)
			}
		}
		slices.SortFunc(list[of:], func(a, b *config.Resource) int { return strings.Compare(a.Addr.String(), b.Addr.String()) })
	}
	if len(list) == 0 {
		return
	}
	w.Key("resources")
	w.BeginList()
	for _, r := range list {
		w.resource(m, r)
	}
	w.EndList()
}

func (w writer) resource(m *config.Module, r *config.Resource) {
	w.Begin()
	w.KeyString("address", r.Addr.String())
	w.KeyString("mode", r.Addr.Mode.String())
	w.KeyString("type", r.Addr.Type)
	w.KeyString("name", r.Addr.Name)
	w.KeyString("provider_config_key", w.homes.key(m, r.Provider.ProviderKey))
	if !w.outline {
		w.resourceBody(r, w.schemaOf(r))
	}
	w.dependsOn(len(r.DependsOn), func(i int) string { return traversal(r.DependsOn[i]) })
	w.End()
}

func (w writer) resourceBody(r *config.Resource, s *schema.Resource) {
	w.provisioners(r)
	var block *schema.Block
	version := int64(0)
	if s != nil {
		block, version = s.Block, s.Version
	}
	w.expressions("expressions", config.ContentOf(r.Config, block), block)
	w.KeyInt("schema_version", version)
	w.repetition("count_expression", r.Count)
	w.repetition("for_each_expression", r.ForEach)
}

func (w writer) schemaOf(r *config.Resource) *schema.Resource {
	if w.schemas.Resource == nil {
		return nil
	}
	return w.schemas.Resource(r.Source, r.Addr.Mode, r.Addr.Type)
}

func (w writer) provisioners(r *config.Resource) {
	if len(r.Provisioners) == 0 {
		return
	}
	w.Key("provisioners")
	w.BeginList()
	for _, p := range r.Provisioners {
		w.Begin()
		w.KeyString("type", p.Type)
		w.expressions("expressions", config.ContentOf(p.Config, nil), nil)
		w.End()
	}
	w.EndList()
}

func (w writer) calls(m *config.Module) {
	if len(m.Calls) == 0 {
		return
	}
	w.Key("module_calls")
	w.Begin()
	for _, name := range sorted(m.Calls) {
		w.Key(name)
		w.call(m.Calls[name], m.Children[name])
	}
	w.End()
}

func (w writer) call(c *config.ModuleCall, child *config.Module) {
	w.Begin()
	w.KeyString("source", c.Source)
	if !w.outline {
		w.callBody(c, child)
	}
	w.KeyFilled("version_constraint", c.Version.Text)
	w.dependsOn(len(c.DependsOn), func(i int) string { return traversal(c.DependsOn[i]) })
	w.End()
}

func (w writer) callBody(c *config.ModuleCall, child *config.Module) {
	content := config.ContentOf(c.Config, nil)
	if child != nil {
		for name := range content.Attributes {
			if child.Variables[name] == nil {
				delete(content.Attributes, name)
			}
		}
	}
	w.expressions("expressions", content, nil)
	w.repetition("count_expression", c.Count)
	w.repetition("for_each_expression", c.ForEach)
	if child != nil {
		w.Key("module")
		w.module(child)
	}
}

func (w writer) variables(m *config.Module) {
	if len(m.Variables) == 0 {
		return
	}
	w.Key("variables")
	w.Begin()
	for _, name := range sorted(m.Variables) {
		v := m.Variables[name]
		w.Key(name)
		w.Begin()
		if w.detail && v.Type != cty.DynamicPseudoType {
			w.Key("type")
			w.Type(v.Type)
		}
		if v.Default != cty.NilVal {
			w.Key("default")
			w.Value(v.Default)
		}
		w.KeyFilled("description", v.Description)
		w.KeyTrue("required", w.detail && v.Default == cty.NilVal)
		w.KeyTrue("sensitive", v.Sensitive)
		w.KeyTrue("ephemeral", v.Ephemeral)
		w.KeyFilled("deprecated", v.Deprecated)
		w.End()
	}
	w.End()
}

func (w writer) actions(m *config.Module) {
	if len(m.Actions) == 0 {
		return
	}
	keys := make([]config.ActionKey, 0, len(m.Actions))
	for k := range m.Actions {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i].Type < keys[j].Type || keys[i].Type == keys[j].Type && keys[i].Name < keys[j].Name
	})
	w.Key("actions")
	w.BeginList()
	for _, k := range keys {
		w.action(m, m.Actions[k])
	}
	w.EndList()
}

func (w writer) action(m *config.Module, a *config.Action) {
	var s *schema.Block
	if w.schemas.Action != nil {
		s = w.schemas.Action(a.Source, a.Key.Type)
	}
	w.Begin()
	w.KeyString("address", "action."+a.Key.Type+"."+a.Key.Name)
	w.KeyString("type", a.Key.Type)
	w.KeyString("name", a.Key.Name)
	w.KeyString("provider_config_key", w.homes.key(m, a.Provider.ProviderKey))
	if !w.outline {
		w.expressions("expressions", config.ContentOf(a.Config, s), s)
	}
	w.End()
}

func (w writer) dependsOn(n int, text func(i int) string) {
	if n == 0 {
		return
	}
	w.Key("depends_on")
	w.BeginList()
	for i := range n {
		w.String(text(i))
	}
	w.EndList()
}

func sorted[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
