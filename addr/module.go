package addr

import (
	"slices"
	"strings"
)

// Module is a static path of module calls, without instance keys. The zero
// value is the root module.
type Module struct{ path string }

// Root is the root module.
var Root Module

// Child is the module called name in m.
func (m Module) Child(name string) Module {
	if m.path == "" {
		return Module{name}
	}
	return Module{m.path + "." + name}
}

// ModuleOf builds a static module path from the names of its calls.
func ModuleOf(names ...string) Module { return Module{strings.Join(names, ".")} }

// IsRoot says whether m is the root module.
func (m Module) IsRoot() bool { return m.path == "" }

// Names are the call names from the root down; nil for the root.
func (m Module) Names() []string {
	if m.path == "" {
		return nil
	}
	return strings.Split(m.path, ".")
}

// Parent gives the calling module and the call's name. The root has none.
func (m Module) Parent() (parent Module, name string) {
	if i := strings.LastIndexByte(m.path, '.'); i >= 0 {
		return Module{m.path[:i]}, m.path[i+1:]
	}
	return Root, m.path
}

// Contains says whether o is m or a module below m.
func (m Module) Contains(o Module) bool {
	return m.path == "" || m.path == o.path || strings.HasPrefix(o.path, m.path+".")
}

// Key is the dotted form used by the module manifest ("" for the root).
func (m Module) Key() string { return m.path }

// String is the address: "" or "module.a.module.b".
func (m Module) String() string {
	if m.path == "" {
		return ""
	}
	return "module." + strings.ReplaceAll(m.path, ".", ".module.")
}

// ModuleStep is one call in the path of a module instance.
type ModuleStep struct {
	Name string
	Key  InstanceKey
}

// ModuleInstance is a module path with instance keys, kept in its canonical
// text form so that it is comparable. The zero value is the root module.
type ModuleInstance struct{ text string }

// RootInstance is the only instance of the root module.
var RootInstance ModuleInstance

// ModuleInstanceOf builds a module instance from its steps.
func ModuleInstanceOf(steps ...ModuleStep) ModuleInstance {
	m := RootInstance
	for _, s := range steps {
		m = m.Child(s.Name, s.Key)
	}
	return m
}

// Child is the instance with key k of the call name inside m.
func (m ModuleInstance) Child(name string, k InstanceKey) ModuleInstance {
	t := "module." + name + k.String()
	if m.text != "" {
		t = m.text + "." + t
	}
	return ModuleInstance{t}
}

// IsRoot says whether m is the root module.
func (m ModuleInstance) IsRoot() bool { return m.text == "" }

// String is the address, "" for the root.
func (m ModuleInstance) String() string { return m.text }

// Steps are the calls from the root down; nil for the root.
func (m ModuleInstance) Steps() []ModuleStep {
	if m.text == "" {
		return nil
	}
	var steps []ModuleStep
	p := parser{src: m.text, any: true}
	for p.word("module") && p.eat('.') {
		name := p.ident()
		key, _ := p.key()
		steps = append(steps, ModuleStep{name, key})
		if !p.eat('.') {
			break
		}
	}
	return steps
}

// Module is the static path, keys dropped.
func (m ModuleInstance) Module() Module {
	if m.text == "" {
		return Root
	}
	steps := m.Steps()
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Name
	}
	return ModuleOf(names...)
}

// HasAny says whether the instance stands for instances whose keys are not
// known.
func (m ModuleInstance) HasAny() bool {
	return strings.Contains(m.text, "[*]") && slices.ContainsFunc(m.Steps(), func(s ModuleStep) bool { return s.Key.IsAny() })
}

// Parent gives the calling module instance and the last step. ok is false for
// the root.
func (m ModuleInstance) Parent() (parent ModuleInstance, last ModuleStep, ok bool) {
	steps := m.Steps()
	if len(steps) == 0 {
		return RootInstance, ModuleStep{}, false
	}
	n := len(steps) - 1
	return ModuleInstanceOf(steps[:n]...), steps[n], true
}

// Contains says whether o is m or an instance of a module below it.
func (m ModuleInstance) Contains(o ModuleInstance) bool {
	return m.text == "" || m.text == o.text || strings.HasPrefix(o.text, m.text+".")
}

// Less orders module instances: parents before children, step by step.
func (m ModuleInstance) Less(o ModuleInstance) bool {
	if m.text == o.text {
		return false
	}
	a, b := m.Steps(), o.Steps()
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i].Name != b[i].Name {
			return a[i].Name < b[i].Name
		}
		if a[i].Key != b[i].Key {
			return a[i].Key.Less(b[i].Key)
		}
	}
	return len(a) < len(b)
}
