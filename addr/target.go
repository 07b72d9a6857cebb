package addr

// Target is what -target, -replace, state commands and refactoring statements
// select: a module, module instance, resource or resource instance.
type Target struct {
	Module      ModuleInstance
	HasResource bool
	Resource    Resource
	// Key selects one instance; HasKey is false when all instances are meant.
	Key    InstanceKey
	HasKey bool
	text   string
	// pattern is set, and of the above only HasResource, for a target with
	// wildcards.
	pattern *pattern
}

// String is the address as it was written.
func (t Target) String() string { return t.text }

// IsPattern says whether the target has wildcards (see ParsePattern).
func (t Target) IsPattern() bool { return t.pattern != nil }

// Contains says whether the target selects instance i. A module step or
// resource without a key selects all its instances.
func (t Target) Contains(i AbsInstance) bool {
	if t.pattern != nil {
		return t.pattern.contains(i)
	}
	if !t.containsModule(i.Module, t.HasResource) {
		return false
	}
	if !t.HasResource {
		return true
	}
	return t.Resource == i.Resource && (!t.HasKey || t.Key == i.Key)
}

// ContainsConfig says whether the target can select any instance of r.
func (t Target) ContainsConfig(r ConfigResource) bool {
	if t.pattern != nil {
		return t.pattern.containsConfig(r)
	}
	tm := t.Module.Module()
	if !t.HasResource {
		return tm.Contains(r.Module)
	}
	return tm == r.Module && t.Resource == r.Resource
}

// ContainsAll says whether the target selects every instance of r, whatever
// keys there are.
func (t Target) ContainsAll(r ConfigResource) bool {
	if t.pattern != nil {
		return t.pattern.containsConfig(r) && !t.pattern.keyed()
	}
	for _, s := range t.Module.Steps() {
		if !s.Key.IsNone() {
			return false
		}
	}
	return !t.HasKey && t.ContainsConfig(r)
}

func (t Target) containsModule(m ModuleInstance, exact bool) bool {
	want, have := t.Module.Steps(), m.Steps()
	if len(have) < len(want) || exact && len(have) != len(want) {
		return false
	}
	for i, w := range want {
		if w.Name != have[i].Name || !w.Key.IsNone() && w.Key != have[i].Key {
			return false
		}
	}
	return true
}
