package evaluate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/order"
)

// link finds the sites that a site's references lead to.
func (c *compiler) link(s *Site) {
	for i := range s.links {
		before := len(c.diags)
		l := &s.links[i]
		l.site = c.resolve(s.Module, l.ref, s)
		c.scoped(l.ref, l.site, s)
		if c.diags[before:].HasErrors() {
			s.lose(l.ref.Full)
		}
		if l.site == s && s.Kind == Resource {
			c.own(s, *l)
		}
		c.selfAbsent(s, *l)
	}
	if s.Kind == Variable && s.Variable.Arg != nil {
		for _, r := range s.Variable.Arg.Refs() {
			before := len(c.diags)
			s.Variable.argLinks = append(s.Variable.argLinks, link{ref: r, site: c.resolve(s.Module.Parent, r, s)})
			if c.diags[before:].HasErrors() {
				s.lose(r.Full)
			}
		}
	}
	if s.Kind == Resource {
		if sel := s.Resource.Selection; sel != nil && sel.call != nil {
			for _, r := range sel.key.Refs() {
				sel.links = append(sel.links, link{ref: r, site: c.resolve(sel.call.Module, r, sel.call)})
			}
		}
		for i := range s.Resource.Triggers {
			t := &s.Resource.Triggers[i]
			t.Site = c.Program.resolveResource(s.Module, t.Ref)
		}
		c.linkActions(s)
	}
}

// resolve finds the site of a reference in module m and reports a reference to
// nothing. References that lead to no site give nil.
func (c *compiler) resolve(m *Module, r lang.Ref, from *Site) *Site {
	if from != nil && from.Kind == Question {
		if s, ok := c.asking(m, r); ok {
			return s
		}
	}
	switch r.Kind {
	case lang.RefVar:
		return c.found(m.variables, r, m)
	case lang.RefLocal:
		if s := m.locals[r.Name]; s != nil && s == from {
			c.report(diag.Err("Self-referencing local value",
				fmt.Sprintf("The value of %s is computed from itself, so it has no beginning.", s.Addr())).At(r.Range))
			return nil
		}
		return c.found(m.locals, r, m)
	case lang.RefModule:
		call := c.found(m.calls, r, m)
		if d := wrongOutput(r, call); d != nil {
			c.report(*d)
			return nil
		}
		if call != nil && call.Call.Module != nil && from != nil {
			c.deprecatedOutput(m, call.Call.Module, r)
		}
		return call
	case lang.RefResource:
		s := c.resolveResource(m, r)
		if s == nil {
			if from.triggeredBy(r) {
				c.report(noTrigger(r, from))
			} else {
				c.report(noResource(r, m))
			}
			return nil
		}
		if d := wrongKey(r, s); d != nil {
			c.report(*d)
			return s
		}
		if s.Resource != nil && s.Resource.Schema != nil && s.Resource.List == nil {
			c.diags = c.diags.With(lang.CheckPath(r.Remaining, s.Resource.Schema.Block))
			if from != nil && from != s {
				c.deprecatedAttribute(m, s, r)
			}
		}
		return s
	default:
		c.diags = c.diags.With(c.available(r, from))
	}
	return nil
}

// scoped reports a reference to the data source of a check block from elsewhere.
func (c *compiler) scoped(r lang.Ref, target, from *Site) {
	if target == nil || target == from || target.Resource == nil || target.Resource.Config.Check == "" {
		return
	}
	if from.Kind == Check && from.Check.Config.Name == target.Resource.Config.Check {
		return
	}
	c.report(diag.Err("Reference to scoped resource",
		fmt.Sprintf("%s belongs to the check block %q, and only the conditions in there can refer to it. Declare it outside of the block to use it here.", r.Resource, target.Resource.Config.Check)).At(r.Range))
}

// dependable reports what depends_on cannot name, and gives what is left of the
// reference.
func (c *compiler) dependable(s *Site, r lang.Ref) lang.Ref {
	switch {
	case r.Kind == lang.RefResource && len(r.Remaining) > 0:
		c.report(diag.Err("Invalid depends_on reference",
			fmt.Sprintf("What is waited for is all of an object, not an attribute of it. Write %s.", r.String())).At(hcldiag.RangeOf(r.Remaining.SourceRange())))
		r.Remaining = nil
	case r.Kind == lang.RefEach || r.Kind == lang.RefCount:
		c.diags = c.diags.With(c.available(r, s))
	}
	return r
}

// triggeredBy says whether the reference is an element of replace_triggered_by.
func (s *Site) triggeredBy(r lang.Ref) bool {
	return s != nil && s.Resource != nil && slices.ContainsFunc(s.Resource.Triggers, func(t Trigger) bool { return t.Ref.Full == r.Full })
}

