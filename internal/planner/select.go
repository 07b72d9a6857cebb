package planner

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// selectNodes decides which nodes take part. Without targeting all do, but for
// the sites that a destroy plan has no use for: all of them, when there is nothing
// to destroy.
func (w *walk) selectNodes() []bool {
	active := make([]bool, len(w.nodes))
	if w.Mode == plan.Destroy && w.PrevRun.Empty() {
		return active
	}
	if len(w.Targets) == 0 {
		for id := range active {
			active[id] = true
		}
	} else {
		w.selectTargets(active)
		w.selectInvoked(active)
	}
	if w.Mode == plan.Destroy {
		w.spareExcluded()
		w.dropUnused(active)
		return active
	}
	if len(w.Excludes) > 0 {
		w.dropExcluded(active)
	}
	return active
}

// spared says whether a destroy plan leaves the resource alone. It may still be
// there for the values that providers need.
func (w *walk) spared(r addr.ConfigResource) bool {
	return w.Mode == plan.Destroy && (w.kept[r] || w.doomed != nil && !w.doomed[r])
}

// spareExcluded keeps what is excluded from a destroy plan, and what that needs
// as the state remembers it.
func (w *walk) spareExcluded() {
	w.kept = map[addr.ConfigResource]bool{}
	for r, resources := range w.byConfig {
		whole := w.excluded(r)
		w.kept[r] = w.kept[r] || whole
		for _, res := range resources {
			for inst := range res.Instances() {
				if whole || !w.selected(res.Addr().Instance(inst.Key()), false) {
					w.keepNeeded(inst)
				}
			}
		}
	}
}

func (w *walk) keepNeeded(inst *state.Instance) {
	for _, o := range inst.Objects() {
		for _, d := range o.Dependencies {
			w.kept[d] = true
		}
	}
}

// selectTargets takes the targeted resources and all that they need; when
// destroying also all that needs them. Outputs follow when everything they
// need is there.
func (w *walk) selectTargets(active []bool) {
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && w.targeted(s.Resource.Addr) {
			w.take(active, s.ID)
		}
	}
	for i, l := range w.leftovers {
		if w.targeted(l.addr) {
			w.take(active, len(w.Sites())+i)
		}
	}
	if w.Mode == plan.Destroy {
		w.takeDependants(active)
	} else {
		w.noteNeeded()
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Output && s.Module.Parent == nil && w.coversResources(active, s) {
			w.take(active, s.ID)
		}
	}
}

func (w *walk) targeted(r addr.ConfigResource) bool {
	return slices.ContainsFunc(w.Targets, func(t addr.Target) bool { return t.ContainsConfig(r) })
}

// neededOnly says that a resource takes part because what is targeted needs it.
// What was put aside of it is needed by nothing.
func (w *walk) neededOnly(r addr.ConfigResource) bool {
	return len(w.Targets) > 0 && w.Mode != plan.Destroy && !w.targeted(r)
}

// filtered says whether the targets choose among the instances of a resource, or
// what depends on them among those that a destroy plan takes. All of them take part
// where something else that is targeted needs the resource: it may read any.
func (w *walk) filtered(r addr.ConfigResource) bool {
	return w.targeted(r) && !w.needed[r] || w.doomed[r]
}

// noteNeeded notes the targeted resources that others of them need.
func (w *walk) noteNeeded() {
	w.needed = map[addr.ConfigResource]bool{}
	reached := make([]bool, len(w.nodes))
	for _, s := range w.Sites() {
		if s.Kind != evaluate.Resource || !w.targeted(s.Resource.Addr) {
			continue
		}
		for _, id := range w.needs(s.ID) {
			w.take(reached, id)
		}
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && reached[s.ID] {
			w.needed[s.Resource.Addr] = true
		}
	}
}

// take activates a node and everything it needs.
func (w *walk) take(active []bool, id int) {
	stack := []int{id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if active[id] {
			continue
		}
		active[id] = true
		stack = append(stack, w.needs(id)...)
	}
}

