package planner

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// document collects what the nodes found.
func (w *walk) document(ctx context.Context) (*plan.Document, diag.List) {
	d := &plan.Document{
		Mode: w.Mode, PrevRun: w.PrevRun, Targets: w.Targets, Excludes: w.Excludes, Replace: w.Options.Replace,
		SkipRefresh: w.SkipRefresh, Timestamp: w.Now(), Complete: len(w.Targets)+len(w.Excludes) == 0,
	}
	w.hold()
	w.collectDeferred(d)
	edits := w.collect(d)
	prior, err := w.PrevRun.Apply(edits...)
	if err != nil {
		w.Report(diag.List{diag.Err("Refreshed state does not fit", "The refreshed objects cannot be put into the state: "+err.Error()+".").By(diag.Engine)})
		prior = w.PrevRun
	}
	d.Prior = prior
	w.spreadUp(d)
	w.outputs(d)
	d.Checks = w.Checks()
	d.Relevant = w.relevant(d)
	if w.Halted() || ctx.Err() != nil {
		w.Report(diag.Errs("execution halted", "The run was asked to stop before the plan was complete."))
	}
	w.Report(w.unmatched())
	diags := w.Diags()
	d.Errored = diags.HasErrors()
	d.Applyable = !d.Errored && w.applyable(d)
	d.Complete = d.Complete && !d.Errored && len(d.Deferred) == 0
	return d, diags
}

// unmatched warns of -replace addresses that name no instance.
func (w *walk) unmatched() diag.List {
	if len(w.Options.Targets)+len(w.Options.Excludes) > 0 || w.Diags().HasErrors() {
		return nil // not everything was looked at
	}
	var out diag.List
	for _, a := range w.Options.Replace {
		siblings, found := w.siblings(a)
		switch {
		case found || w.PrevRun.Object(addr.Object{Instance: a}) != nil:
		case len(siblings) > 0:
			out = append(out, diag.Warn("Incompletely-matched force-replace resource instance",
				fmt.Sprintf("The request to replace %s matches no instance, because %s. Name the instances that are meant:%s", a, keyless(a), strings.Join(siblings, ""))))
		default:
			out = append(out, diag.Warn("No matching force-replace resource instance",
				fmt.Sprintf("The request to replace %s has no effect: neither the configuration nor the state has a resource instance with this address.", a)).By(diag.Operator))
		}
	}
	return out
}

// siblings are options for the wanted instances of an instance's resource; found
// says that it is one of them.
func (w *walk) siblings(a addr.AbsInstance) (options []string, found bool) {
	s := w.Resource(a.Config())
	if s == nil {
		return nil, false
	}
	for _, o := range w.nodes[s.ID].objects {
		if !o.wanted || o.addr.Abs() != a.Abs() {
			continue
		}
		found = found || o.addr == a
		options = append(options, fmt.Sprintf("\n  -replace=%q", o.addr.String()))
	}
	return options, found
}

func keyless(a addr.AbsInstance) string {
	if a.Key.IsNone() {
		return "it lacks an instance key"
	}
	return "no instance has this key"
}

// collect takes changes, drift and refreshed objects from the nodes.
func (w *walk) collect(d *plan.Document) []state.Edit {
	var edits []state.Edit
	for id := range w.nodes {
		n := &w.nodes[id]
		for i := range n.results {
			o, r := &n.objects[i], &n.results[i]
			if r.change != nil {
				d.Changes = append(d.Changes, r.change)
			}
			if r.drift != nil {
				d.Drift = append(d.Drift, r.drift)
			}
			r.runs(d)
			if r.touched && !r.failed {
				edits = append(edits, w.refreshEdit(o, r)...)
			}
		}
	}
	sortChanges(d.Changes)
	sortChanges(d.Drift)
	sortInvocations(d.Invocations, func(i *plan.Invocation) *plan.Invocation { return i })
	sortInvocations(d.DeferredInvocations, func(x *plan.DeferredInvocation) *plan.Invocation { return &x.Invocation })
	return edits
}

// refreshEdit stores what refreshing found. A refreshed object keeps its
// provider configuration; data sources and imports are new.
func (w *walk) refreshEdit(o *object, r *result) []state.Edit {
	at := addr.Object{Instance: o.addr, Deposed: o.deposed}
	if r.stored == nil {
		if w.PrevRun.Object(at) == nil {
			return nil
		}
		return []state.Edit{state.Drop{Object: at}}
	}
	return []state.Edit{state.Put{Object: at, Provider: o.config, New: r.stored}}
}

func sortChanges(cs []*plan.Change) {
	sort.Slice(cs, func(i, j int) bool { return cs[i].Object().Less(cs[j].Object()) })
}