// selfAbsent reports self where there is no object that it could mean.
func (c *compiler) selfAbsent(s *Site, l link) {
	if l.ref.Kind != lang.RefSelf || l.object {
		return
	}
	if s.Kind == Resource {
		c.report(unavailable(l.ref))
		s.lose(l.ref.Full)
	}
	if l.aside && (s.Kind == Resource || s.Kind == Output) {
		// Tools count that the condition, which is evaluated nevertheless, fails.
		c.report(diag.Err("Unknown variable", `There is no variable named "self".`).At(l.ref.Range))
	}
}

// own notes a reference of a resource to itself. What is evaluated when the
// object exists may use it; anything else cannot be planned.
func (c *compiler) own(s *Site, l link) {
	if l.after {
		s.Resource.own = append(s.Resource.own, l.ref)
		return
	}
	c.selves = append(c.selves, selfReference(l.ref, s))
}

// available reports each, count and self where they mean nothing.
func (c *compiler) available(r lang.Ref, from *Site) diag.List {
	if from == nil {
		return nil
	}
	if wrong := lang.CheckName(r); len(wrong) > 0 {
		return wrong
	}
	ok := true
	rep := from.repetition()
	switch r.Kind {
	case lang.RefCount:
		ok = rep.Count != nil
	case lang.RefEach:
		ok = rep.ForEach != nil
	case lang.RefSelf:
		ok = from.Kind == Resource
	case lang.RefCaller:
		ok = from.Kind == Action
	case lang.RefAction:
		ok = false
	}
	if !ok {
		return diag.List{unavailable(r)}
	}
	return nil
}

// repetition is that of the site, or for a module's variable that of the call.
func (s *Site) repetition() Repetition {
	switch s.Kind {
	case Resource:
		return s.Resource.Repetition
	case Call:
		return s.Call.Repetition
	case Provider:
		return s.Provider.Repetition
	case Import:
		return s.Import.Repetition
	case Action:
		return s.Action.Repetition
	case Variable:
		if s.Module.Call != nil {
			return s.Module.Call.Call.Repetition
		}
	}
	return Repetition{}
}

func (p *Program) resolveResource(m *Module, r lang.Ref) *Site { return m.resources[r.Resource] }

// found is the site that r names among those of module m that are of its kind. The
// names are put into order for a report only: a reference costs one look-up.
func (c *compiler) found(sites map[string]*Site, r lang.Ref, m *Module) *Site {
	s := sites[r.Name]
	if s == nil {
		c.report(lang.Undeclared(r, slices.Collect(maps.Keys(sites)), moduleName(m)))
	}
	return s
}

// gather computes what each site reads.
func (c *compiler) gather() {
	for _, s := range c.sites {
		if s.Kind == Call && s.Call.Module != nil {
			s.Call.Module.gatherOutputs()
		}
	}
	for _, s := range c.sites {
		s.depend(s.links)
		if s.Kind == Variable {
			s.depend(s.Variable.argLinks)
		}
		if s.Module.Call != nil {
			s.read(s.Module.Call)
		}
		for _, ref := range s.depends {
			c.guard(s, func() { s.waits = append(s.waits, c.dependTargets(s, c.dependable(s, ref))...) })
		}
		for _, t := range s.waits {
			s.read(t)
		}
		for _, f := range s.functions {
			c.guard(s, func() {
				if !c.readFunction(s, f) {
					s.lose(f.Range)
				}
			})
		}
		switch s.Kind {
		case Resource:
			c.gatherResource(s)
		case Call:
			c.gatherCall(s)
		case Action:
			s.read(s.Action.Provider)
		case Provider:
			c.static(s, s.Provider.ForEach)
		case Import:
			if target := c.Resource(within(s.Module.Config.Path, s.Import.Config.Resource)); target != nil {
				target.read(s)
			}
		}
	}
	c.gatherActions()
	for _, s := range c.sites {
		slices.Sort(s.Reads)
		s.forgetPicks()
		s.Reads = slices.Compact(s.Reads)
	}
	c.createFirst()
}

// createFirst spreads create_before_destroy from the resources that ask for it
// to what they depend on. What depends on them is a matter of what is replaced,
// which only a plan knows.
func (c *compiler) createFirst() {
	index := map[*Site]int{}
	var resources []*Site
	for _, s := range c.sites {
		if s.Kind == Resource && s.Resource != nil {
			index[s] = len(resources)
			resources = append(resources, s)
		}
	}
	if !slices.ContainsFunc(resources, func(s *Site) bool { return s.Resource.Config.Lifecycle.CreateBeforeDestroy }) {
		return
	}
	sites := make([]order.Site, len(resources))
	for i, s := range resources {
		sites[i].CreateFirst = s.Resource.Config.Lifecycle.CreateBeforeDestroy
		for _, d := range c.Direct(s) {
			sites[i].Deps = append(sites[i].Deps, index[d])
		}
	}
	for i, sp := range order.Spread(sites, false) {
		resources[i].Resource.CreateFirst = sp.CreateFirst
	}
}

