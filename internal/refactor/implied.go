package refactor

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// turned are the two keys that are the only instance's, before and after count
// comes or goes. ok is false where nothing is implied.
func turned(counted, keyed bool) (from, to addr.InstanceKey, ok bool) {
	switch {
	case keyed:
		return addr.NoKey, addr.NoKey, false
	case counted:
		return addr.NoKey, addr.IntKey(0), true
	}
	return addr.IntKey(0), addr.NoKey, true
}

// implied moves the only instance of resources that gained or lost count.
func (t *tracker) implied(tree *config.Tree, spoken []statement) {
	for id := range t.instances {
		now := t.instances[id].now
		m := tree.Module(now.Module.Module())
		if m == nil || m.Resources[now.Resource] == nil {
			continue
		}
		r := m.Resources[now.Resource]
		from, to, ok := turned(r.Count != nil, r.ForEach != nil)
		target := now.Abs().Instance(to)
		if !ok || now.Key != from || t.taken(target) || t.spokenOf(now, spoken) {
			continue
		}
		t.move(id, target, diag.Range{})
	}
}

func (t *tracker) taken(a addr.AbsInstance) bool { _, is := t.at[a]; return is }

func (t *tracker) spokenOf(i addr.AbsInstance, spoken []statement) bool {
	steps := t.path(i.Module)
	return slices.ContainsFunc(spoken, func(s statement) bool {
		return s.from.selects(steps, i.Resource) || s.to.selects(steps, i.Resource)
	})
}

// impliedCalls moves everything in the only instance of module calls that
// gained or lost count, callers first.
func (t *tracker) impliedCalls(tree *config.Tree, spoken []statement) {
	for _, m := range tree.Modules() {
		if m.Call == nil || calledIn(spoken, m.Path) {
			continue
		}
		from, to, ok := turned(m.Call.Count != nil, m.Call.ForEach != nil)
		if !ok {
			continue
		}
		depth := len(m.Path.Names())
		taken := map[addr.ModuleInstance]bool{}
		var ids []int
		for id, i := range t.instances {
			steps := t.path(i.now.Module)
			if len(steps) < depth || !m.Path.Contains(i.now.Module.Module()) {
				continue
			}
			if steps[depth-1].Key == to {
				taken[addr.ModuleInstanceOf(steps[:depth]...)] = true
			}
			ids = append(ids, id)
		}
		t.turnCalls(ids, depth, from, to, taken)
	}
}

func (t *tracker) turnCalls(ids []int, depth int, from, to addr.InstanceKey, taken map[addr.ModuleInstance]bool) {
	for _, id := range ids {
		now := t.instances[id].now
		steps := slices.Clone(t.path(now.Module))
		if steps[depth-1].Key != from {
			continue
		}
		steps[depth-1].Key = to
		if taken[addr.ModuleInstanceOf(steps[:depth]...)] {
			continue
		}
		now.Module = addr.ModuleInstanceOf(steps...)
		t.move(id, now, diag.Range{})
	}
}

// calledIn says whether a statement moves the call at path, or anything to it.
func calledIn(spoken []statement, path addr.Module) bool {
	return slices.ContainsFunc(spoken, func(s statement) bool {
		return !s.from.hasResource && (s.from.module() == path || s.to.module() == path)
	})
}

// impliesNothing says whether no implied move can apply to s. It is asked of
// every plan, so it looks at resources and not at their instances.
func impliesNothing(tree *config.Tree, s *state.Snapshot, calls bool) bool {
	found := map[addr.ModuleInstance]*config.Module{}
	for r := range s.Resources() {
		a := r.Addr()
		m, known := found[a.Module]
		if !known {
			m = tree.Module(a.Module.Module())
			found[a.Module] = m
			if calls && callsTurned(tree, a.Module) {
				return false
			}
		}
		if m == nil || m.Resources[a.Resource] == nil {
			continue
		}
		c := m.Resources[a.Resource]
		from, to, ok := turned(c.Count != nil, c.ForEach != nil)
		if ok && r.Instance(from) != nil && r.Instance(to) == nil {
			return false
		}
	}
	return true
}

// callsTurned says whether any call on the way to m gained or lost count.
func callsTurned(tree *config.Tree, m addr.ModuleInstance) bool {
	steps := m.Steps()
	for n := range steps {
		called := tree.Module(addr.ModuleInstanceOf(steps[:n+1]...).Module())
		if called == nil || called.Call == nil {
			return false
		}
		from, _, ok := turned(called.Call.Count != nil, called.Call.ForEach != nil)
		if ok && steps[n].Key == from {
			return true
		}
	}
	return false
}
