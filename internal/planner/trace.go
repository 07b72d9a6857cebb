package planner

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Tracer gives the place to note an object's artefacts in, nil for an object
// that nobody wants explained. A nil Tracer is nobody.
type Tracer func(addr.Object) *explain.Artefacts

// traced is the place to note the line's artefacts in, or nil.
func (l *line) traced() *explain.Artefacts {
	if l.Trace == nil {
		return nil
	}
	return l.Trace(l.About)
}

// tracePrior notes the object up to its prior state.
func (l *line) tracePrior(up Upgraded, prior Refreshed) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Object, t.Provider, t.Schema, t.SchemaVersion = l.About, l.object.config, l.Schema.Block, l.Schema.Version
	t.Upgraded, t.Prior = up.value, prior.value
	t.Imported = prior.imported != nil
	t.Read = !l.SkipRefresh && !up.value.Cty().IsNull()
	t.Previously = l.Moved[l.object.addr]
	if i := l.PrevRun.Instance(l.object.addr); i != nil && l.object.deposed == "" {
		for key := range i.Deposed() {
			t.Deposed = append(t.Deposed, string(key))
		}
	}
	if up.stored != nil {
		t.PreviousVersion = up.stored.SchemaVersion
		// An object of another version has no value in this schema.
		if was, err := up.stored.Value(l.Schema); err == nil && t.PreviousVersion == t.SchemaVersion && !up.moved {
			t.Previous = was
		}
	} else {
		t.Upgraded = value.Bare{}
	}
	t.Hidden = prior.marks.Paths(value.Sensitive)
}

// traceAnswer notes what is asked of the provider, and its answer.
func (l *line) traceAnswer(from value.Bare, d, effective Desired, a Answer) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Config, t.Effective = d.value, effective.value
	t.Hidden = append(t.Hidden, d.marks.Paths(value.Sensitive)...)
	t.Proposed, t.Planned, t.Requires, t.Legacy = l.propose(from, effective), a.Planned, a.RequiresReplace, a.Legacy
	t.Waits = l.waitsFor(d.value.Cty())
	for _, trigger := range l.Site.Resource.Triggers {
		if trigger.Site != nil && l.triggeredBy(trigger) {
			t.Triggers = append(t.Triggers, trigger.Ref.Text())
		}
	}
}

// waitsFor are, for each argument and kind of blocks that is not wholly known, the
// resource attributes that it waits for.
func (l *line) waitsFor(config cty.Value) map[string][]string {
	out := map[string][]string{}
	for name, v := range config.AsValueMap() {
		if v.IsWhollyKnown() {
			continue
		}
		refs := slices.DeleteFunc(slices.Clone(l.Site.Resource.Body.RefsOf(name)), l.knownRef)
		for _, a := range evaluate.Direct(l.Site, l.object.addr.Module, refs) {
			out[name] = append(out[name], l.unknownAt(a)...)
		}
		slices.Sort(out[name])
		out[name] = slices.Compact(out[name])
	}
	return out
}

// knownRef says that a reference to a variable, a local value, each or count is worth
// something known, whatever else goes into the same value.
func (l *line) knownRef(r lang.Ref) bool {
	switch r.Kind {
	case lang.RefVar, lang.RefLocal, lang.RefEach, lang.RefCount:
	default:
		return false
	}
	all, ok := l.scope.Lookup(r.Root)
	behind, constant := evaluate.PathOf(r.Remaining)
	return ok && (constant || len(r.Remaining) == 0) && known(value.Strip(all).Cty(), append(cty.GetAttrPath(r.Name), behind...))
}

// unknownAt names the unknown values that a resource attribute stands for, one for
// each instance that may be meant.
func (l *line) unknownAt(a evaluate.Attr) []string {
	path := value.PathString(a.Path)
	if a.Resource.Resource.Mode == addr.Ephemeral {
		return []string{a.Resource.String() + path}
	}
	n := &l.nodes[a.Site.ID]
	var out []string
	for i := range n.results {
		o := n.objects[i]
		switch {
		case o.deposed != "" || !sameModule(a.Resource.Module, o.addr.Module):
			continue
		case a.SameKey && o.addr.Key != l.object.addr.Key:
			continue
		case a.Resource.Key != addr.NoKey && a.Resource.Key != o.addr.Key:
			continue
		}
		if v := n.results[i].value; v == cty.NilVal || !known(value.Strip(v).Cty(), a.Path) {
			out = append(out, o.addr.String()+path)
		}
	}
	return out
}

// sameModule compares modules; a step without a key may be any instance.
func sameModule(written, m addr.ModuleInstance) bool {
	a, b := written.Steps(), m.Steps()
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Key != addr.NoKey && a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}

// known says whether what a path leads to is wholly known. Steps that lead nowhere
// end it: what is behind them follows from what they are applied to.
func known(v cty.Value, path cty.Path) bool {
	for i := range path {
		if !v.IsKnown() || v.IsNull() {
			break
		}
		next, err := path[i : i+1].Apply(v)
		if err != nil {
			break
		}
		v = next
	}
	return v.IsWhollyKnown()
}

// traceData notes what a data source is configured with, and what the last run
// stored.
func (l *line) traceData(d Desired) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Object, t.Provider, t.Schema, t.SchemaVersion = l.About, l.object.config, l.Schema.Block, l.Schema.Version
	if stored := l.PrevRun.Object(l.About); stored != nil {
		t.PreviousVersion = stored.SchemaVersion
		if was, err := stored.Value(l.Schema); err == nil {
			t.Previous = was
		}
	}
	t.Config, t.Hidden = d.value, d.marks.Paths(value.Sensitive)
	t.Waits = l.waitsFor(d.value.Cty())
	t.Action = plan.NoOp
}

// traceRead notes what a data source answered.
func (l *line) traceRead(result value.Bare) {
	if t := l.traced(); t != nil {
		t.Result = result
	}
}

// traceLater notes that a data source is read during apply, and for which of the
// things that it depends on it waits.
func (l *line) traceLater(c *plan.Change) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Action, t.Reason, t.Planned = c.Action, c.Reason, value.Strip(c.After)
	for _, s := range l.Site.Resource.DependsOn {
		for _, id := range l.dependedOn(s) {
			for _, r := range l.nodes[id].results {
				if r.changes() && (!beside(l.Site, s) || r.change.Addr.Module == l.object.addr.Module) {
					t.Pending = append(t.Pending, r.change.Addr.String())
				}
			}
		}
	}
	slices.Sort(t.Pending)
	t.Pending = slices.Compact(t.Pending)
}

// traceDeferral notes that the change waits.
func (l *line) traceDeferral(d *plan.DeferredChange) {
	if t := l.traced(); t != nil {
		t.Deferred, t.DeferredByProvider = d.Reason, l.told
	}
}

// traceRun notes an action that the change triggers.
func (l *line) traceRun(i *plan.Invocation) {
	if t := l.traced(); t != nil {
		t.Runs = append(t.Runs, explain.Run{Action: i.Addr, Event: i.Trigger.Event})
	}
}

// traceChange notes what was decided.
func (l *line) traceChange(c *plan.Change, d Desired) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Action, t.Reason, t.Forces = c.Action, c.Reason, c.ReplacePaths
	if c.Action.IsReplace() {
		t.Remade = value.Strip(c.After)
		t.RemadeProposed = l.propose(value.Null(l.Schema.Block.Type()), d)
	}
	if c.Action == plan.Delete || c.Action == plan.Forget {
		t.Planned = value.Null(l.Schema.Block.Type())
	}
}
