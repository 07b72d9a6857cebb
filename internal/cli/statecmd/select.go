package statecmd

import (
	"cmp"
	"iter"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// selected are the instances of the state that addresses select, address by
// address, and of each first those of the modules that are nearer to the root; all
// of them for no address.
func selected(s *state.Snapshot, texts []string) ([]addr.AbsInstance, diag.List) {
	targets, diags := parse(texts, addr.ParsePattern)
	if diags.HasErrors() {
		return nil, diags
	}
	if len(targets) == 0 {
		return slices.SortedStableFunc(instances(s), nearerRoot), nil
	}
	found := make([][]addr.AbsInstance, len(targets))
	selector := addr.NewSelector(targets)
	for at := range instances(s) {
		for _, n := range selector.Selecting(at) {
			found[n] = append(found[n], at)
		}
	}
	for i, t := range targets {
		if found[i] == nil {
			diags = diags.Append(unknown(s, t)...)
		}
		slices.SortStableFunc(found[i], nearerRoot)
	}
	return slices.Concat(found...), diags
}

// instances are those of the state, in its order.
func instances(s *state.Snapshot) iter.Seq[addr.AbsInstance] {
	return func(yield func(addr.AbsInstance) bool) {
		for r := range s.Resources() {
			for i := range r.Instances() {
				if !yield(r.Addr().Instance(i.Key())) {
					return
				}
			}
		}
	}
}

// nearerRoot compares the depths of the modules of two instances.
func nearerRoot(a, b addr.AbsInstance) int {
	return cmp.Compare(len(a.Module.Steps()), len(b.Module.Steps()))
}

func parse(texts []string, read func(string) (addr.Target, error)) ([]addr.Target, diag.List) {
	var targets []addr.Target
	var diags diag.List
	for _, text := range texts {
		t, err := read(text)
		if err != nil {
			diags = diags.Append(addr.Unparsable(err))
			continue
		}
		targets = append(targets, t)
	}
	return targets, diags
}

// unknown says that the state has nothing at an address.
func unknown(s *state.Snapshot, t addr.Target) diag.List {
	switch {
	case t.IsPattern():
		return diag.List{diag.Err("Pattern selects nothing", "The state has no resource instance with an address like "+t.String()+". \"plumb state list\" shows them all.").By(diag.Operator)}
	case !t.HasResource:
		return diag.List{diag.Err("Unknown module", "The state contains no module at "+t.String()+". A module gets there when its resources are created: run \"plumb apply\" first.").By(diag.Operator)}
	case s.Resource(resourceOf(t)) == nil:
		return diag.List{diag.Err("Unknown resource", "The state contains no resource "+t.String()+". A resource gets there when it is created: run \"plumb apply\" first.").By(diag.Operator)}
	}
	return diag.List{diag.Err("Unknown resource instance", "The state contains the resource, but no instance "+t.String()+". After a change of count or for_each, instances get there when they are created: run \"plumb apply\" first.").By(diag.Operator)}
}
