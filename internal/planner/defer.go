package planner

import (
	"slices"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Deferral. What cannot be planned for certain is planned as a preview and left
// to a later run, together with what depends on it:
//
//   - A resource whose count or for_each is not known has one object that stands
//     for all. Its objects in the state are left alone.
//   - An object that its provider puts off at any call keeps its stored state. The
//     other instances of its resource go on.
//   - A resource that reads, directly or not, a resource of which a wanted object
//     is deferred waits as a whole. Destroying goes the other way round.
//   - An object waits with the actions that its change triggers, and they with it:
//     the provider may put an action off, and which instance is meant may not be
//     known.
//   - What a deferred object of the state needs, as the state remembers it, is
//     not destroyed before it. It may be replaced: then it is there again, and
//     often that is what the deferred object waits for.

// awaits says whether a node reads, directly or not, something that is deferred.
// It is asked once a node, after all that the node reads.
func (w *walk) awaits(id int) bool {
	s := w.site(id)
	if !w.Deferral || s == nil || w.Mode == plan.Destroy {
		return false
	}
	n := &w.nodes[id]
	n.awaits = slices.ContainsFunc(s.Reads, func(read int) bool { return w.nodes[read].late() })
	return n.awaits
}

// late says whether those who read the node have to wait for a later run.
func (n *nodeState) late() bool { return n.awaits || n.deferred }

// why says why an object is deferred whatever its provider says.
func (w *walk) why(s *evaluate.Site, n *nodeState, mi int, a addr.AbsInstance) plan.DeferReason {
	switch {
	case !w.Deferral || w.Mode == plan.Destroy:
		return plan.NotDeferred
	case w.Uncertain(s, mi):
		return plan.DeferCountUnknown
	case n.awaits:
		return plan.DeferPrereq
	case w.Mode == plan.Normal && w.ImportsLater(s.Resource.Addr) && w.PrevRun.Object(addr.Object{Instance: a}) == nil:
		return plan.DeferConfigUnknown // it may be one of those to import
	}
	return plan.NotDeferred
}

// leave leaves objects of the state alone because nobody knows whether they are
// wanted. What they need stays, too.
func (n *nodeState) leave(objects []object, w *walk) {
	for i := range objects {
		o := w.PrevRun.Object(addr.Object{Instance: objects[i].addr, Deposed: objects[i].deposed})
		n.held = append(n.held, o.Dependencies...)
	}
}

// PutOff takes note of an ephemeral object that is not opened in this round. Its
// values are for one run only, so the plan has none.
func (w *walk) PutOff(s *evaluate.Site, at addr.AbsInstance, config addr.ProviderConfig, why plan.DeferReason) {
	if !w.Deferral {
		return // destroying does without
	}
	null := cty.NullVal(s.Resource.Schema.Block.Type())
	w.mu.Lock()
	defer w.mu.Unlock()
	n := &w.nodes[s.ID]
	n.deferred = true
	n.unopened = append(n.unopened, &plan.DeferredChange{Reason: why, Change: plan.Change{
		Addr: at, PrevAddr: at, Provider: config, Schema: s.Resource.Schema, Action: plan.Read, Before: null, After: null}})
}

// deferred takes note of a provider's deferral; false for none. What was not on
// offer the contract has refused.
func (l *line) deferred(d *provider.Deferred) bool {
	if d == nil || !l.Deferral {
		return false
	}
	if l.waits == plan.NotDeferred {
		l.waits, l.told = converse.Reason(d), true
	}
	return true
}

// putOff makes the change that the line came to a deferred one, if the object
// waits.
func (l *line) putOff(r *result, prior Refreshed) {
	if l.waits == plan.NotDeferred || !l.OK() {
		return
	}
	c := r.change
	if c == nil {
		c = l.unplanned(prior)
	}
	if !l.reports(c) {
		return
	}
	r.deferred = &plan.DeferredChange{Reason: l.waits, Change: *c}
	r.change = nil
	if prior.imported != nil {
		r.stored, r.touched = nil, false // it is imported when it can be planned
	}
	l.traceDeferral(r.deferred)
}

// unplanned is the change of an object that was not planned, if it exists or is
// wanted: nothing that could be said.
func (l *line) unplanned(prior Refreshed) *plan.Change {
	absent := prior.value.IsZero() || prior.value.Cty().IsNull()
	if absent && !l.object.wanted {
		return nil
	}
	if prior.value.IsZero() {
		prior.value = value.Null(l.Schema.Block.Type())
	}
	c := l.base(prior)
	c.Action, c.After, c.AfterIdentity = plan.NoOp, c.Before, c.BeforeIdentity
	return c
}

// reports says whether a change is worth telling as deferred: an object that
// waits for others and stays as it is has nothing to wait for, as far as that is
// known.
func (l *line) reports(c *plan.Change) bool {
	return c != nil && (l.waits != plan.DeferPrereq || c.Action != plan.NoOp || c.Importing != nil && c.Before.IsNull())
}

// importLater plans an object that is to be imported in a later round.
func (l *line) importLater(t evaluate.Imported) result {
	null := value.Null(l.Schema.Block.Type())
	r := result{value: cty.UnknownVal(l.Schema.Block.Type())}
	prior := Refreshed{was: Upgraded{value: null}, value: null, imported: &plan.Importing{ID: t.ID, Identity: t.Identity, Unknown: t.Unknown}}
	if t.Unknown {
		prior.imported.Identity = value.Bare{}
	}
	c := l.unplanned(prior)
	if l.object.wanted && l.Mode == plan.Normal && !l.Site.Resource.Generated && l.Preconditions(l.scope) {
		if d := l.desire(); l.OK() {
			c.After = l.previewed(d)
			r.value = c.After
		}
	}
	r.change = c
	l.putOff(&r, Refreshed{})
	return r
}

// preview is what an object would be that no provider has planned: its
// configuration, and the rest unknown.
func (l *line) preview(d Desired) value.Bare {
	return value.MustBare(contract.DataUnknown(l.Schema.Block, d.value.Cty()))
}

// previewed is a preview with its marks.
func (l *line) previewed(d Desired) value.V {
	planned := l.preview(d)
	return value.Join(planned, sensitive(d.marks.Plus(l.schemaMarks(planned))))
}

// unserved previews an object whose provider configuration is not known, so that
// nobody can be asked.
func (l *line) unserved() result {
	stored := l.PrevRun.Object(addr.Object{Instance: l.object.addr})
	r := result{stored: stored, value: cty.UnknownVal(l.Schema.Block.Type())}
	v, diags := l.Site.Resource.Body.Eval(l.scope)
	if l.Diags = l.Diags.With(diags); !l.OK() {
		return r
	}
	bare, marks := value.Split(v)
	prior := Refreshed{value: value.Null(l.Schema.Block.Type()), was: Upgraded{stored: stored}}
	c := l.base(prior)
	c.Action, c.After = plan.Create, l.previewed(Desired{bare, marks})
	switch {
	case l.object.addr.Resource.Mode == addr.Data:
		c.Action = plan.Read
	case stored != nil:
		c.Action, c.Before = plan.Update, l.storedValue(l.Site, l.object.addr)
	}
	r.change, r.value = c, c.After
	if l.Mode == plan.Normal {
		l.act(&r, c)
	}
	l.putOff(&r, prior)
	return r
}

// hold defers the destruction of what deferred objects of the state need.
func (w *walk) hold() {
	if !w.Deferral {
		return
	}
	ends := map[addr.ConfigResource][]*result{}
	var needed []addr.ConfigResource
	for id := range w.nodes {
		n := &w.nodes[id]
		needed = append(needed, n.held...)
		for i := range n.results {
			r := &n.results[i]
			if r.change != nil && r.change.Action == plan.Delete {
				ends[r.change.Addr.Config()] = append(ends[r.change.Addr.Config()], r)
			}
			if r.deferred != nil && r.stored != nil {
				needed = append(needed, r.stored.Dependencies...)
			}
		}
	}
	for len(needed) > 0 {
		at := needed[len(needed)-1]
		needed = needed[:len(needed)-1]
		for _, r := range ends[at] {
			needed = append(needed, r.change.Dependencies...)
			if w.Trace != nil {
				if t := w.Trace(r.change.Object()); t != nil {
					t.Deferred = plan.DeferPrereq
				}
			}
			r.deferred = &plan.DeferredChange{Reason: plan.DeferPrereq, Change: *r.change}
			r.change = nil
		}
		delete(ends, at)
	}
}

// runs puts the actions of an object into the document.
func (r *result) runs(d *plan.Document) {
	for _, x := range r.invocations {
		switch {
		case r.deferred == nil:
			d.Invocations = append(d.Invocations, &x.Invocation)
			continue
		case x.Reason == plan.NotDeferred:
			x.Reason = r.deferred.Reason
		}
		d.DeferredInvocations = append(d.DeferredInvocations, x)
	}
}

// collectDeferred gathers what is deferred, in the order of addresses.
func (w *walk) collectDeferred(d *plan.Document) {
	for id := range w.nodes {
		n := &w.nodes[id]
		d.Deferred = append(d.Deferred, n.unopened...)
		for i := range n.results {
			if r := n.results[i].deferred; r != nil {
				d.Deferred = append(d.Deferred, r)
			}
		}
	}
	sort.Slice(d.Deferred, func(i, j int) bool { return d.Deferred[i].Change.Object().Less(d.Deferred[j].Change.Object()) })
}
