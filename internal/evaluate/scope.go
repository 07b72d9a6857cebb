package evaluate

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Scope is what the expressions of a site see in a module instance, without
// each, count and self.
func (r *Run) Scope(s *Site, mi int) *lang.Scope {
	return lang.NewScope(r.names(s.links, s.Module, mi), r.functions(s)).Without(s.lost)
}

// names builds the root names that links need.
func (r *Run) names(links []link, m *Module, mi int) map[string]cty.Value {
	return r.tree(links, m, mi).values()
}

// tree collects what links lead to.
func (r *Run) tree(links []link, m *Module, mi int) tree {
	t := tree{}
	for _, l := range links {
		if l.site == nil && r.asked != nil {
			r.asked.put(t, l)
		}
		switch l.ref.Kind {
		case lang.RefVar, lang.RefLocal, lang.RefOutput, lang.RefResource:
			if l.site == nil {
				continue // told already, or known besides the module
			}
		}
		switch l.ref.Kind {
		case lang.RefVar, lang.RefLocal, lang.RefOutput:
			t.put(r.Slot(l.site, mi), l.ref.Root, l.ref.Name)
		case lang.RefResource:
			t.put(r.Slot(l.site, mi), resourcePath(l.ref)...)
		case lang.RefPath:
			t.put(cty.StringVal(r.path(l.ref.Name, m)), l.ref.Root, l.ref.Name)
		case lang.RefTerraform:
			t.put(r.terraform(l.ref.Name), l.ref.Root, l.ref.Name)
		case lang.RefModule:
			if l.site != nil && l.site.Call.Module == nil {
				t.put(cty.DynamicVal, "module", l.ref.Name)
			}
		}
	}
	for call, outputs := range calls(links) {
		t.put(r.module(call, mi, outputs), "module", call.Call.Config.Name)
	}
	return t
}

// resourcePath are the names that lead to a resource in a scope.
func resourcePath(ref lang.Ref) []string {
	path := []string{ref.Resource.Type, ref.Resource.Name}
	if ref.Root != ref.Resource.Type {
		path = append([]string{ref.Root}, path...)
	}
	return path
}

// calls groups references to modules by call: the outputs that are needed.
func calls(links []link) map[*Site]map[string]*Site {
	out := map[*Site]map[string]*Site{}
	for _, l := range links {
		if l.ref.Kind != lang.RefModule || l.site == nil || l.site.Call.Module == nil {
			continue
		}
		if out[l.site] == nil {
			out[l.site] = map[string]*Site{}
		}
		for _, o := range outputsOf(l) {
			out[l.site][o.Output.Config.Name] = o
		}
	}
	return out
}

// module is the value of a module call in a scope: an object of outputs, or a
// tuple or object of these.
func (r *Run) module(call *Site, mi int, outputs map[string]*Site) cty.Value {
	if r.keys[call.ID] == nil {
		return cty.DynamicVal // not expanded: nobody needs its instances
	}
	keys := r.keys[call.ID][mi]
	at := r.starts[call.ID][mi]
	one := func() cty.Value {
		attrs := make(map[string]cty.Value, len(outputs))
		for name, o := range outputs {
			attrs[name] = r.seen(orUnknown(r.Slot(o, at)))
		}
		at++
		return cty.ObjectVal(attrs)
	}
	if keys.IsUnknown() {
		one()
		return cty.DynamicVal
	}
	return keys.Aggregate(func(addr.InstanceKey) cty.Value { return one() })
}

// seen is an output's value as the caller sees it. While validating that is not
// sensitive yet: whether the caller may show it is judged by the plan.
func (r *Run) seen(v cty.Value) cty.Value {
	if r.Phase != Validating || !value.Contains(v, value.Sensitive) {
		return v
	}
	bare, marks := value.Split(v)
	return value.Join(bare, marks.Only(value.Ephemeral|value.Deprecated|value.Poison))
}

func orUnknown(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.DynamicVal
	}
	return v
}

