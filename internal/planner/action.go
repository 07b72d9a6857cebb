package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// moments are the events of a change, in their order.
var moments = map[plan.Action][]string{
	plan.Create:           {"before_create", "after_create"},
	plan.Update:           {"before_update", "after_update"},
	plan.Delete:           {"before_destroy", "after_destroy"},
	plan.DeleteThenCreate: {"before_destroy", "after_destroy", "before_create", "after_create"},
	plan.CreateThenDelete: {"before_create", "after_create", "before_destroy", "after_destroy"},
	plan.CreateThenForget: {"before_create", "after_create"},
	plan.ForgetThenCreate: {"before_create", "after_create"},
}

func isBefore(event string) bool { return strings.HasPrefix(event, "before_") }

// ending says whether an event belongs to the end of an object, when nothing is
// evaluated again: what runs then is wholly known when it is planned.
func ending(event string) bool { return strings.HasSuffix(event, "_destroy") }

// act plans the actions that a change triggers. Those of a change that waits are
// foreseen: nobody is asked about them, and what is not known yet is no error.
func (l *line) act(r *result, c *plan.Change) {
	if !l.OK() || l.Site == nil || len(l.Site.Resource.ActionTriggers) == 0 || c.Deposed != "" {
		return
	}
	mi := l.object.mi
	if mi < 0 {
		return // the module instance is gone, and its actions with it
	}
	scope := l.scope
	if scope == nil {
		scope = l.nodes[l.Site.ID].scopes[mi].Child(evaluate.KeyVariables(c.Addr.Key))
	}
	for _, event := range moments[c.Action] {
		caller := c.After
		if isBefore(event) || ending(event) {
			caller = c.Before
		}
		if event == "before_create" {
			caller = cty.UnknownVal(l.Schema.Block.Type())
		}
		for i := range l.Site.Resource.ActionTriggers {
			if t := &l.Site.Resource.ActionTriggers[i]; t.At(event) {
				l.trigger(r, &triggering{c: c, trigger: t, index: i, event: event, mi: mi, caller: caller, scope: evaluate.WithSelf(scope, caller)})
			}
		}
	}
}

// triggering is a trigger block at one event of a change.
type triggering struct {
	c       *plan.Change
	trigger *evaluate.ActionTrigger
	index   int
	event   string
	mi      int
	caller  value.V
	scope   *lang.Scope
}

func (l *line) trigger(r *result, t *triggering) {
	yes, known, diags := t.trigger.Triggers(t.scope)
	l.Diags = l.Diags.With(diags)
	if !yes || diags.HasErrors() {
		return
	}
	if !known && l.waits == plan.NotDeferred && (isBefore(t.event) || ending(t.event)) {
		l.Fail(t.trigger.Condition.Annotate(diag.Err("Condition must be known",
			fmt.Sprintf("The condition decides whether actions run at %s of %s, and it depends on something that is known only after that.", t.event, t.c.Addr)).At(t.trigger.Condition.Range()),
			t.scope, lang.Causes{Unknown: true}))
		return
	}
	for i, ref := range t.trigger.Actions {
		at, diags := l.ActionAt(ref, t.mi, t.scope)
		l.Diags = l.Diags.With(diags)
		if diags.HasErrors() {
			continue
		}
		inv := &plan.DeferredInvocation{Invocation: plan.Invocation{Trigger: &plan.InvocationTrigger{
			Resource: t.c.Addr, Event: t.event, BlockIndex: t.index, ActionIndex: i, OnFailure: t.trigger.Config.OnFailure}}}
		occasion := evaluate.Occasion{Caller: t.caller, Own: l.Site, OwnValue: l.soFar(t.c, t.mi, t.caller)}
		if l.invocation(r, inv, ref.Site, t.mi, at, occasion) {
			r.invocations = append(r.invocations, inv)
			l.traceRun(&inv.Invocation)
		}
	}
}

// soFar is what the resource of a change is worth while its instances are being
// planned: the object itself is there, the others are not known.
func (l *line) soFar(c *plan.Change, mi int, self value.V) value.V {
	if l.Mode == plan.Destroy {
		return l.fromState(l.Site, mi, map[addr.AbsInstance]value.V{c.Addr: self})
	}
	keys := l.Keys(l.Site, mi)
	if keys.IsUnknown() {
		return cty.DynamicVal
	}
	return keys.Aggregate(func(key addr.InstanceKey) cty.Value {
		if key == c.Addr.Key {
			return self
		}
		return cty.DynamicVal
	})
}

// invocation fills in a planned run of an action and asks the provider whether
// it can be. The same action with the same configuration is asked about once for
// an object. An object waits with its actions.
func (l *line) invocation(r *result, inv *plan.DeferredInvocation, s *evaluate.Site, mi int, at addr.AbsAction, o evaluate.Occasion) bool {
	p := proposal{walk: l.walk, site: s, at: at, caller: l.object.addr.String(), offer: l.Deferral}
	config, ok := p.configure(mi, o)
	if at.Key.IsAny() {
		inv.Reason = plan.DeferCountUnknown
		if l.waits == plan.NotDeferred {
			l.waits = plan.DeferPrereq
		}
	}
	if ok && l.waits == plan.NotDeferred && ending(inv.Invocation.Trigger.Event) {
		ok = p.settled(config)
	}
	asked := slices.ContainsFunc(r.invocations, func(x *plan.DeferredInvocation) bool {
		return x.Invocation.Addr == at.String() && value.Strip(x.Invocation.Config).Cty().RawEquals(value.Strip(config).Cty())
	})
	if ok && !asked && l.waits == plan.NotDeferred {
		ok = p.ask(l.ctx, config)
		l.deferred(p.deferred)
	}
	p.describe(&inv.Invocation, config)
	l.Diags = l.Diags.With(p.diags)
	return ok
}

