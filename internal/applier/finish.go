package applier

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// aggregate writes the slot of a resource after its make leg: what was applied,
// and for the rest what the plan or the state says.
func (w *walk) aggregate(s *evaluate.Site, n *nodeState) {
	values := make(map[addr.AbsInstance]value.V, len(w.makes[s.ID]))
	for _, c := range w.makes[s.ID] {
		if c.Deposed == "" && c.Action == plan.NoOp {
			values[c.Addr] = c.After
		}
	}
	for i, c := range n.changes {
		values[c.Addr] = n.results[i].value
	}
	out := make([]value.V, len(w.Instances(s.Module)))
	for mi := range out {
		keys := w.Keys(s, mi)
		if w.Plan.Mode == plan.RefreshOnly {
			keys = w.Remaining(s, mi, w.Plan.PrevRun, func(a addr.AbsInstance) bool { return w.Ledger.Current().Instance(a).Current() != nil })
		}
		out[mi] = keys.Aggregate(func(key addr.InstanceKey) cty.Value {
			a := w.InstanceAddr(s, mi, key)
			if v, ok := values[a]; ok && v != cty.NilVal {
				return v
			}
			return w.storedValue(s, a)
		})
	}
	w.Put(s, out)
}

// storedValue is an instance's value as the state has it; unknown when it is
// not there.
func (w *walk) storedValue(s *evaluate.Site, a addr.AbsInstance) value.V {
	o := w.Ledger.Current().Object(addr.Object{Instance: a})
	if o == nil || o.Attrs == nil || s.Resource.Schema == nil {
		return cty.DynamicVal
	}
	v, err := o.Value(s.Resource.Schema)
	if err != nil {
		return cty.DynamicVal
	}
	return value.Join(v, o.Marks(v.Cty(), s.Resource.Schema))
}

// finish stores root outputs and check results.
func (w *walk) finish(ctx context.Context) {
	var edits []state.Edit
	if w.Plan.Mode == plan.Destroy {
		edits = w.dropOutputs()
	} else {
		edits = w.putOutputs()
	}
	edits = append(edits, w.putChecks()...)
	if len(edits) > 0 {
		w.saved(w.Ledger.Commit(edits...))
	}
	if w.Options.Halted != nil && w.Options.Halted() {
		w.Report(halted(ctx.Err() != nil))
	}
}

// halted says that a run was asked to stop, and whether it waited for what was under
// way.
func halted(cut bool) diag.List {
	if cut {
		return diag.Errs("execution halted", "The run was asked to stop at once. What had ended is in the state, and what was under way was given up. Where an error says that its outcome is not known, the next run names what it may have made. The rest of the plan was not done.")
	}
	return diag.Errs("execution halted", "The run was asked to stop. What was under way has ended and is in the state; the rest of the plan was not done.")
}

// putChecks stores the outcome of this run's checks if it is another one.
func (w *walk) putChecks() []state.Edit {
	checks := w.Checks()
	switch w.Plan.Mode {
	case plan.Destroy:
	case plan.RefreshOnly:
		checks = asPlanned(checks, w.Plan.Checks)
	default:
		checks = withPlanned(checks, w.Plan.Checks)
	}
	if reflect.DeepEqual(checks, w.Ledger.Current().Checks()) {
		return nil
	}
	return []state.Edit{state.PutChecks{Checks: checks}}
}

// asPlanned are the outcomes of a run that does nothing to objects, and so evaluates
// no conditions of resources: what the plan found when it read them stands.
func asPlanned(checks, planned []state.CheckResult) []state.CheckResult {
	found := make(map[string]state.CheckResult, len(planned))
	for _, p := range planned {
		found[p.ConfigAddr] = p
	}
	out := slices.Clone(checks)
	for i, c := range out {
		if p, ok := found[c.ConfigAddr]; ok && c.Status == state.CheckUnknown {
			out[i] = p
		}
	}
	return out
}

