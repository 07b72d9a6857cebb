package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// ProviderFor finds the configuration that a module means by a provider's
// local name and alias: it follows what calls pass down up to the module whose
// provider block configures it. Where there is no block, a default
// configuration is the implied empty one of the root module; owner is nil when
// an aliased one is configured nowhere. One that the root module expects of its
// callers, of which there are none, is its own.
func ProviderFor(m *Module, key ProviderKey) (owner *Module, at ProviderKey, source addr.Provider) {
	owner, at, _, _ = follow(m, key)
	return owner, at, m.ProviderSource(key.Name)
}

// PassedFrom is the key of the provider configuration in the calling module that the
// call of m passes as key; without a word about it, the one of the same name.
func PassedFrom(m *Module, key ProviderKey) (up ProviderKey, passed bool) {
	if p, ok := m.Call.passes(key); ok {
		return p.Parent.ProviderKey, true
	}
	return key, false
}

// ProviderInstance is the key expression that selects an instance of a
// provider block with for_each where a call passes one on, with the module
// whose scope it is evaluated in. It is nil where no call does.
func ProviderInstance(m *Module, key ProviderKey) (hcl.Expression, *Module) {
	_, _, instance, scope := follow(m, key)
	return instance, scope
}

func follow(m *Module, key ProviderKey) (owner *Module, at ProviderKey, instance hcl.Expression, scope *Module) {
	source := m.ProviderSource(key.Name)
	for ; m.Parent != nil; m = m.Parent {
		passed, ok := m.Call.passes(key)
		switch {
		case ok:
			key = passed.Parent.ProviderKey
			if passed.Parent.Key != nil && instance == nil {
				instance, scope = passed.Parent.Key, m.Parent
			}
			source = m.Parent.ProviderSource(key.Name)
		case m.configures(key), key.Alias != "" && m.Providers[key] != nil:
			return m, key, instance, scope
		case key.Alias != "":
			return nil, key, instance, scope
		default:
			key = m.Parent.defaultKey(source)
		}
	}
	if !m.has(key) {
		return nil, key, instance, scope
	}
	return m, key, instance, scope
}

// configures says whether a called module has a provider block of its own that
// says something. An empty one only announces that it will be passed; if it has
// an alias and is not passed, it stands for itself.
func (m *Module) configures(key ProviderKey) bool {
	p := m.Providers[key]
	return p != nil && (p.Mock || p.ForEach != nil || !emptyBody(p.Config))
}

func emptyBody(b hcl.Body) bool {
	if m, ok := b.(merged); ok {
		return emptyBody(m.base) && emptyBody(m.over)
	}
	attrs, diags := b.JustAttributes()
	return len(attrs) == 0 && len(diags) == 0
}

func (c *ModuleCall) passes(key ProviderKey) (PassedProvider, bool) {
	for _, p := range c.Providers {
		if p.Child.ProviderKey == key {
			return p, true
		}
	}
	return PassedProvider{}, false
}

// defaultKey names the default configuration of a provider in m. A module that
// has no local name for it knows it under its full address, which no local name
// can be.
func (m *Module) defaultKey(source addr.Provider) ProviderKey {
	if name, ok := m.ProviderName(source); ok {
		return ProviderKey{Name: name}
	}
	return ProviderKey{Name: source.String()}
}

// validateProviders checks that what modules pass and what they use fits.
func validateProviders(t *Tree, r Reading) diag.List {
	v := &providerCheck{incompatible: "Module is incompatible with count, for_each, and depends_on"}
	if r.Enabled {
		v.incompatible = "Module is incompatible with count, for_each, enabled and depends_on"
	}
	for _, m := range t.Modules() {
		if m.Parent != nil {
			v.passed(m)
			v.required(m)
			v.nested(m)
		}
		v.used(m)
		for _, i := range m.Imports {
			v.diags = v.diags.With(i.providerAgrees(m))
		}
	}
	return v.diags
}

// providerCheck collects what is wrong; incompatible is what the dialect says of
// modules with provider blocks of their own that are repeated or delayed.
type providerCheck struct {
	diags        diag.List
	incompatible string
}

// repeats is where the call is repeated or delayed, nil when it is not.
func (c *ModuleCall) repeats() *diag.Range {
	at := c.Range
	switch {
	case c.Count != nil:
		at = hcldiag.RangeOf(c.Count.Range())
	case c.ForEach != nil:
		at = hcldiag.RangeOf(c.ForEach.Range())
	case c.Enabled != nil:
		at = hcldiag.RangeOf(c.Enabled.Range())
	case len(c.DependsOn) > 0:
		at = hcldiag.RangeOf(c.DependsOn[0].SourceRange())
	default:
		return nil
	}
	return &at
}

func (v *providerCheck) err(at diag.Range, summary, detail string) {
	v.diags = v.diags.Append(diag.Err(summary, detail).At(at))
}

// has says whether m has a configuration, its own or one that is passed.
func (m *Module) has(key ProviderKey) bool {
	return key.Alias == "" || m.Providers[key] != nil || m.Expects(key)
}

// Expects says whether a configuration is among the configuration_aliases of m:
// who calls m passes it.
func (m *Module) Expects(key ProviderKey) bool {
	r := m.Settings.Required[key.Name]
	return r != nil && slices.Contains(r.Aliases, key)
}