func (r *Run) path(name string, m *Module) string {
	switch name {
	case "module":
		return m.Config.Dir
	case "root":
		return r.RootDir
	}
	return r.WorkDir
}

func (r *Run) terraform(name string) cty.Value {
	if name == "applying" {
		return value.Mark(cty.BoolVal(r.Phase == Applying), value.Ephemeral)
	}
	return cty.StringVal(r.Workspace)
}

// functions adds the provider functions that a site calls.
func (r *Run) functions(s *Site) map[string]function.Function {
	if len(s.functions) == 0 {
		return r.Functions
	}
	out := make(map[string]function.Function, len(r.Functions)+len(s.functions))
	for name, f := range r.Functions {
		out[name] = f
	}
	for _, f := range s.functions {
		if fn, ok := r.providerFunction(s, f); ok {
			out[f.String()] = fn
		}
	}
	return out
}

// ObjectScope adds each or count of one instance to a site's scope.
func ObjectScope(base *lang.Scope, keys expand.Keys, key addr.InstanceKey) *lang.Scope {
	if vars := keys.Variables(key); len(vars) > 0 {
		return base.Child(vars)
	}
	return base
}

// WithSelf adds self.
func WithSelf(sc *lang.Scope, self value.V) *lang.Scope {
	return sc.Child(map[string]cty.Value{"self": self})
}

// WithObject adds what provisioners see of the object that they are run for:
// self, and the name of its resource where there is one object of it.
func (d *ResourceDecl) WithObject(sc *lang.Scope, self value.V) *lang.Scope {
	vars := map[string]cty.Value{"self": self}
	if d.Repetition.IsNone() {
		for _, ref := range d.own {
			path := resourcePath(ref)
			root, known := vars[path[0]]
			if !known {
				root, _ = sc.Lookup(path[0])
			}
			vars[path[0]] = replaced(root, path[1:], self)
		}
	}
	return sc.Child(vars)
}

// replaced is v with another value at the end of a path of attributes.
func replaced(v cty.Value, path []string, with value.V) cty.Value {
	if len(path) == 0 {
		return with
	}
	attrs := map[string]cty.Value{}
	if v != cty.NilVal && v.IsKnown() && v.Type().IsObjectType() && v.LengthInt() > 0 {
		attrs = v.AsValueMap()
	}
	attrs[path[0]] = replaced(attrs[path[0]], path[1:], with)
	return cty.ObjectVal(attrs)
}

// tree collects values by names before they become objects.
type tree map[string]any

func (t tree) put(v cty.Value, path ...string) {
	for _, name := range path[:len(path)-1] {
		next, ok := t[name].(tree)
		if !ok {
			next = tree{}
			t[name] = next
		}
		t = next
	}
	t[path[len(path)-1]] = orUnknown(v)
}

func (t tree) values() map[string]cty.Value {
	out := make(map[string]cty.Value, len(t))
	for name, at := range t {
		switch at := at.(type) {
		case tree:
			out[name] = cty.ObjectVal(at.values())
		case cty.Value:
			out[name] = at
		}
	}
	return out
}

// Unknown is what a resource is worth while nothing about its instances is
// known. Of one that is repeated not even the type is: it depends on the keys.
func (d *ResourceDecl) Unknown(block *schema.Block) value.V {
	v := cty.DynamicVal
	if d.Count == nil && d.ForEach == nil {
		v = cty.UnknownVal(block.Type())
	}
	if d.Addr.Resource.Mode == addr.Ephemeral {
		return value.Mark(v, value.Ephemeral)
	}
	return v
}

// Bare is a scope without the configuration's objects: the paths, the
// workspace and the functions.
func (r *Run) Bare(m *Module) *lang.Scope {
	t := tree{}
	for _, name := range []string{"module", "root", "cwd"} {
		t.put(cty.StringVal(r.path(name, m)), "path", name)
	}
	t.put(r.terraform("workspace"), "terraform", "workspace")
	return lang.NewScope(t.values(), r.Functions)
}
