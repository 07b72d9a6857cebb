package planner

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
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
	if up.stored != nil {
		t.PreviousVersion = up.stored.SchemaVersion
		// An object of another version has no value in this schema.
		if was, err := up.stored.Value(l.Schema); err == nil && t.PreviousVersion == t.SchemaVersion && !up.moved {
			t.Previous = was
		}
	} else {
		t.Upgraded = value.Bare{}
	}
	t.Hidden = hidden(prior.marks)
}

// traceAnswer notes what is asked of the provider, and its answer.
func (l *line) traceAnswer(prior Refreshed, d, effective Desired, a Answer) {
	t := l.traced()
	if t == nil {
		return
	}
	t.Config, t.Effective = d.value, effective.value
	t.Hidden = append(t.Hidden, hidden(d.marks)...)
	t.Proposed, t.Planned, t.Requires, t.Legacy = l.propose(prior.value, effective), a.Planned, a.RequiresReplace, a.Legacy
	t.Refs = map[string][]string{}
	body := l.Site.Resource.Body
	for _, name := range l.Schema.Block.AttrNames() {
		if x := body.Attribute(name); x != nil {
			for _, r := range x.Refs() {
				t.Refs[name] = append(t.Refs[name], r.Text())
			}
			slices.Sort(t.Refs[name])
			t.Refs[name] = slices.Compact(t.Refs[name])
		}
	}
}

// traceDeferral notes that the change waits.
func (l *line) traceDeferral(d *plan.DeferredChange) {
	if t := l.traced(); t != nil {
		t.Deferred, t.DeferredByProvider = d.Reason, l.told
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
