package refactor

import (
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
)

// step is a module call in a pattern. Any stands for every instance of it.
type step struct {
	addr.ModuleStep
	any bool
}

// pattern is one end of a statement: the objects that it selects, as the module
// that declares it sees them. The steps of that module itself lead, and stand
// for all its instances.
type pattern struct {
	steps []step
	// home is how many of the steps are the declaring module's.
	home        int
	hasResource bool
	resource    addr.Resource
	key         addr.InstanceKey
	any         bool
}

// patterns reads the two ends of a statement together: they are about whole
// resources or calls, unless either names an instance.
func patterns(home addr.Module, from, to config.MoveEndpoint) (pattern, pattern) {
	whole := !instanced(from) && !instanced(to)
	return patternOf(home, from, whole), patternOf(home, to, whole)
}

func instanced(e config.MoveEndpoint) bool {
	if e.HasResource {
		return e.HasKey
	}
	steps := e.Module.Steps()
	return len(steps) > 0 && !steps[len(steps)-1].Key.IsNone()
}

func patternOf(home addr.Module, e config.MoveEndpoint, whole bool) pattern {
	p := pattern{hasResource: e.HasResource, resource: e.Resource, key: e.Key}
	for _, name := range home.Names() {
		p.steps = append(p.steps, step{ModuleStep: addr.ModuleStep{Name: name}, any: true})
	}
	p.home = len(p.steps)
	for _, s := range e.Module.Steps() {
		p.steps = append(p.steps, step{ModuleStep: s})
	}
	switch {
	case e.HasResource:
		p.any = whole
	case len(p.steps) > p.home:
		p.steps[len(p.steps)-1].any = whole
	}
	return p
}

// breadth is 0 for a pattern about a single instance and 1 for one about all.
func (p pattern) breadth() int {
	any := p.any
	if !p.hasResource {
		any = len(p.steps) > p.home && p.steps[len(p.steps)-1].any
	}
	if any {
		return 1
	}
	return 0
}

// String is the address with * for keys that may be any.
func (p pattern) String() string {
	var parts []string
	for _, s := range p.steps {
		key := s.Key.String()
		if s.any {
			key = "[*]"
		}
		parts = append(parts, "module."+s.Name+key)
	}
	if p.hasResource {
		key := p.key.String()
		if p.any {
			key = "[*]"
		}
		parts = append(parts, p.resource.String()+key)
	}
	return strings.Join(parts, ".")
}

// Address is the address as people write it.
func (p pattern) Address() string { return strings.ReplaceAll(p.String(), "[*]", "") }

// module is the static path of the steps.
func (p pattern) module() addr.Module {
	names := make([]string, len(p.steps))
	for i, s := range p.steps {
		names[i] = s.Name
	}
	return addr.ModuleOf(names...)
}

// only is the one instance that p can select; there is none where any key will do.
func (p pattern) only() (addr.AbsInstance, bool) {
	if !p.hasResource || p.any || slices.ContainsFunc(p.steps, func(s step) bool { return s.any }) {
		return addr.AbsInstance{}, false
	}
	return addr.AbsInstance{Module: p.instance(), Resource: p.resource, Key: p.key}, true
}

// meets says whether there are objects that both patterns select.
func (p pattern) meets(o pattern) bool {
	if p.hasResource != o.hasResource || len(p.steps) != len(o.steps) || !p.prefixMeets(o, len(o.steps)) {
		return false
	}
	return !p.hasResource || p.resource == o.resource && (p.any || o.any || p.key == o.key)
}

// within says whether p is about something inside the module that o selects.
func (p pattern) within(o pattern) bool {
	if o.hasResource || len(p.steps) < len(o.steps) || !p.hasResource && len(p.steps) == len(o.steps) {
		return false
	}
	return p.prefixMeets(o, len(o.steps))
}

func (p pattern) prefixMeets(o pattern, n int) bool {
	for i := range n {
		a, b := p.steps[i], o.steps[i]
		if a.Name != b.Name || !a.any && !b.any && a.Key != b.Key {
			return false
		}
	}
	return true
}

// selects says whether p is about the resource itself rather than a module.
func (p pattern) selects(steps []addr.ModuleStep, r addr.Resource) bool {
	return p.hasResource && p.resource == r && len(p.steps) == len(steps) && p.follows(steps)
}

// follows says whether steps begin as p says.
func (p pattern) follows(steps []addr.ModuleStep) bool {
	if len(steps) < len(p.steps) {
		return false
	}
	for i, s := range p.steps {
		if s.Name != steps[i].Name || !s.any && s.Key != steps[i].Key {
			return false
		}
	}
	return true
}

// target is where an instance that p selects goes according to to.
func (p pattern) target(i addr.AbsInstance, steps []addr.ModuleStep, to pattern) (addr.AbsInstance, bool) {
	if !p.follows(steps) {
		return i, false
	}
	rest := steps[len(p.steps):]
	if p.hasResource {
		if len(rest) > 0 || p.resource != i.Resource || !p.any && p.key != i.Key {
			return i, false
		}
		i.Resource = to.resource
		if !to.any {
			i.Key = to.key
		}
	}
	out := append([]addr.ModuleStep(nil), steps[:p.home]...)
	for n, s := range to.steps[to.home:] {
		if s.any && n == len(to.steps)-to.home-1 {
			s.Key = steps[len(p.steps)-1].Key
		}
		out = append(out, s.ModuleStep)
	}
	i.Module = addr.ModuleInstanceOf(append(out, rest...)...)
	return i, true
}
