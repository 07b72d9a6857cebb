package evaluate

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Selection chooses an instance of a provider configuration with for_each for
// the objects of a resource.
type Selection struct {
	key *lang.Expr
	// call is the module call that passes the instance on, whose scope the key
	// is evaluated in; nil when the resource names the instance itself.
	call  *Site
	links []link
}

// selection compiles the key that goes with a resource's provider
// configuration, and checks that there is one where it is needed.
func (c *compiler) selection(s *Site, ref config.ProviderRef) *Selection {
	p := s.Resource.Provider
	at := ref.Range
	if at == (diag.Range{}) {
		at = s.Resource.Config.TypeRange
	}
	passed, scope := config.ProviderInstance(s.Module.Config, ref.ProviderKey)
	own := p.Module == s.Module
	switch {
	case ref.Key != nil && (!own || !p.Provider.repeats()):
		c.report(diag.Err("Invalid resource provider configuration",
			fmt.Sprintf("The provider configuration %s is a single one here, so there are no instances to choose from: no key can follow its name. Only a provider block with for_each in the same module has instances.", ref.ProviderKey)).At(at))
	case ref.Key != nil:
		if s.Resource.Config.Addr.Mode == addr.Managed {
			c.sameCollection(p.Provider.Config.ForEach, s.Resource.Config.ForEach, "resource", s)
		}
		s.aside = true
		defer func() { s.aside = false }()
		return &Selection{key: c.expr(s, ref.Key)}
	case !p.Provider.repeats():
	case own:
		c.report(diag.Err("Invalid resource provider configuration",
			fmt.Sprintf("The provider block %[1]s has for_each, so there is one configuration for each of its keys. Choose one of them: provider = %[1]s[KEY].", ref.ProviderKey)).At(at))
	case passed == nil:
		s.broken = true // reported at the call
	default:
		x, diags := lang.Compile(passed)
		c.diags = c.diags.With(diags)
		if x != nil {
			return &Selection{key: x, call: callFrom(s.Module, scope)}
		}
	}
	return nil
}

// callFrom is the call in a caller's module that leads to m.
func callFrom(m *Module, caller *config.Module) *Site {
	for m.Parent != nil && m.Parent.Config != caller {
		m = m.Parent
	}
	return m.Call
}

func (d *ProviderDecl) repeats() bool { return d.Config != nil && d.Config.ForEach != nil }

// passing checks the providers argument of a call: an instance is passed of a
// configuration that has several, and of no other.
func (c *compiler) passing(s *Site) {
	m := s.Module.Config
	for _, p := range s.Call.Config.Providers {
		owner, key, _ := config.ProviderFor(m, p.Parent.ProviderKey)
		if owner == nil {
			continue
		}
		block := owner.Providers[key]
		repeats := block != nil && block.ForEach != nil
		before, _ := config.ProviderInstance(m, p.Parent.ProviderKey)
		switch {
		case repeats && owner == m && p.Parent.Key == nil:
			c.report(diag.Err("Invalid module provider configuration",
				fmt.Sprintf("The provider block %[1]s has for_each, and a module takes one configuration, not all of them. Pass one instance: %[2]s = %[1]s[KEY].", p.Parent.ProviderKey, p.Child.ProviderKey)).At(p.Parent.Range))
		case p.Parent.Key != nil && repeats && owner == m:
			c.sameCollection(block.ForEach, s.Call.Config.ForEach, "module", s)
		case p.Parent.Key != nil && (!repeats || before != nil):
			c.report(diag.Err("Invalid module provider configuration",
				fmt.Sprintf("The provider configuration %s is a single one here, so there are no instances to choose from: no key can follow its name.", p.Parent.ProviderKey)).At(p.Parent.Range))
		}
	}
}

// sameCollection warns of objects whose provider instances come from the same
// collection: without its element an object is to be destroyed, and what would
// destroy it is gone.
func (c *compiler) sameCollection(providers, users hcl.Expression, what string, s *Site) {
	a, b := lang.Sole(providers), lang.Sole(users)
	if a == "" || a != b {
		return
	}
	c.report(diag.Warn("Provider configuration for_each matches "+what,
		fmt.Sprintf("The provider block has an instance for each element of %[1]s, and so has this %[2]s. When an element goes, its objects are to be destroyed, and the provider instance that would do it is gone: the plan will fail. Give the provider block a collection that keeps an element for one more apply, or destroy the objects first with -destroy -target=%[3]s.", a, what, s.Addr())).At(hcldiag.RangeOf(users.Range())))
}

// static refuses a for_each of a provider block that depends on objects: which
// configurations there are has to be known before any provider is asked.
func (c *compiler) static(s *Site, forEach *lang.Expr) {
	if forEach == nil {
		return
	}
	for _, l := range s.links {
		if l.site == nil || !slices.ContainsFunc(forEach.Refs(), func(r lang.Ref) bool { return r.Full == l.ref.Full }) {
			continue
		}
		found := c.firstDynamic(l.site)
		switch {
		case found == nil:
			continue
		case found.Kind == Variable:
			c.report(diag.Err("Unable to use variable in static context",
				fmt.Sprintf("The for_each of a provider block decides which provider configurations there are, which has to be known before anything else, and %s is declared with const = false.", found.Addr())).At(l.ref.Range))
		default:
			c.report(diag.Err("Dynamic value in static context",
				fmt.Sprintf("The for_each of a provider block decides which provider configurations there are, which has to be known before anything else. It cannot depend on %s; variables, local values and functions of them can be used.", found.Addr())).At(l.ref.Range))
		}
		s.broken = true
	}
}

