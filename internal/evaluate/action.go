package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ActionDecl is an action block: something that a provider does and that leaves
// nothing in the state. Nobody reads its site; a resource that triggers it reads
// what it reads.
type ActionDecl struct {
	Config   *config.Action
	Provider *Site
	Schema   *schema.Resource
	Repetition
	Body *lang.Body
}

// ActionTrigger is an action_trigger block of a resource.
type ActionTrigger struct {
	Config    *config.ActionTrigger
	Condition *lang.Expr
	Actions   []ActionRef
}

// At says whether the trigger waits for an event.
func (t *ActionTrigger) At(event string) bool { return slices.Contains(t.Config.Events, event) }

// ActionRef is an element of a trigger's actions.
type ActionRef struct {
	Expr hcl.Expression
	Site *Site
	ref  lang.Ref
}

// Occasion is what an action runs for. Caller is the triggering object. An
// action may refer to the resource that triggers it: Own is its site, and
// OwnValue what it is worth by now in the module instance.
type Occasion struct {
	Caller   value.V
	Own      *Site
	OwnValue value.V
}

// Action finds the site of an action; nil when it is not declared.
func (p *Program) Action(a addr.AbsAction) *Site {
	if m := p.Module(a.Module.Module()); m != nil {
		return m.actions[config.ActionKey{Type: a.Type, Name: a.Name}]
	}
	return nil
}

// actionSites makes the sites of a module's actions.
func (c *compiler) actionSites(m *Module) {
	m.actions = map[config.ActionKey]*Site{}
	for _, key := range sortedActions(m.Config) {
		m.actions[key] = c.site(Action, m, "action."+key.Type+"."+key.Name)
	}
}

func sortedActions(m *config.Module) []config.ActionKey {
	return slices.SortedFunc(maps.Keys(m.Actions), func(a, b config.ActionKey) int {
		return strings.Compare(a.Type+"."+a.Name, b.Type+"."+b.Name)
	})
}

// actions compiles the action blocks of a module.
func (c *compiler) actions(m *Module) {
	for _, key := range sortedActions(m.Config) {
		s := m.actions[key]
		c.guard(s, func() { c.action(s, m.Config.Actions[key]) })
	}
}

func (c *compiler) action(s *Site, cfg *config.Action) {
	a := &ActionDecl{Config: cfg}
	s.Action = a
	a.Repetition = c.repetition(s, cfg.Count, cfg.ForEach, nil)
	var source addr.Provider
	a.Provider, source = c.meant(s.Module.Config, cfg.Provider.ProviderKey, cfg.TypeRange)
	if a.Provider.Provider.repeats() {
		c.report(diag.Err("Invalid action provider configuration",
			"The provider block has for_each, and actions cannot choose one of its instances. Give the action a provider configuration without for_each.").At(cfg.TypeRange))
	}
	schemas := c.schemasOf(source)
	if schemas == nil {
		s.broken = true
		return
	}
	found, diags := schemas.Action(cfg.Key.Type)
	c.diags = c.diags.With(diags)
	if found == nil {
		s.broken = true
		if !diags.HasErrors() {
			c.report(unknownAction(source, schemas, cfg))
		}
		return
	}
	a.Schema = found
	a.Body = c.body(s, cfg.Config, found.Block)
}

func unknownAction(p addr.Provider, schemas provider.Schemas, cfg *config.Action) diag.Diag {
	return diag.Err("Invalid action type", fmt.Sprintf("The provider %s has no action %q.%s", p.Display(), cfg.Key.Type,
		lang.DidYouMean(cfg.Key.Type, schemas.ActionNames()))).At(cfg.TypeRange)
}

// actionTriggers compiles the action_trigger blocks of a resource.
func (c *compiler) actionTriggers(s *Site, blocks []*config.ActionTrigger) {
	s.aside = true
	defer func() { s.aside = false }()
	for _, cfg := range blocks {
		t := ActionTrigger{Config: cfg, Condition: c.expr(s, cfg.Condition)}
		for _, e := range cfg.Actions {
			if ref, ok := c.actionRef(s, e); ok {
				t.Actions = append(t.Actions, ref)
			}
		}
		s.Resource.ActionTriggers = append(s.Resource.ActionTriggers, t)
	}
}

// actionRef compiles a reference to an action. What its index refers to is read
// like anything else.
func (c *compiler) actionRef(s *Site, e hcl.Expression) (ActionRef, bool) {
	x, diags := lang.Compile(e)
	c.diags = c.diags.With(diags)
	if x == nil || diags.HasErrors() {
		return ActionRef{}, false
	}
	out := ActionRef{Expr: e}
	for _, r := range x.Refs() {
		if r.Kind == lang.RefAction {
			out.ref = r
			continue
		}
		s.refer([]lang.Ref{r})
	}
	return out, out.ref.Kind == lang.RefAction
}

// linkActions finds the actions that a resource triggers.
func (c *compiler) linkActions(s *Site) {
	for i := range s.Resource.ActionTriggers {
		t := &s.Resource.ActionTriggers[i]
		for j := range t.Actions {
			r := t.Actions[j].ref
			t.Actions[j].Site = s.Module.actions[config.ActionKey{Type: r.Resource.Type, Name: r.Resource.Name}]
			if t.Actions[j].Site == nil {
				c.report(lang.Undeclared(r, nil, moduleName(s.Module)))
			}
		}
	}
}

