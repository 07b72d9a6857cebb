package evaluate

import "github.com/plumb-iac/plumb/addr"

// HasModule says whether a module has the instance, as far as it is expanded.
func (r *Run) HasModule(a addr.ModuleInstance) bool {
	m := r.Module(a.Module())
	return m != nil && r.instance(m, a) >= 0
}

// HasInstance says whether the configuration declares the instance of a
// resource, as far as it is expanded. Keys that are not known have none.
func (r *Run) HasInstance(a addr.AbsInstance) bool {
	s := r.Resource(a.Config())
	if s == nil || r.keys[s.ID] == nil {
		return false
	}
	mi := r.instance(s.Module, a.Module)
	if mi < 0 || mi >= len(r.keys[s.ID]) {
		return false
	}
	keys := r.keys[s.ID][mi]
	return !keys.IsUnknown() && keys.Has(a.Key)
}

// instance is the index of a module's instance, -1 when there is none.
func (r *Run) instance(m *Module, a addr.ModuleInstance) int {
	for i, inst := range r.modules[m.ID] {
		if inst.Addr == a {
			return i
		}
	}
	return -1
}