// outputs compares the root outputs with what the state has.
func (w *walk) outputs(d *plan.Document) {
	declared := w.Root().Outputs()
	for _, name := range sortedNames(declared) {
		s := declared[name]
		if w.Mode == plan.Destroy {
			continue
		}
		if !w.active[s.ID] || w.nodes[s.ID].failed {
			continue
		}
		w.output(d, s)
	}
	for name, o := range w.PrevRun.Outputs() {
		_, kept := declared[name]
		if kept && w.Mode != plan.Destroy || len(w.Targets)+len(w.Excludes) > 0 {
			continue
		}
		before := outputValue(o)
		d.Outputs = append(d.Outputs, plan.OutputChange{Name: name, Action: plan.Delete, Before: before,
			After: cty.NullVal(cty.DynamicPseudoType), Sensitive: o.Sensitive})
	}
	sort.Slice(d.Outputs, func(i, j int) bool { return d.Outputs[i].Name < d.Outputs[j].Name })
}

func outputValue(o state.Output) value.V {
	if o.Sensitive {
		return value.Mark(o.Value, value.Sensitive)
	}
	return o.Value
}

// output decides what happens to one root output. A null value is not stored, but
// an output is deleted only when its declaration is gone.
func (w *walk) output(d *plan.Document, s *evaluate.Site) {
	cfg := s.Output.Config
	if cfg.Ephemeral {
		return
	}
	after := w.Slot(s, 0)
	stored, had := w.PrevRun.Output(cfg.Name)
	before := cty.NullVal(cty.DynamicPseudoType)
	if had {
		before = outputValue(stored)
	}
	c := plan.OutputChange{Name: cfg.Name, Before: before, After: after, Sensitive: cfg.Sensitive || had && stored.Sensitive}
	bare := value.Strip(after).Cty()
	switch {
	case bare.IsNull() && !had:
		c.Action = plan.NoOp
	case !had:
		c.Action = plan.Create
	case equal(value.MustBare(stored.Value), value.MustBare(bare)) && stored.Value.Type().Equals(bare.Type()) && stored.Sensitive == cfg.Sensitive:
		c.Action = plan.NoOp
	default:
		c.Action = plan.Update
	}
	if w.nodes[s.ID].awaits && c.Action != plan.NoOp {
		c.After, c.Action = cty.DynamicVal, plan.Create // a later round says what it is
		if had {
			c.Action = plan.Update
		}
	}
	d.Outputs = append(d.Outputs, c)
}

// relevant are the attributes that contribute to what changes.
func (w *walk) relevant(d *plan.Document) []plan.RelevantAttr {
	c := evaluate.NewRelevance(w.WholeRelevantPaths)
	for id := range w.Sites() {
		n := &w.nodes[id]
		for i := range n.results {
			if ch := n.results[i].change; ch != nil && ch.Action != plan.NoOp {
				c.Add(w.Sites()[id], ch.Addr.Module)
			}
		}
	}
	for _, o := range d.Outputs {
		if s := w.Root().Outputs()[o.Name]; s != nil && o.Action != plan.NoOp {
			c.Add(s, addr.RootInstance)
		}
	}
	// Outputs of called modules are not stored, so each run makes them anew, but for
	// those that are null: making nothing out of nothing is no change.
	for _, m := range w.Modules()[1:] {
		for _, name := range sortedNames(m.Outputs()) {
			for mi, inst := range w.Instances(m) {
				v := w.Slot(m.Outputs()[name], mi)
				if !inst.Uncertain && v != cty.NilVal && !v.IsNull() {
					c.Add(m.Outputs()[name], inst.Addr)
				}
			}
		}
	}
	out := make([]plan.RelevantAttr, len(c.Out))
	for i, a := range c.Out {
		out[i] = plan.RelevantAttr{Resource: a.Resource, Path: a.Path}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Resource != out[j].Resource {
			return out[i].Resource.Less(out[j].Resource)
		}
		return value.PathLess(out[i].Path, out[j].Path)
	})
	return out
}

// applyable says whether applying the plan would do something.
func (w *walk) applyable(d *plan.Document) bool {
	for _, c := range d.Changes {
		if c.Action != plan.NoOp || c.Moved() || c.Importing != nil {
			return true
		}
	}
	for _, o := range d.Outputs {
		if s := w.Root().Outputs()[o.Name]; o.Action != plan.NoOp && (s == nil || !w.nodes[s.ID].awaits) {
			return true
		}
	}
	if len(d.Invocations) > 0 {
		return true
	}
	return w.Mode == plan.RefreshOnly && !d.Prior.Equal(w.Stored)
}

func sortedNames(m map[string]*evaluate.Site) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