// gatherActions lets resources read what the actions read that they trigger. An
// action may read the resource itself, which is then there as far as it is
// made.
func (c *compiler) gatherActions() {
	for _, s := range c.sites {
		if s.Kind != Resource || s.Resource == nil {
			continue
		}
		for _, a := range s.Resource.Triggered() {
			for _, id := range a.Reads {
				s.read(c.sites[id])
			}
		}
	}
}

// Triggered are the sites of the actions that a resource triggers, each once.
func (d *ResourceDecl) Triggered() []*Site {
	var out []*Site
	for _, t := range d.ActionTriggers {
		for _, a := range t.Actions {
			if a.Site != nil && !slices.Contains(out, a.Site) {
				out = append(out, a.Site)
			}
		}
	}
	return out
}

// ActionKeys are the instances of an action in a module instance.
func (r *Run) ActionKeys(s *Site, mi int) (expand.Keys, diag.List) {
	return r.repeat(s, mi, s.Action.Repetition)
}

// ActionAddr is the address of an action's instance.
func (r *Run) ActionAddr(s *Site, mi int, key addr.InstanceKey) addr.AbsAction {
	k := s.Action.Config.Key
	return addr.AbsAction{Module: r.modules[s.Module.ID][mi].Addr, Type: k.Type, Name: k.Name, Key: key}
}

// ActionAt is the instance of an action that a trigger refers to, in the scope
// of the triggering object. With the key [addr.AnyKey] it is not known which.
func (r *Run) ActionAt(ref ActionRef, mi int, scope *lang.Scope) (addr.AbsAction, diag.List) {
	named, diags := lang.ActionAddr(ref.Expr, scope)
	if r.StandingActions && len(diags) == 1 && diags[0].Unknown {
		named.Key, diags = addr.AnyKey, nil
	}
	if diags.HasErrors() {
		return named, diags
	}
	keys, more := r.ActionKeys(ref.Site, mi)
	if diags = diags.With(more); diags.HasErrors() {
		return named, diags
	}
	if keys.IsUnknown() && keys.Repeats() && !named.Key.IsNone() {
		named.Key = addr.AnyKey
	}
	out := r.ActionAddr(ref.Site, mi, named.Key)
	if !keys.Has(named.Key) && !(named.Key.IsAny() && keys.Repeats()) {
		why := "It is not among the instances that its count or for_each makes."
		switch {
		case !keys.Repeats():
			why = "The action has neither count nor for_each, so it is referred to without an instance key."
		case named.Key.IsNone():
			why = "The action has count or for_each, so it is referred to with an instance key."
		}
		diags = diags.Append(diag.Err("Reference to non-existent action instance", fmt.Sprintf("There is no %s. %s", out, why)).At(ref.ref.Full))
	}
	return out, diags
}

// ActionConfig evaluates the configuration of an action's instance.
func (r *Run) ActionConfig(s *Site, mi int, key addr.InstanceKey, o Occasion) (value.V, diag.List) {
	keys, diags := r.ActionKeys(s, mi)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if key.IsAny() && !keys.IsUnknown() {
		keys = expand.Unknown(cty.DynamicVal, s.Action.Count != nil, s.Action.ForEach != nil)
	}
	t := r.tree(s.links, s.Module, mi)
	for _, l := range s.links {
		if l.site != nil && l.site == o.Own {
			t.put(o.OwnValue, resourcePath(l.ref)...)
		}
	}
	scope := ObjectScope(lang.NewScope(t.values(), r.functions(s)), keys, key)
	return s.Action.Body.Eval(scope.Child(map[string]cty.Value{"caller": orUnknown(o.Caller)}))
}

// RefersToCaller says whether the configuration of an action depends on who
// triggers it.
func (s *Site) RefersToCaller() bool {
	for _, l := range s.links {
		if l.ref.Kind == lang.RefCaller {
			return true
		}
	}
	return false
}

// Triggers says whether a condition lets a trigger through. known is false when
// that cannot be said yet.
func (t *ActionTrigger) Triggers(scope *lang.Scope) (yes, known bool, diags diag.List) {
	if t.Condition == nil {
		return true, true, nil
	}
	v, diags := t.Condition.Eval(scope, cty.Bool)
	bare := value.Strip(v).Cty()
	switch {
	case diags.HasErrors():
		return false, false, diags
	case !bare.IsKnown():
		return true, false, diags
	case bare.IsNull():
		return false, false, diags.Append(t.Condition.Annotate(diag.Err("Invalid condition",
			"The condition of an action_trigger must be true or false, and this one is null.").At(t.Condition.Range()), scope, lang.Causes{}))
	}
	return bare.True(), true, diags
}

// KeyVariables is what an instance that the configuration does not have any more
// sees of its own key: count.index or each.key.
func KeyVariables(key addr.InstanceKey) map[string]cty.Value {
	if n, ok := key.Int(); ok {
		return map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(n))})}
	}
	if k, ok := key.Str(); ok {
		return map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal(k)})}
	}
	return nil
}