// proposal is the way of an action's instance to a planned run.
type proposal struct {
	*walk
	site *evaluate.Site
	at   addr.AbsAction
	// caller is the triggering object, "" for the command line.
	caller string
	diags  diag.List
	// offer says that the provider may put the action off, deferred that it
	// does.
	offer    bool
	deferred *provider.Deferred
}

// configure evaluates the configuration. What is ephemeral is left to the
// apply.
func (p *proposal) configure(mi int, o evaluate.Occasion) (value.V, bool) {
	if p.site.Broken() || p.site.Action.Body == nil {
		return cty.DynamicVal, false
	}
	v, diags := p.ActionConfig(p.site, mi, p.at.Key, o)
	p.diags = p.diags.With(diags)
	return v, !diags.HasErrors()
}

// settled refuses a configuration that does not stay as it is.
func (p *proposal) settled(config value.V) bool {
	why := ""
	switch {
	case value.Contains(config, value.Ephemeral):
		why = "It uses ephemeral values, which are not kept until then."
	case !value.Strip(config).Cty().IsWhollyKnown():
		why = "It depends on something that is known only after apply."
	default:
		return true
	}
	p.fail(diag.Err("Action configuration must be known",
		fmt.Sprintf("The configuration of %s has to be complete when the plan is made. %s", p.at, why)))
	return false
}

func (p *proposal) fail(d diag.Diag) {
	d.Address = p.title()
	p.diags = append(p.diags, d.At(p.site.Action.Config.Range))
}

// title names the action with its caller.
func (p *proposal) title() string {
	if p.caller == "" {
		return p.at.String()
	}
	return p.at.String() + ", called from " + p.caller
}

// ask has the provider plan the run.
func (p *proposal) ask(ctx context.Context, config value.V) bool {
	a := p.site.Action
	client := p.Configured(a.Provider, addr.NoKey)
	if client == nil {
		p.fail(diag.Err("Provider configuration not present", fmt.Sprintf("There is no provider configuration for %s.", p.at)))
		return false
	}
	deferred, diags := client.PlanAction(ctx, provider.PlanActionRequest{TypeName: a.Config.Key.Type, Config: value.Strip(config), DeferralAllowed: p.offer})
	p.diags = p.diags.With(evaluate.Locate(diags, a.Body, a.Config.Range, p.title()))
	if p.offer {
		p.deferred = deferred
	} else if deferred != nil && !diags.HasErrors() {
		p.fail(diag.Err("Provider deferred an action", fmt.Sprintf("The provider cannot say yet whether %s can run, and it was not offered to put that off.", p.at)).By(diag.Provider))
		return false
	}
	return !diags.HasErrors()
}

// describe fills in the document's row.
func (p *proposal) describe(inv *plan.Invocation, config value.V) {
	inv.Addr, inv.Type, inv.Name, inv.Module = p.at.String(), p.at.Type, p.at.Name, p.at.Module
	inv.Provider = p.site.Action.Provider.Provider.Addr
	inv.Config = lasting(config)
}

// lasting is a configuration with null in place of what is ephemeral.
func lasting(config value.V) value.V {
	bare, marks := value.Split(config)
	ephemeral := marks.Only(value.Ephemeral)
	if len(ephemeral) == 0 {
		return config
	}
	v, err := cty.Transform(bare.Cty(), func(path cty.Path, v cty.Value) (cty.Value, error) {
		for _, m := range ephemeral {
			if m.Path.Equals(path) {
				return cty.NullVal(v.Type()), nil
			}
		}
		return v, nil
	})
	if err != nil {
		v = cty.NullVal(bare.Cty().Type())
	}
	return value.Join(value.MustBare(v), marks.Only(value.Sensitive))
}

// takeEnding keeps what the actions need that run when objects end. Without an object
// there is no end, and what the actions read may be gone as well.
func (w *walk) takeEnding(active []bool, s *evaluate.Site) {
	if w.byConfig[s.Resource.Addr] == nil {
		return
	}
	for _, t := range s.Resource.ActionTriggers {
		if t.At("before_destroy") || t.At("after_destroy") {
			for _, id := range s.Reads {
				w.take(active, id)
			}
		}
	}
}

// sortInvocations puts the runs into the order of the objects that trigger
// them; those that nothing triggers come last.
func sortInvocations[T any](list []T, of func(T) *plan.Invocation) {
	slices.SortStableFunc(list, func(x, y T) int {
		a, b := of(x), of(y)
		switch {
		case a.Trigger == nil && b.Trigger == nil:
			return strings.Compare(a.Addr, b.Addr)
		case a.Trigger == nil:
			return 1
		case b.Trigger == nil:
			return -1
		}
		return addr.Compare(a.Trigger.Resource, b.Trigger.Resource)
	})
}
