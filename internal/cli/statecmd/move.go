package statecmd

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// move decides what "state mv FROM TO" takes from the state s and where in the
// state into that goes, which may be the same.
func move(s, into *state.Snapshot, from, to addr.Target) ([]state.Rebind, diag.List) {
	switch {
	case !from.HasResource && !to.HasResource:
		return moveModule(s, into, from, to)
	case !from.HasResource:
		return nil, invalidTarget("Cannot move " + from.String() + " to " + to.String() + ": the target must also be a module.")
	case !to.HasResource:
		return nil, invalidTarget("Cannot move " + from.String() + " to " + to.String() + ": the target must also be a resource.")
	case from.HasKey || to.HasKey || s.Instance(instanceOf(from)) != nil:
		return moveInstance(s, into, from, to)
	}
	return moveResource(s, into, from, to)
}

func instanceOf(t addr.Target) addr.AbsInstance {
	return addr.AbsInstance{Module: t.Module, Resource: t.Resource, Key: t.Key}
}

func resourceOf(t addr.Target) addr.AbsResource {
	return addr.AbsResource{Module: t.Module, Resource: t.Resource}
}

func invalidTarget(detail string) diag.List {
	return diag.List{diag.Err("Invalid target address", detail).By(diag.Operator)}
}

func request(from, to addr.Target, why string) diag.List {
	return diag.List{diag.Err("Invalid state move request", fmt.Sprintf("Cannot move %s to %s: %s.", from, to, why)).By(diag.Operator)}
}

func absent(from addr.Target) diag.List {
	return diag.List{diag.Err("Invalid source address", fmt.Sprintf("Cannot move %s: nothing in the state has this address.", from)).By(diag.Operator)}
}

func occupied(to addr.Target, what string) diag.List {
	return invalidTarget(fmt.Sprintf("Cannot move to %s: the state has a %s there already.", to, what))
}

func sameType(from, to addr.Target) diag.List {
	if from.Resource.Mode != to.Resource.Mode {
		return request(from, to, "resource modes don't match")
	}
	if from.Resource.Type != to.Resource.Type {
		return request(from, to, "resource types don't match")
	}
	return nil
}

func moveInstance(s, into *state.Snapshot, from, to addr.Target) ([]state.Rebind, diag.List) {
	if diags := sameType(from, to); diags != nil {
		return nil, diags
	}
	if s.Instance(instanceOf(from)) == nil {
		return nil, absent(from)
	}
	if into.Instance(instanceOf(to)) != nil {
		return nil, occupied(to, "resource instance")
	}
	return []state.Rebind{{From: instanceOf(from), To: instanceOf(to)}}, nil
}

func moveResource(s, into *state.Snapshot, from, to addr.Target) ([]state.Rebind, diag.List) {
	if diags := sameType(from, to); diags != nil {
		return nil, diags
	}
	r := s.Resource(resourceOf(from))
	if r == nil {
		return nil, absent(from)
	}
	if into.Resource(resourceOf(to)) != nil {
		return nil, occupied(to, "resource")
	}
	return rebindAll(r, resourceOf(to)), nil
}

func rebindAll(r *state.Resource, target addr.AbsResource) []state.Rebind {
	var edits []state.Rebind
	for i := range r.Instances() {
		edits = append(edits, state.Rebind{From: r.Addr().Instance(i.Key()), To: target.Instance(i.Key())})
	}
	return edits
}

func moveModule(s, into *state.Snapshot, from, to addr.Target) ([]state.Rebind, diag.List) {
	for r := range into.Resources() {
		if to.Module.Contains(r.Addr().Module) && !to.Module.IsRoot() {
			return nil, occupied(to, "module")
		}
	}
	var edits []state.Rebind
	for r := range s.Resources() {
		at := r.Addr()
		if from.Module.Contains(at.Module) {
			edits = append(edits, rebindAll(r, addr.AbsResource{Module: rebase(at.Module, from.Module, to.Module), Resource: at.Resource})...)
		}
	}
	if len(edits) == 0 {
		return nil, absent(from)
	}
	return edits, nil
}

// within are the edits of moves inside one state. Who depended on what is moved
// depends on it at its new address.
func within(s *state.Snapshot, moves []state.Rebind) []state.Edit {
	var edits []state.Edit
	news, moved := map[addr.ConfigResource][]addr.ConfigResource{}, map[addr.AbsInstance]addr.AbsInstance{}
	for _, m := range moves {
		edits = append(edits, m)
		moved[m.From] = m.To
		was, is := m.From.Config(), m.To.Config()
		if was != is && !slices.Contains(news[was], is) {
			news[was] = append(news[was], is)
		}
	}
	left := remaining(s, moved, news)
	for o, object := range s.Objects() {
		dependencies, changed := renamed(object.Dependencies, news, left)
		if !changed {
			continue
		}
		if to, is := moved[o.Instance]; is {
			o.Instance = to
		}
		next := *object
		next.Dependencies = state.Others(dependencies, o.Instance.Config())
		edits = append(edits, state.Put{Object: o, New: &next})
	}
	return edits
}

// remaining are the resources from which something is moved and something stays.
func remaining(s *state.Snapshot, moved map[addr.AbsInstance]addr.AbsInstance, news map[addr.ConfigResource][]addr.ConfigResource) map[addr.ConfigResource]bool {
	left := map[addr.ConfigResource]bool{}
	for r := range s.Resources() {
		for i := range r.Instances() {
			at := r.Addr().Instance(i.Key())
			if _, goes := moved[at]; !goes && news[at.Config()] != nil {
				left[at.Config()] = true
			}
		}
	}
	return left
}

// renamed are dependencies with the addresses that they have after a move.
func renamed(old []addr.ConfigResource, news map[addr.ConfigResource][]addr.ConfigResource, left map[addr.ConfigResource]bool) (out []addr.ConfigResource, changed bool) {
	for _, d := range old {
		if news[d] == nil || left[d] {
			out = append(out, d)
		}
		out = append(out, news[d]...)
		changed = changed || news[d] != nil
	}
	slices.SortFunc(out, addr.Compare)
	return slices.Compact(out), changed
}

// across are the edits of moves from one state to another: what the one loses
// and what the other gets.
func across(s *state.Snapshot, moves []state.Rebind) (lost, got []state.Edit) {
	for _, m := range moves {
		i := s.Instance(m.From)
		for key, object := range i.Objects() {
			next := *object
			next.Dependencies = state.Others(object.Dependencies, m.To.Config())
			lost = append(lost, state.Drop{Object: addr.Object{Instance: m.From, Deposed: key}})
			got = append(got, state.Put{Object: addr.Object{Instance: m.To, Deposed: key}, Provider: i.Provider(), New: &next})
		}
	}
	return lost, got
}

// rebase gives the module instance that m, inside from, becomes inside to.
func rebase(m, from, to addr.ModuleInstance) addr.ModuleInstance {
	for _, step := range m.Steps()[len(from.Steps()):] {
		to = to.Child(step.Name, step.Key)
	}
	return to
}
