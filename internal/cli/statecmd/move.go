package statecmd

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// move decides what "state mv FROM TO" does to a state.
func move(s *state.Snapshot, from, to addr.Target) ([]state.Edit, diag.List) {
	switch {
	case !from.HasResource && !to.HasResource:
		return moveModule(s, from, to)
	case !from.HasResource:
		return nil, invalidTarget(to, "Cannot move "+from.String()+" to "+to.String()+": the target must also be a module.")
	case !to.HasResource:
		return nil, invalidTarget(to, "Cannot move "+from.String()+" to "+to.String()+": the target must also be a resource.")
	case from.HasKey || to.HasKey || s.Instance(instanceOf(from)) != nil:
		return moveInstance(s, from, to)
	}
	return moveResource(s, from, to)
}

func instanceOf(t addr.Target) addr.AbsInstance {
	return addr.AbsInstance{Module: t.Module, Resource: t.Resource, Key: t.Key}
}

func resourceOf(t addr.Target) addr.AbsResource {
	return addr.AbsResource{Module: t.Module, Resource: t.Resource}
}

func invalidTarget(_ addr.Target, detail string) diag.List {
	return diag.List{diag.Err("Invalid target address", detail).By(diag.Operator)}
}

func request(from, to addr.Target, why string) diag.List {
	return diag.List{diag.Err("Invalid state move request", fmt.Sprintf("Cannot move %s to %s: %s.", from, to, why)).By(diag.Operator)}
}

func absent(from addr.Target) diag.List {
	return diag.List{diag.Err("Invalid source address", fmt.Sprintf("Cannot move %s: nothing in the state has this address.", from)).By(diag.Operator)}
}

func occupied(to addr.Target, what string) diag.List {
	return invalidTarget(to, fmt.Sprintf("Cannot move to %s: the state has a %s there already.", to, what))
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

func moveInstance(s *state.Snapshot, from, to addr.Target) ([]state.Edit, diag.List) {
	if diags := sameType(from, to); diags != nil {
		return nil, diags
	}
	if s.Instance(instanceOf(from)) == nil {
		return nil, absent(from)
	}
	if s.Instance(instanceOf(to)) != nil {
		return nil, occupied(to, "resource instance")
	}
	return []state.Edit{state.Rebind{From: instanceOf(from), To: instanceOf(to)}}, nil
}

func moveResource(s *state.Snapshot, from, to addr.Target) ([]state.Edit, diag.List) {
	if diags := sameType(from, to); diags != nil {
		return nil, diags
	}
	r := s.Resource(resourceOf(from))
	if r == nil {
		return nil, absent(from)
	}
	if s.Resource(resourceOf(to)) != nil {
		return nil, occupied(to, "resource")
	}
	return rebindAll(r, resourceOf(to)), nil
}

func rebindAll(r *state.Resource, target addr.AbsResource) []state.Edit {
	var edits []state.Edit
	for i := range r.Instances() {
		edits = append(edits, state.Rebind{From: r.Addr().Instance(i.Key()), To: target.Instance(i.Key())})
	}
	return edits
}

func moveModule(s *state.Snapshot, from, to addr.Target) ([]state.Edit, diag.List) {
	var edits []state.Edit
	for r := range s.Resources() {
		at := r.Addr()
		if to.Module.Contains(at.Module) && !to.Module.IsRoot() {
			return nil, occupied(to, "module")
		}
		if from.Module.Contains(at.Module) {
			edits = append(edits, rebindAll(r, addr.AbsResource{Module: rebase(at.Module, from.Module, to.Module), Resource: at.Resource})...)
		}
	}
	if len(edits) == 0 {
		return nil, absent(from)
	}
	return edits, nil
}

// rebase gives the module instance that m, inside from, becomes inside to.
func rebase(m, from, to addr.ModuleInstance) addr.ModuleInstance {
	for _, step := range m.Steps()[len(from.Steps()):] {
		to = to.Child(step.Name, step.Key)
	}
	return to
}
