package evaluate

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/expand"
)

// Where a run allows that (Setup.Standing), a count, for_each or enabled that is
// not known makes one instance that stands for all. What that stands for is
// uncertain.

// standing are the keys of a repetition that is not known, where the run has
// something stand for its instances.
func (r *Run) standing(s *Site, keys expand.Keys) (expand.Keys, bool) {
	if !r.Standing || !keys.IsUnknown() {
		return keys, false
	}
	switch s.Kind {
	case Call, Resource, Import:
		return keys.Standing(), true
	case Action:
		return keys.Standing(), r.StandingActions
	}
	return keys, false
}

// Uncertain says whether it is not known which objects a resource has in a
// module instance.
func (r *Run) Uncertain(s *Site, mi int) bool {
	return r.modules[s.Module.ID][mi].Uncertain || r.keys[s.ID] != nil && r.Keys(s, mi).IsUnknown()
}

// Covering finds the instance of a module that an address belongs to: itself,
// or the one that stands for it. ok is false when there is neither.
func (r *Run) Covering(m *Module, a addr.ModuleInstance) (mi int, ok bool) {
	if mi, ok = r.index[m.ID][a]; ok || !r.Standing || m.Call == nil {
		return mi, ok
	}
	caller, last, ok := a.Parent()
	if !ok || r.keys[m.Call.ID] == nil {
		return 0, false
	}
	parent, ok := r.Covering(m.Parent, caller)
	if !ok {
		return 0, false
	}
	keys := r.keys[m.Call.ID][parent]
	at := keys.IndexOf(last.Key)
	if keys.IsUnknown() {
		at = 0
	}
	return r.starts[m.Call.ID][parent] + at, at >= 0
}

// Awaiting are the sites that cannot be worked on before something that they
// read, directly or not, is there: what late says of a site holds for all that
// reads it.
func (p *Program) Awaiting(late func(*Site) bool) []bool {
	readers := p.Readers()
	out := make([]bool, len(p.sites))
	var stack []int
	for _, s := range p.sites {
		if late(s) {
			out[s.ID], stack = true, append(stack, s.ID)
		}
	}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, reader := range readers[id] {
			if !out[reader] {
				out[reader], stack = true, append(stack, reader)
			}
		}
	}
	return out
}

// importLater notes an import block whose for_each is not known: any object of
// its resource may be one that it names. The same goes for one in a module whose
// instances are not known.
func (r *Run) importLater(s *Site) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.imported.later == nil {
		r.imported.later = map[addr.ConfigResource]bool{}
	}
	r.imported.later[within(s.Module.Config.Path, s.Import.Config.Resource)] = true
}

// ImportsLater says whether objects of a resource are to be imported that
// nobody can name yet.
func (r *Run) ImportsLater(of addr.ConfigResource) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.imported.later[of]
}
