package planjson

import (
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/value"
)

// entry is one object as the values part of a document shows it.
type entry struct {
	object   addr.Object
	provider addr.Provider
	version  int64
	value    func() value.V
	// The rest is set for objects of a state only.
	dependsOn []addr.ConfigResource
	tainted   bool
	identity  func(*jsonout.Writer)
	idVersion int64
}

// module is a node of the tree of module instances.
type module struct {
	at       addr.ModuleInstance
	entries  []entry
	children []*module
}

// forest collects entries by module instance.
type forest struct {
	root    module
	modules map[addr.ModuleInstance]*module
}

func newForest() *forest {
	f := &forest{modules: map[addr.ModuleInstance]*module{}}
	f.modules[addr.RootInstance] = &f.root
	return f
}

func (f *forest) add(e entry) {
	m := f.module(e.object.Instance.Module)
	m.entries = append(m.entries, e)
}

func (f *forest) module(at addr.ModuleInstance) *module {
	if m := f.modules[at]; m != nil {
		return m
	}
	m := &module{at: at}
	f.modules[at] = m
	parent, _, _ := at.Parent()
	p := f.module(parent)
	p.children = append(p.children, m)
	return m
}

func (m *module) write(w *jsonout.Writer) {
	w.Begin()
	if len(m.entries) > 0 {
		w.Key("resources")
		w.BeginList()
		for i := range m.entries {
			m.entries[i].write(w)
		}
		w.EndList()
	}
	w.KeyFilled("address", m.at.String())
	if len(m.children) > 0 {
		sort.Slice(m.children, func(i, j int) bool { return m.children[i].at.Less(m.children[j].at) })
		w.Key("child_modules")
		w.BeginList()
		for _, c := range m.children {
			c.write(w)
		}
		w.EndList()
	}
	w.End()
}

func (e *entry) write(w *jsonout.Writer) {
	r := e.object.Instance.Resource
	w.Begin()
	w.KeyString("address", e.object.Instance.String())
	w.KeyString("mode", r.Mode.String())
	w.KeyString("type", r.Type)
	w.KeyString("name", r.Name)
	writeIndex(w, "index", e.object.Instance.Key)
	w.KeyString("provider_name", e.provider.String())
	w.KeyInt("schema_version", e.version)
	v := e.value()
	if anyKnown(v) {
		w.Key("values")
		w.Value(v)
	}
	w.Key("sensitive_values")
	writeTree(w, v, isSensitive)
	e.writeCondition(w)
	w.End()
}

// anyKnown says whether an attribute of an object is known: an object of which
// nothing is known has no values, rather than none.
func anyKnown(v value.V) bool {
	o := value.Strip(v).Cty()
	if o.IsNull() || !o.IsKnown() || !o.Type().IsObjectType() {
		return false
	}
	for name := range o.Type().AttributeTypes() {
		if o.GetAttr(name).IsKnown() {
			return true
		}
	}
	return false
}

func (e *entry) writeCondition(w *jsonout.Writer) {
	if len(e.dependsOn) > 0 {
		w.Key("depends_on")
		w.BeginList()
		for _, d := range e.dependsOn {
			w.String(d.String())
		}
		w.EndList()
	}
	w.KeyTrue("tainted", e.tainted)
	w.KeyFilled("deposed_key", string(e.object.Deposed))
	if e.identity != nil {
		w.KeyInt("identity_schema_version", e.idVersion)
		w.Key("identity")
		e.identity(w)
	}
}

func writeIndex(w *jsonout.Writer, name string, k addr.InstanceKey) {
	if n, ok := k.Int(); ok {
		w.KeyInt(name, int64(n))
	}
	if s, ok := k.Str(); ok {
		w.KeyString(name, s)
	}
	w.KeyTrue(name+"_unknown", k.IsAny())
}