// withPlanned are the outcomes with those objects that the plan foresaw and this
// run did not come to, because something before them failed: nothing is known of
// them.
func withPlanned(checks, planned []state.CheckResult) []state.CheckResult {
	foreseen := make(map[string][]state.CheckObject, len(planned))
	for _, p := range planned {
		foreseen[p.ConfigAddr] = p.Objects
	}
	out := slices.Clone(checks)
	for i := range out {
		c := &out[i]
		seen := make(map[string]bool, len(c.Objects))
		for _, o := range c.Objects {
			seen[o.Addr] = true
		}
		c.Objects = slices.Clone(c.Objects)
		for _, o := range foreseen[c.ConfigAddr] {
			if !seen[o.Addr] {
				c.Objects = append(c.Objects, state.CheckObject{Addr: o.Addr, Status: state.CheckUnknown})
			}
		}
		slices.SortFunc(c.Objects, func(a, b state.CheckObject) int { return strings.Compare(a.Addr, b.Addr) })
		if len(c.Objects) > len(seen) && c.Status == state.CheckPass {
			c.Status = state.CheckUnknown
		}
	}
	return out
}

// dropOutputs takes the outputs out of the state: where everything was to be
// destroyed they tell of what is no more, even if something was left.
func (w *walk) dropOutputs() []state.Edit {
	if !w.Plan.Complete {
		return nil
	}
	var edits []state.Edit
	for name := range w.Ledger.Current().Outputs() {
		edits = append(edits, state.DropOutput{Name: name})
	}
	if w.Diags().HasErrors() {
		return edits
	}
	for r := range w.Ledger.Current().Resources() {
		if r.Len() == 0 {
			edits = append(edits, state.Prune{})
			break
		}
	}
	return edits
}

// putOutputs stores the root outputs that this run evaluated and that differ
// from the stored ones. Those that failed or that it did not come to, because something
// before them did, are worth what was planned, as far as that was known.
func (w *walk) putOutputs() []state.Edit {
	var edits []state.Edit
	declared, current := w.Root().Outputs(), w.Ledger.Current()
	planned := make(map[string]value.V, len(w.Plan.Outputs))
	for _, o := range w.Plan.Outputs {
		planned[o.Name] = o.After
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		s := declared[name]
		switch {
		case !w.active[s.ID] || s.Output.Config.Ephemeral:
		case w.nodes[s.ID].failed || w.nodes[s.ID].skipped:
			edits = append(edits, w.putOutput(s, planned[name], current)...)
		default:
			edits = append(edits, w.putOutput(s, w.Slot(s, 0), current)...)
		}
	}
	if w.whole() {
		for name := range current.Outputs() {
			if declared[name] == nil {
				edits = append(edits, state.DropOutput{Name: name})
			}
		}
	}
	return edits
}

// putOutput stores one output. Where nothing is to be built again, what came of
// an object that is gone is null; else it waits for the run that builds it.
func (w *walk) putOutput(s *evaluate.Site, worth value.V, current *state.Snapshot) []state.Edit {
	name, v := s.Output.Config.Name, value.Strip(worth).Cty()
	if v == cty.NilVal {
		return nil
	}
	known := v.IsWhollyKnown()
	if !known && w.Plan.Mode != plan.RefreshOnly {
		return nil
	}
	old, had := current.Output(name)
	next := state.Output{Value: cty.UnknownAsNull(v), Sensitive: s.Output.Config.Sensitive, Deprecated: s.Output.Config.Deprecated}
	switch {
	case known && v.IsNull() && had:
		return []state.Edit{state.DropOutput{Name: name}}
	case known && v.IsNull() || had && sameOutput(old, next):
		return nil
	}
	return []state.Edit{state.PutOutput{Name: name, Output: next}}
}

func sameOutput(a, b state.Output) bool {
	return a.Sensitive == b.Sensitive && a.Deprecated == b.Deprecated && a.Value.RawEquals(b.Value)
}

// destroyProvisioners are the provisioners of an object that ends, with the
// scope that they see.
func (o *op) destroyProvisioners() ([]evaluate.ProvisionerDecl, *lang.Scope) {
	vars := map[string]cty.Value{}
	if n, ok := o.change.Addr.Key.Int(); ok {
		vars["count"] = cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(n))})
	}
	if k, ok := o.change.Addr.Key.Str(); ok {
		vars["each"] = cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal(k)})
	}
	if o.Site != nil {
		return o.Site.Resource.Provisioners, o.Bare(o.Site.Module).Child(vars)
	}
	if o.Removed != nil {
		if d := o.Removed(o.change.Addr); d != nil {
			return d.Provisioners, o.Bare(o.Root()).Child(vars)
		}
	}
	return nil, o.Bare(o.Root()).Child(vars)
}