// takeDependants activates every resource with an object whose recorded
// dependencies lead to a targeted one, and notes which of its instances those are.
func (w *walk) takeDependants(active []bool) {
	w.doomed, w.dependants = map[addr.ConfigResource]bool{}, map[addr.AbsInstance]bool{}
	ends := endings{}
	for r, resources := range w.byConfig {
		if !w.targeted(r) {
			continue
		}
		w.doomed[r] = true
		for _, res := range resources {
			for inst := range res.Instances() {
				if a := res.Addr().Instance(inst.Key()); w.named(a) {
					ends.add(a)
				}
			}
		}
	}
	depend := func(r addr.ConfigResource, id int) {
		if w.noteDependants(r, ends) {
			w.doomed[r] = true
			w.take(active, id)
		}
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource {
			depend(s.Resource.Addr, s.ID)
		}
	}
	for i, l := range w.leftovers {
		depend(l.addr, len(w.Sites())+i)
	}
}

// noteDependants notes the instances of a resource that depend on what ends, and
// says whether there are any.
func (w *walk) noteDependants(r addr.ConfigResource, ends endings) bool {
	some := false
	for _, res := range w.byConfig[r] {
		around := lineage(res.Addr().Module)
		for inst := range res.Instances() {
			for _, o := range inst.Objects() {
				if slices.ContainsFunc(o.Dependencies, func(d addr.ConfigResource) bool { return ends.reach(d, r.Module, around) }) {
					w.dependants[res.Addr().Instance(inst.Key())] = true
					some = true
				}
			}
		}
	}
	return some
}

// endings are the resources of which objects are targeted, within each of the
// module instances around those objects.
type endings map[endingIn]bool

type endingIn struct {
	resource addr.ConfigResource
	within   addr.ModuleInstance
}

func (e endings) add(a addr.AbsInstance) {
	r := a.Config()
	for _, m := range lineage(a.Module) {
		e[endingIn{r, m}] = true
	}
}

// reach says whether a recorded dependency of an object in one instance of module m
// can mean what ends. Around that instance are the given ones. The two modules may
// be in others together; within those it means the same instance: what is in
// module.a["x"] depends on nothing in module.a["y"].
func (e endings) reach(dependency addr.ConfigResource, m addr.Module, around []addr.ModuleInstance) bool {
	shared, other := m.Names(), dependency.Module.Names()
	n := 0
	for n < len(shared) && n < len(other) && shared[n] == other[n] {
		n++
	}
	return e[endingIn{dependency, around[n]}]
}

// lineage are the module instances around an instance, from the root to itself.
func lineage(m addr.ModuleInstance) []addr.ModuleInstance {
	out := []addr.ModuleInstance{addr.RootInstance}
	for i, step := range m.Steps() {
		out = append(out, out[i].Child(step.Name, step.Key))
	}
	return out
}

// coversResources says whether a site needs resources and all are active.
func (w *walk) coversResources(active []bool, s *evaluate.Site) bool {
	seen := map[int]bool{}
	stack := append([]int(nil), s.Reads...)
	any := false
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		at := w.Sites()[id]
		if at.Kind == evaluate.Resource {
			any = true
			if !active[id] {
				return false
			}
		}
		stack = append(stack, at.Reads...)
	}
	return any
}

// dropExcluded leaves out what is excluded as a whole and everything that
// needs it, and the check blocks, which are about the whole. Single excluded instances
// are left out by selected.
func (w *walk) dropExcluded(active []bool) {
	var out []int
	drop := func(id int) {
		if active[id] && w.Sites()[id].Kind != evaluate.Done {
			active[id] = false
			out = append(out, id)
		}
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && w.excluded(s.Resource.Addr) {
			drop(s.ID)
		}
	}
	for i, l := range w.leftovers {
		if w.excluded(l.addr) {
			active[len(w.Sites())+i] = false // nothing reads it
		}
	}
	for _, id := range w.readersOfParts() {
		drop(id)
	}
	readers := w.Readers()
	for len(out) > 0 {
		id := out[len(out)-1]
		out = out[:len(out)-1]
		for _, reader := range readers[id] {
			drop(reader)
		}
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Check || s.Kind == evaluate.Output && s.Module.Parent == nil && !w.coversResources(active, s) {
			drop(s.ID)
		}
	}
}

