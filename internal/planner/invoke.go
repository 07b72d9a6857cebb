package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// openAction lists the instances of an action that the command line invokes.
func (w *walk) openAction(s *evaluate.Site) int {
	n := &w.nodes[s.ID]
	for mi := range w.Instances(s.Module) {
		if !w.invokes(s, mi, addr.NoKey) {
			continue
		}
		if n.awaits {
			w.Report(w.early(s))
			n.failed = true
			return 0
		}
		keys, diags := w.ActionKeys(s, mi)
		w.Report(diags)
		n.failed = n.failed || diags.HasErrors()
		for key := range keys.All() {
			if w.invokes(s, mi, key) {
				n.objects = append(n.objects, object{addr: addr.AbsInstance{Module: w.Instances(s.Module)[mi].Addr, Key: key}, mi: mi})
			}
		}
		if len(n.objects) == 0 && !n.failed {
			w.Report(NotFound(w.ActionAddr(s, mi, addr.NoKey)))
			n.failed = true
		}
	}
	n.results = make([]result, len(n.objects))
	return len(n.objects)
}

// early says that an action cannot be invoked before what is deferred is there.
func (w *walk) early(s *evaluate.Site) diag.List {
	var names []string
	for _, id := range w.Reached(s) {
		if w.nodes[id].deferred {
			names = append(names, "\n - "+w.nodeName(id))
		}
	}
	slices.Sort(names)
	return diag.List{diag.Err("Action depends on something deferred",
		fmt.Sprintf("%s cannot be invoked yet, because it depends on what waits for a later round:%s\n\nApply the configuration first, with -allow-deferral, until nothing is deferred; then invoke the action.",
			s.Addr(), strings.Join(names, ""))).At(s.Action.Config.Range)}
}

// invokes says whether the command line names an instance of an action; without
// a key, whether it names any.
func (w *walk) invokes(s *evaluate.Site, mi int, key addr.InstanceKey) bool {
	at := w.ActionAddr(s, mi, key)
	return slices.ContainsFunc(w.Invoke, func(a addr.AbsAction) bool {
		if a.Key.IsNone() || key.IsNone() {
			a.Key = key
		}
		return a == at
	})
}

// NotFound says that there is no such action to invoke.
func NotFound(a addr.AbsAction) diag.List {
	return diag.List{diag.Err("invoke target "+a.String()+" not found", "").By(diag.Operator)}
}

// invoke plans the run of an action that the command line names.
func (w *walk) invoke(ctx context.Context, s *evaluate.Site, o *object) result {
	at := w.ActionAddr(s, o.mi, o.addr.Key)
	p := proposal{walk: w, site: s, at: at}
	caller, ok := w.callerFor(s)
	if !ok {
		p.fail(diag.Err("Unknown caller", fmt.Sprintf("The configuration of %s depends on who triggers it. Name the triggering resource instance with -target.", at)).By(diag.Operator))
		w.Report(p.diags)
		return result{failed: true}
	}
	config, ok := p.configure(o.mi, evaluate.Occasion{Caller: caller})
	if ok = ok && p.known(config) && p.ask(ctx, config); !ok {
		w.Report(p.diags)
		return result{failed: true}
	}
	inv := &plan.DeferredInvocation{}
	p.describe(&inv.Invocation, config)
	w.Report(p.diags)
	return result{invocations: []*plan.DeferredInvocation{inv}}
}

// known refuses a configuration with unknown values: nothing is going to make
// them known.
func (p *proposal) known(config value.V) bool {
	if value.Strip(config).Cty().IsWhollyKnown() {
		return true
	}
	p.fail(diag.Err("Action configuration must be known",
		fmt.Sprintf("The configuration of %s depends on objects that do not exist yet. Apply the configuration first.", p.at)))
	return false
}

// callerFor is the object that stands for the caller of an action invoked by
// hand: the one that is targeted. ok is false where one is needed and there is
// none.
func (w *walk) callerFor(s *evaluate.Site) (value.V, bool) {
	if !s.RefersToCaller() {
		return cty.DynamicVal, true
	}
	if len(w.Targets) != 1 || !w.Targets[0].HasResource {
		return cty.DynamicVal, false
	}
	t := w.Targets[0]
	a := addr.AbsInstance{Module: t.Module, Resource: t.Resource, Key: t.Key}
	site := w.Resource(a.Config())
	if site == nil {
		return cty.DynamicVal, false
	}
	for i := range w.nodes[site.ID].objects {
		if o := &w.nodes[site.ID].objects[i]; o.addr == a && o.deposed == "" {
			return w.nodes[site.ID].results[i].value, true
		}
	}
	return cty.DynamicVal, false
}

// selectInvoked lets the actions take part that the command line names.
func (w *walk) selectInvoked(active []bool) {
	for _, a := range w.Invoke {
		if s := w.Action(a); s != nil {
			w.take(active, s.ID)
		}
	}
}

// callers lets an action that the command line invokes wait for the object that
// stands for its caller.
func (w *walk) callers() []schedule.Edge {
	var out []schedule.Edge
	for _, a := range w.Invoke {
		s := w.Action(a)
		if s == nil || !s.RefersToCaller() {
			continue
		}
		for _, t := range w.Targets {
			if site := w.Resource(addr.ConfigResource{Module: t.Module.Module(), Resource: t.Resource}); t.HasResource && site != nil {
				out = append(out, schedule.Edge{From: s.ID, To: site.ID})
			}
		}
	}
	return out
}