// firstDynamic finds a resource, module call or variable that may not be used
// early among what a site's value comes from.
func (c *compiler) firstDynamic(s *Site) *Site {
	seen := map[int]bool{}
	stack := []*Site{s}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at.ID] {
			continue
		}
		seen[at.ID] = true
		switch at.Kind {
		case Resource, Call:
			return at
		case Variable:
			if may := at.Variable.Config.Const; may != nil && !*may {
				return at
			}
			stack = append(stack, ends(at.Variable.argLinks)...)
		case Local:
			stack = append(stack, ends(at.links)...)
		}
	}
	return nil
}

func ends(links []link) []*Site {
	var out []*Site
	for _, l := range links {
		if l.site != nil {
			out = append(out, l.site)
		}
	}
	return out
}

// ExpandProvider computes the instances of a provider configuration.
func (r *Run) ExpandProvider(s *Site) bool {
	r.keys[s.ID] = []expand.Keys{expand.Single()}
	if s.Provider.ForEach == nil || len(r.modules[s.Module.ID]) == 0 {
		return true
	}
	keys, diags := r.repeat(s, 0, s.Provider.Repetition)
	r.Report(diags)
	r.keys[s.ID][0] = keys
	return !diags.HasErrors()
}

// ProviderKeys are the instances of a provider configuration, set by
// ExpandProvider.
func (r *Run) ProviderKeys(s *Site) expand.Keys {
	if r.keys[s.ID] == nil {
		return expand.Single()
	}
	return r.keys[s.ID][0]
}

// ProviderOf says which provider configuration an object of a resource uses.
// own is the object's scope.
func (r *Run) ProviderOf(s *Site, mi int, own func() *lang.Scope) (addr.ProviderConfig, diag.List) {
	at := s.Resource.Provider.Provider.Addr
	sel := s.Resource.Selection
	if sel == nil {
		return at, nil
	}
	sc := r.selectionScope(s, mi, own)
	v, diags := sel.key.Eval(sc, cty.DynamicPseudoType)
	if diags.HasErrors() {
		return at, diags
	}
	key, d := instanceKey(v, sel.key.Range())
	if d != nil {
		return at, diags.Append(sel.key.Annotate(*d, sc, lang.Causes{Unknown: d.Unknown, Sensitive: d.Sensitive}))
	}
	at.Key = key
	return at, diags
}

func (r *Run) selectionScope(s *Site, mi int, own func() *lang.Scope) *lang.Scope {
	sel := s.Resource.Selection
	if sel.call == nil {
		return own()
	}
	m := s.Module
	for m.Call != sel.call {
		mi = r.modules[m.ID][mi].Parent
		m = m.Parent
	}
	inst := r.modules[m.ID][mi]
	return ObjectScope(lang.NewScope(r.names(sel.links, m.Parent, inst.Parent), r.functions(sel.call)), inst.keys, inst.Key)
}

// instanceKey is the key that a value names.
func instanceKey(v value.V, at diag.Range) (addr.InstanceKey, *diag.Diag) {
	fail := func(why string) (addr.InstanceKey, *diag.Diag) {
		d := diag.Err("Invalid provider instance key", "The key says which instance of the provider configuration is used. "+why).At(at)
		return addr.NoKey, &d
	}
	bare, marks := value.Split(v)
	str, err := convert.Convert(bare.Cty(), cty.String)
	switch {
	case len(marks.Only(value.Sensitive)) > 0:
		_, d := fail("It is stored and shown, so it cannot come from a sensitive value.")
		d.Sensitive = true
		return addr.NoKey, d
	case len(marks.Only(value.Ephemeral)) > 0:
		return fail("It is stored, so it cannot come from an ephemeral value.")
	case err != nil:
		return fail("It has to be a string: " + err.Error() + ".")
	case !str.IsKnown():
		_, d := fail("It has to be known when the plan is made, and here it depends on something that is known only after apply. Use keys that the configuration itself decides, such as each.key.")
		d.Unknown = true
		return addr.NoKey, d
	case str.IsNull():
		return fail("It cannot be null.")
	}
	return addr.StringKey(str.AsString()), nil
}

// Using finds what serves an object whose provider configuration is at: the
// site and the instance. s is the object's resource, nil where it is not
// declared.
func (p *Program) Using(s *Site, at addr.ProviderConfig) (*Site, addr.InstanceKey) {
	key := at.Key
	at.Key = addr.NoKey
	switch {
	case s == nil:
	case !s.Resource.Provider.Provider.repeats():
		return s.Resource.Provider, addr.NoKey
	case s.Resource.Provider.Provider.Addr == at:
		return s.Resource.Provider, key
	}
	return p.ProviderSite(at), key
}

// Unserved is the error of an object without a provider to ask.
func (p *Program) Unserved(object addr.AbsInstance, at addr.ProviderConfig) diag.Diag {
	if base := p.ProviderSite(at); base != nil && (base.Provider.repeats() || !at.Key.IsNone()) {
		return diag.Err("Provider instance not present",
			fmt.Sprintf("%s needs the provider instance %s, which is not there: the provider block's for_each has no such key. An instance has to stay until the objects that were made with it are destroyed, so a provider block and its resources cannot share one for_each collection from which elements are taken. Put the key back, destroy the object, and take the key away then.", object, at)).By(diag.Author)
	}
	return diag.Err("Provider configuration not present",
		fmt.Sprintf("%s is in the state, but its provider configuration %s is not in the configuration any more. Put the provider block back until the object is destroyed, or remove the object from the state.", object, at)).By(diag.Author)
}