// passed checks the providers argument of the call of m.
func (v *providerCheck) passed(m *Module) {
	for _, p := range m.Call.Providers {
		from, to := m.Parent.ProviderSource(p.Parent.Name), m.ProviderSource(p.Child.Name)
		switch {
		case from != to:
			v.err(p.Parent.Range, "Provider type mismatch", "The local name \""+p.Parent.Name+"\" stands for "+from.String()+" here, but \""+p.Child.Name+"\" in "+m.Path.String()+" stands for "+to.String()+".")
		case !m.Parent.has(p.Parent.ProviderKey):
			v.err(p.Parent.Range, "Provider configuration not present", "The module that makes this call has no provider configuration "+p.Parent.ProviderKey.String()+" to pass.")
		case m.configures(p.Child.ProviderKey):
			v.err(p.Child.nameRange(), "Cannot override provider configuration", "Module "+m.Path.String()+" has a provider block for "+p.Child.ProviderKey.String()+" at "+m.Providers[p.Child.ProviderKey].Range.String()+", so it cannot be passed one. Remove that block, and list the provider in required_providers instead.")
		}
		v.named(m.Parent, m, p)
	}
}

// named warns of names in a providers argument that nobody declares.
func (v *providerCheck) named(parent, m *Module, p PassedProvider) {
	warn := func(at diag.Range, detail string) {
		v.diags = v.diags.Append(diag.Warn("Reference to undefined provider", detail).At(at))
	}
	assumed := func(ref ProviderRef, in *Module, where string) {
		warn(ref.nameRange(), "There is no entry for \""+ref.Name+"\" in the required_providers of "+where+", so it is taken to be "+in.ProviderSource(ref.Name).String()+". Add the entry to make that explicit.")
	}
	announced := m.Providers[p.Child.ProviderKey] != nil && !m.configures(p.Child.ProviderKey)
	switch {
	case announced:
	case p.Child.Alias == "" && m.Settings.Required[p.Child.Name] == nil:
		assumed(p.Child, m, m.Path.String())
	case !m.has(p.Child.ProviderKey):
		warn(p.Child.nameRange(), "Module "+m.Path.String()+" does not declare a provider configuration "+p.Child.ProviderKey.String()+", so nothing in it uses what is passed. It would declare it with configuration_aliases in its required_providers.")
	}
	if p.Parent.Alias == "" && parent.Settings.Required[p.Parent.Name] == nil {
		assumed(p.Parent, parent, "this module")
	}
}

// nameRange is where the local name stands, without the alias.
func (r ProviderRef) nameRange() diag.Range {
	at := r.Range
	at.End = at.Start
	at.End.Column += len(r.Name)
	at.End.Byte += len(r.Name)
	return at
}

// required checks that m is passed the aliases it asks for.
func (v *providerCheck) required(m *Module) {
	for _, name := range sortedKeys(m.Settings.Required) {
		for _, alias := range m.Settings.Required[name].Aliases {
			if _, ok := m.Call.passes(alias); !ok && !m.configures(alias) {
				v.err(m.Call.Range, "Missing required provider configuration", "Module "+m.Path.String()+" needs a provider configuration "+alias.String()+" ("+m.ProviderSource(alias.Name).String()+"). Pass one with a providers argument: providers = { "+alias.String()+" = ... }.")
			}
		}
	}
}

// nested refuses to repeat or delay a module with configurations of its own:
// they have to outlive the objects made with them.
func (v *providerCheck) nested(m *Module) {
	for _, key := range sortedProviders(m) {
		if !m.configures(key) {
			v.diags = v.diags.Append(diag.Warn("Redundant empty provider block", "An empty provider block in a called module has no effect. List the provider in required_providers instead.").At(m.Providers[key].Range))
			continue
		}
		for c := m; c.Parent != nil; c = c.Parent {
			if at := c.Call.repeats(); at != nil {
				v.err(*at, v.incompatible, "Module "+m.Path.String()+" has a provider block of its own at "+m.Providers[key].Range.String()+". Such a module can be called once only and without depends_on, because its providers have to be there as long as the objects they made. Move the provider block to the caller and pass the configuration on.")
				break
			}
		}
	}
}

func sortedProviders(m *Module) []ProviderKey {
	by := map[string]ProviderKey{}
	for key := range m.Providers {
		by[key.String()] = key
	}
	out := make([]ProviderKey, 0, len(by))
	for _, s := range sortedKeys(by) {
		out = append(out, by[s])
	}
	return out
}

// used checks that the aliases that resources and actions name exist.
func (v *providerCheck) used(m *Module) {
	by := map[string]ProviderRef{}
	for a, r := range m.Resources {
		if r.ProviderSet && !m.has(r.Provider.ProviderKey) {
			by[addr.ConfigResource{Module: m.Path, Resource: a}.String()] = r.Provider
		}
	}
	for key, x := range m.Actions {
		if x.ProviderSet && !m.has(x.Provider.ProviderKey) {
			by[key.in(m)] = x.Provider
		}
	}
	for _, at := range sortedKeys(by) {
		ref := by[at]
		v.diags = v.diags.Append(diag.Err("Provider configuration not present", "There is no provider configuration "+ref.ProviderKey.String()+" in this module. Add a provider block with that alias, or name it in configuration_aliases to have it passed.").At(ref.Range).For(at))
	}
}