// within puts a resource address of a module into the whole configuration.
func within(m addr.Module, r addr.ConfigResource) addr.ConfigResource {
	for _, name := range r.Module.Names() {
		m = m.Child(name)
	}
	r.Module = m
	return r
}

func (c *compiler) gatherResource(s *Site) {
	if s.Resource.Provider != nil {
		s.read(s.Resource.Provider)
	}
	if sel := s.Resource.Selection; sel != nil {
		s.depend(sel.links)
	}
	for _, t := range s.Resource.Triggers {
		if t.Site != nil {
			s.read(t.Site)
		}
	}
	s.Resource.DependsOn = append(s.Resource.DependsOn, s.waits...)
	if s.Resource.Addr.Resource.Mode == addr.Data {
		c.dataDependsOn(s)
	}
	for m := s.Module; m.Call != nil; m = m.Parent {
		s.Resource.DependsOn = append(s.Resource.DependsOn, m.Call.waits...) // callers come first
	}
}

// dataDependsOn treats the managed resources that a data source names as if
// depends_on named them: who refers to a resource wants it to be there first,
// even when the value is known already.
func (c *compiler) dataDependsOn(s *Site) {
	for _, l := range s.links {
		if l.site != nil && l.site.Kind == Resource && l.site.Resource.Addr.Resource.Mode == addr.Managed {
			s.Resource.DependsOn = append(s.Resource.DependsOn, l.site)
		}
	}
}

// gatherCall lets the call's closing site wait for everything in the module.
func (c *compiler) gatherCall(s *Site) {
	if s.Call.Module == nil {
		return
	}
	done, m := s.Call.done, s.Call.Module
	done.read(s)
	for _, r := range m.resources {
		done.read(r)
	}
	for _, o := range m.outputs {
		done.read(o)
	}
	for _, call := range m.calls {
		if call.Call.done != nil {
			done.read(call.Call.done)
		}
	}
}

// dependTargets are the sites that a depends_on entry of a site waits for.
func (c *compiler) dependTargets(from *Site, r lang.Ref) []*Site {
	s := c.resolve(from.Module, r, nil)
	c.scoped(r, s, from)
	switch {
	case s == nil:
		return nil
	case s.Kind == Call && r.Output == "":
		if s.Call.done != nil {
			return []*Site{s, s.Call.done}
		}
	case s.Kind == Call:
		if o := s.Call.Module.outputs[r.Output]; o != nil {
			return []*Site{o}
		}
	}
	return []*Site{s}
}

// depend reads what references lead to: of a module call its expansion and the
// output that is named. Where none is, as in module.m[each.key].out, whose key says
// nothing before it is evaluated, or in a for expression over module.m, it waits for
// all that the module declares, as with depends_on. That is recorded in the state, and
// relied upon: what an output is made of is often there before it is of use.
func (s *Site) depend(links []link) {
	for _, l := range links {
		if l.site == nil || l.site == s {
			continue
		}
		s.read(l.site)
		if l.site.Kind == Resource && l.ref.HasKey {
			s.pick(l.site, l.ref.Key)
		}
		if l.site.Kind == Call && l.site.Call.Module != nil {
			for _, o := range outputsOf(l) {
				s.read(o)
			}
			if l.ref.Output == "" {
				s.read(l.site.Call.done)
			}
		}
	}
}

// gatherOutputs lists the outputs once for all that refer to the module as a whole.
func (m *Module) gatherOutputs() {
	for _, name := range sorted(m.outputs) {
		m.whole = append(m.whole, m.outputs[name])
	}
}

// outputsOf are the output sites that the value of a reference to a module call needs.
func outputsOf(l link) []*Site {
	outputs := l.site.Call.Module.outputs
	if o := outputs[l.ref.Output]; o != nil && l.ref.Output != "" {
		return []*Site{o}
	}
	return l.site.Call.Module.whole
}

func (s *Site) read(o *Site) {
	if o != s {
		s.Reads = append(s.Reads, o.ID)
	}
}

func (s *Site) pick(o *Site, key addr.InstanceKey) {
	if s.picks == nil {
		s.picks = map[int][]addr.InstanceKey{}
	}
	s.picks[o.ID] = append(s.picks[o.ID], key)
}

// forgetPicks forgets single instances of what is read as a whole, too: then it
// has more reads, which are sorted, than picks.
func (s *Site) forgetPicks() {
	for id, keys := range s.picks {
		at, _ := slices.BinarySearch(s.Reads, id)
		if end := at + len(keys); end < len(s.Reads) && s.Reads[end] == id {
			delete(s.picks, id)
		}
	}
}

// Picks are the resources of which s reads single instances only, and these: what
// becomes of the others is nothing to it. They are the same in every instance of
// the module.
func (s *Site) Picks() map[int][]addr.InstanceKey { return s.picks }
