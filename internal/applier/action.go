package applier

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// sortInvocations puts the planned runs of actions where they happen: with an
// object, or at the site of an action that nobody triggers.
func (w *walk) sortInvocations() {
	w.triggered = map[addr.AbsInstance][]*plan.Invocation{}
	w.invoked = map[int][]*plan.Invocation{}
	for _, inv := range w.Plan.Invocations {
		if t := inv.Trigger; t != nil {
			w.triggered[t.Resource] = append(w.triggered[t.Resource], inv)
		} else if s := w.actionSite(inv); s != nil {
			w.invoked[s.ID] = append(w.invoked[s.ID], inv)
		}
	}
}

func (w *walk) actionSite(inv *plan.Invocation) *evaluate.Site {
	return w.Action(addr.AbsAction{Module: inv.Module, Type: inv.Type, Name: inv.Name})
}

// endActions are the sites of the providers that run actions when an object
// ends: its end leg waits for them.
func (w *walk) endActions(c *plan.Change) []*evaluate.Site {
	var out []*evaluate.Site
	for _, inv := range w.triggered[c.Addr] {
		if s := w.actionSite(inv); s != nil && strings.HasSuffix(inv.Trigger.Event, "_destroy") && !slices.Contains(out, s.Action.Provider) {
			out = append(out, s.Action.Provider)
		}
	}
	return out
}

func (w *walk) endActionEdges(from int, c *plan.Change) []schedule.Edge {
	var out []schedule.Edge
	for _, p := range w.endActions(c) {
		out = append(out, schedule.Edge{From: from, To: p.ID})
	}
	return out
}

// moment is a point in the change of an object at which actions run.
type moment struct {
	event string
	// self is the object as it is by now.
	self value.V
	// planned says that the actions run as they were planned: what they read
	// may be gone.
	planned bool
}

// act runs the actions of a moment in order. It says whether the work may go
// on.
func (o *op) act(m moment) bool {
	for _, inv := range o.triggered[o.change.Addr] {
		if inv.Trigger.Event != m.event {
			continue
		}
		if !o.saved(o.Ledger.Sync()) { // the action may look at what was done
			return false
		}
		diags := o.perform(inv, m)
		failed := diags.HasErrors()
		if failed && inv.Trigger.OnFailure == "continue" {
			for i := range diags {
				diags[i].Severity = diag.Warning
			}
			failed = false
		}
		o.Diags = o.Diags.With(diags)
		if failed {
			if inv.Trigger.OnFailure == "taint" && m.event == "after_create" {
				o.saved(o.Ledger.Commit(state.Taint{Instance: o.change.Addr, Tainted: true}))
			}
			return false
		}
	}
	return true
}

// perform runs one triggered action, unless its condition turns out to be
// false.
func (o *op) perform(inv *plan.Invocation, m moment) diag.List {
	r := run{walk: o.walk, inv: inv, site: o.actionSite(inv), object: addr.Object{Instance: o.change.Addr}}
	if r.site == nil {
		return diag.List{gone(inv)}
	}
	config := inv.Config
	if !m.planned {
		if m.event == "before_create" {
			m.self = cty.UnknownVal(o.Schema.Block.Type())
		}
		if yes, diags := o.lets(inv, m); !yes {
			return diags
		}
		var diags diag.List
		config, diags = r.configure(evaluate.Occasion{Caller: m.self, Own: o.Site, OwnValue: o.soFar(m.self)})
		if diags.HasErrors() {
			return diags
		}
	}
	return r.do(o.ctx, config)
}

// lets says whether the trigger's condition is true now that everything is
// known.
func (o *op) lets(inv *plan.Invocation, m moment) (bool, diag.List) {
	triggers := o.Site.Resource.ActionTriggers
	if inv.Trigger.BlockIndex >= len(triggers) {
		return false, diag.List{gone(inv)}
	}
	t := &triggers[inv.Trigger.BlockIndex]
	yes, known, diags := t.Triggers(evaluate.WithSelf(o.scope, m.self))
	if !known && !diags.HasErrors() {
		diags = diags.Append(diag.Err("Condition must be known",
			fmt.Sprintf("The condition of %s still depends on something unknown at %s.", inv.Addr, m.event)).At(t.Condition.Range()))
	}
	return yes && known, diags
}

