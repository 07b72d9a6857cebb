package refactor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// Move is one instance that has another address now.
type Move struct {
	From, To addr.AbsInstance
	// At is the last statement of the chain; zero for an implied move.
	At diag.Range
}

// Report is what following the statements came to.
type Report struct {
	// Moved are sorted by where the instances are now.
	Moved []Move
	// Blocked could not move, since there is an object at To.
	Blocked []Move
}

// Moves gives every object of s the address that the configuration has for it.
// ImpliedCalls is a reading of the dialect: module calls that gained or lost
// count take their only instance along, as resources do.
func Moves(tree *config.Tree, s *state.Snapshot, impliedCalls bool) (*state.Snapshot, *Report, diag.List) {
	all := statements(tree)
	if len(all) == 0 && impliesNothing(tree, s, impliedCalls) {
		return s, &Report{}, nil
	}
	diags := contradictions(all)
	ordered, cycles := sequence(sensible(all))
	diags = diags.With(cycles)
	t := track(s)
	for _, st := range ordered {
		t.follow(st)
	}
	if impliedCalls {
		t.impliedCalls(tree, all)
	}
	t.implied(tree, all)
	next, err := t.snapshot(s)
	if err != nil {
		return s, &Report{}, append(diags, diag.Err("Objects cannot be moved", err.Error()).By(diag.Engine))
	}
	r := t.report()
	return next, r, diags.With(r.warning())
}

// tracker knows where every instance is while statements are followed.
type tracker struct {
	instances []tracked
	at        map[addr.AbsInstance]int
	byConfig  map[addr.ConfigResource][]int
	steps     map[addr.ModuleInstance][]addr.ModuleStep
	edits     []state.Edit
	blocked   []Move
}

type tracked struct {
	from, now addr.AbsInstance
	by        diag.Range
}

func track(s *state.Snapshot) *tracker {
	t := &tracker{at: map[addr.AbsInstance]int{}, byConfig: map[addr.ConfigResource][]int{}, steps: map[addr.ModuleInstance][]addr.ModuleStep{}}
	for r := range s.Resources() {
		config := r.Addr().Config()
		for i := range r.Instances() {
			a := r.Addr().Instance(i.Key())
			n := len(t.instances)
			t.instances = append(t.instances, tracked{from: a, now: a})
			t.at[a] = n
			t.byConfig[config] = append(t.byConfig[config], n)
		}
	}
	return t
}

func (t *tracker) path(m addr.ModuleInstance) []addr.ModuleStep {
	steps, ok := t.steps[m]
	if !ok {
		steps = m.Steps()
		t.steps[m] = steps
	}
	return steps
}

// selected are the instances that can be what a pattern selects, by address.
func (t *tracker) selected(p pattern) []int {
	if a, is := p.only(); is {
		if id, there := t.at[a]; there {
			return []int{id}
		}
		return nil
	}
	module := p.module()
	var out []int
	if p.hasResource {
		out = slices.Clone(t.byConfig[addr.ConfigResource{Module: module, Resource: p.resource}])
	} else {
		for c, ids := range t.byConfig {
			if module.Contains(c.Module) {
				out = append(out, ids...)
			}
		}
	}
	slices.SortFunc(out, func(a, b int) int { return addr.Compare(t.instances[a].now, t.instances[b].now) })
	return out
}

func (t *tracker) follow(s statement) {
	for _, id := range t.selected(s.from) {
		now := t.instances[id].now
		if to, ok := s.from.target(now, t.path(now.Module), s.to); ok {
			t.move(id, to, s.at)
		}
	}
}

func (t *tracker) move(id int, to addr.AbsInstance, at diag.Range) {
	i := &t.instances[id]
	if to == i.now {
		return
	}
	if _, taken := t.at[to]; taken {
		t.blocked = append(t.blocked, Move{From: i.now, To: to, At: at})
		return
	}
	t.edits = append(t.edits, state.Rebind{From: i.now, To: to})
	old, next := i.now.Config(), to.Config()
	delete(t.at, i.now)
	t.at[to] = id
	if old != next {
		ids := t.byConfig[old]
		n := slices.Index(ids, id)
		t.byConfig[old] = slices.Delete(ids, n, n+1)
		t.byConfig[next] = append(t.byConfig[next], id)
	}
	i.now, i.by = to, at
}

func (t *tracker) report() *Report {
	r := &Report{Blocked: t.blocked}
	for _, i := range t.instances {
		if i.from != i.now {
			r.Moved = append(r.Moved, Move{From: i.from, To: i.now, At: i.by})
		}
	}
	slices.SortFunc(r.Moved, func(a, b Move) int { return addr.Compare(a.To, b.To) })
	slices.SortFunc(r.Blocked, func(a, b Move) int { return addr.Compare(a.From, b.From) })
	return r
}

// snapshot is s with the moves made and the dependencies between objects
// renamed along with what they name.
func (t *tracker) snapshot(s *state.Snapshot) (*state.Snapshot, error) {
	if len(t.edits) == 0 {
		return s, nil
	}
	moved, err := s.Apply(t.edits...)
	if err != nil {
		return nil, err
	}
	return moved.Apply(append(rename(moved, t.renamed()), state.Prune{})...)
}

// renamed are the resources all of whose instances went to one other resource.
func (t *tracker) renamed() map[addr.ConfigResource]addr.ConfigResource {
	out := map[addr.ConfigResource]addr.ConfigResource{}
	split := map[addr.ConfigResource]bool{}
	for _, i := range t.instances {
		from, now := i.from.Config(), i.now.Config()
		if old, seen := out[from]; seen && old != now {
			split[from] = true
		}
		out[from] = now
	}
	for from, now := range out {
		if from == now || split[from] {
			delete(out, from)
		}
	}
	return out
}

func rename(s *state.Snapshot, names map[addr.ConfigResource]addr.ConfigResource) []state.Edit {
	var out []state.Edit
	if len(names) == 0 {
		return nil
	}
	for a, o := range s.Objects() {
		if deps, changed := renameAll(o.Dependencies, names); changed {
			c := *o
			c.Dependencies = state.Others(deps, a.Instance.Config())
			out = append(out, state.Put{Object: a, Provider: s.Instance(a.Instance).Provider(), New: &c})
		}
	}
	return out
}

func renameAll(deps []addr.ConfigResource, names map[addr.ConfigResource]addr.ConfigResource) ([]addr.ConfigResource, bool) {
	if !slices.ContainsFunc(deps, func(d addr.ConfigResource) bool { _, is := names[d]; return is }) {
		return deps, false
	}
	out := make([]addr.ConfigResource, len(deps))
	for i, d := range deps {
		out[i] = d
		if now, is := names[d]; is {
			out[i] = now
		}
	}
	slices.SortFunc(out, addr.Compare)
	return slices.Compact(out), true
}

// warning tells of the objects that could not move.
func (r *Report) warning() diag.List {
	if len(r.Blocked) == 0 {
		return nil
	}
	var lines strings.Builder
	for _, b := range r.Blocked {
		fmt.Fprintf(&lines, "\n  - %s could not move to %s", b.From, b.To)
	}
	return diag.List{diag.Warn("Unresolved resource instance address changes",
		"The configuration says that some objects have other addresses now, but at those addresses there are objects already:"+lines.String()+
			"\n\nThe objects that could not move are planned to be destroyed. If that is not what you want, settle first which object belongs to which address, with the state commands, and then plan again.").By(diag.Operator)}
}