// readersOfParts are the resources that need one of which single instances are
// excluded: any of its objects may be the one.
func (w *walk) readersOfParts() []int {
	var out []int
	partly := func(s *evaluate.Site) bool {
		return slices.ContainsFunc(w.Excludes, func(t addr.Target) bool { return t.ContainsConfig(s.Resource.Addr) })
	}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && slices.ContainsFunc(w.Direct(s), partly) {
			out = append(out, s.ID)
		}
	}
	return out
}

func (w *walk) excluded(r addr.ConfigResource) bool {
	return slices.ContainsFunc(w.Excludes, func(t addr.Target) bool { return t.ContainsAll(r) })
}

// dropUnused leaves a destroy plan with the resources, and of all else what
// providers need.
func (w *walk) dropUnused(active []bool) {
	needed := make([]bool, len(active))
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Provider && active[s.ID] {
			w.take(needed, s.ID)
		}
		if s.Kind == evaluate.Resource && active[s.ID] {
			if s.Resource.Addr.Resource.Mode == addr.Ephemeral {
				w.take(needed, s.ID) // it is opened, so it is evaluated
			}
			needed[s.ID] = true
			w.takeEnding(needed, s)
			if s.Resource.PreventDestroy != nil && !s.Resource.PreventDestroy.Literal() {
				w.takeValues(needed, s)
			}
			for at := s.Module; at.Call != nil; at = at.Parent {
				w.take(needed, at.Call.ID)
			}
		}
	}
	for id := range active {
		if w.site(id) != nil {
			active[id] = active[id] && needed[id]
		}
	}
}

// takeValues activates the variables and locals that a site reads.
func (w *walk) takeValues(active []bool, s *evaluate.Site) {
	for _, id := range s.Reads {
		if k := w.Sites()[id].Kind; k == evaluate.Variable || k == evaluate.Local {
			w.take(active, id)
		}
	}
}

// selected says whether one instance takes part.
func (w *walk) selected(a addr.AbsInstance, targetedSite bool) bool {
	contains := func(t addr.Target) bool { return t.Contains(a) }
	if slices.ContainsFunc(w.Excludes, contains) {
		return false
	}
	return len(w.Targets) == 0 || !targetedSite || w.named(a) || w.dependants[a] || w.mayBeSelected(a)
}

// named says whether a target names the instance.
func (w *walk) named(a addr.AbsInstance) bool {
	return slices.ContainsFunc(w.Targets, func(t addr.Target) bool { return t.Contains(a) })
}

// mayBeSelected says whether a target names what a stands for.
func (w *walk) mayBeSelected(a addr.AbsInstance) bool {
	return w.Deferral && a.HasAny() && w.targeted(a.Config())
}

// matchless warns of patterns that no resource answers to.
func (w *walk) matchless() diag.List {
	var out diag.List
	for _, t := range slices.Concat(w.Targets, w.Excludes) {
		if t.IsPattern() && !w.answers(t) {
			out = out.Append(diag.Warn("Pattern selects nothing",
				fmt.Sprintf("No resource of the configuration or the state has an address like %s. \"plumb state list\" shows the addresses of what exists; quote the pattern so that the shell leaves it alone.", t)).By(diag.Operator))
		}
	}
	return out
}

// answers says whether a target can select anything at all.
func (w *walk) answers(t addr.Target) bool {
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && t.ContainsConfig(s.Resource.Addr) {
			return true
		}
	}
	return slices.ContainsFunc(w.leftovers, func(l *leftover) bool { return t.ContainsConfig(l.addr) })
}