// soFar is what the resource of the change is worth while its instances are
// being made.
func (o *op) soFar(self value.V) value.V {
	mi, ok := o.Index(o.Site.Module, o.change.Addr.Module)
	if !ok {
		return cty.DynamicVal
	}
	return o.Keys(o.Site, mi).Aggregate(func(key addr.InstanceKey) cty.Value {
		if key == o.change.Addr.Key {
			return self
		}
		return o.storedValue(o.Site, o.InstanceAddr(o.Site, mi, key))
	})
}

func gone(inv *plan.Invocation) diag.Diag {
	return diag.Err("Configuration changed between plan and apply",
		fmt.Sprintf("The plan runs %s, and the configuration does not have it any more. Make a new plan.", inv.Addr))
}

// run is one run of an action. The object is that which triggers it; the zero
// one for the command line.
type run struct {
	*walk
	inv    *plan.Invocation
	site   *evaluate.Site
	object addr.Object
}

// title names the action with its caller.
func (r *run) title() string {
	if r.object == (addr.Object{}) {
		return r.inv.Addr
	}
	return r.inv.Addr + ", called from " + r.object.String()
}

// configure evaluates the configuration with final values.
func (r *run) configure(o evaluate.Occasion) (value.V, diag.List) {
	a, err := addr.ParseAction(r.inv.Addr)
	mi, ok := r.Index(r.site.Module, r.inv.Module)
	if err != nil || !ok {
		return cty.DynamicVal, diag.List{gone(r.inv)}
	}
	v, diags := r.ActionConfig(r.site, mi, a.Key, o)
	if !diags.HasErrors() && !value.Strip(v).Cty().IsWhollyKnown() {
		d := diag.Err("Action configuration must be known",
			fmt.Sprintf("%s is about to run, and its configuration depends on something that is not known yet.", r.inv.Addr)).At(r.site.Action.Config.Range)
		d.Address = r.title()
		diags = diags.Append(d)
	}
	return v, diags
}

// do has the provider run the action, and tells of it.
func (r *run) do(ctx context.Context, config value.V) diag.List {
	a := r.site.Action
	client := r.Configured(a.Provider, addr.NoKey)
	if client == nil {
		return diag.List{diag.Err("Provider configuration not present", fmt.Sprintf("There is no provider configuration for %s.", r.inv.Addr)).At(a.Config.Range)}
	}
	r.Emit(event.Begun{Object: r.object, Op: event.Action, Detail: r.inv.Addr})
	diags := client.InvokeAction(ctx, r.inv.Type, value.Strip(config), func(message string) {
		r.Emit(event.Output{Object: r.object, Detail: r.inv.Addr, Text: message})
	})
	diags = evaluate.Locate(diags, a.Body, a.Config.Range, r.title())
	if errs := diags.Errors(); len(errs) > 0 {
		r.Emit(event.Failed{Object: r.object, Op: event.Action, Detail: r.inv.Addr, Message: oneLine(errs[0])})
	} else {
		r.Emit(event.Ended{Object: r.object, Op: event.Action, Detail: r.inv.Addr})
	}
	return diags
}

func oneLine(d diag.Diag) string {
	if d.Detail == "" {
		return d.Summary
	}
	return d.Summary + ": " + d.Detail
}

// invoke runs an action that the command line asked for. It runs as it was
// planned, but for what could not be kept in the plan.
func (w *walk) invoke(ctx context.Context, s *evaluate.Site, inv *plan.Invocation) bool {
	r := run{walk: w, inv: inv, site: s}
	config := inv.Config
	if !s.RefersToCaller() {
		var diags diag.List
		if config, diags = r.configure(evaluate.Occasion{}); diags.HasErrors() {
			w.Report(diags)
			return false
		}
	}
	diags := r.do(ctx, config)
	w.Report(diags)
	return !diags.HasErrors()
}
