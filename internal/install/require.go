package install

import (
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// Requirement is a provider that is needed, with the version constraints of
// all modules.
type Requirement struct {
	Provider    addr.Provider
	Constraints []string
	// InConfig is false for a provider that only objects in the state need.
	InConfig bool
}

// text is the normalised constraint of the requirement.
func (r Requirement) text() (string, error) { return lockfile.Normalise(r.Constraints...) }

// Required collects the providers that the modules of a configuration and of its
// tests need, and the objects of a state, sorted by address. A test file only says
// how they are configured or what stands in for them.
func Required(t *config.Tree, inState []addr.Provider) []Requirement {
	by := map[addr.Provider]*Requirement{}
	need := func(p addr.Provider) *Requirement {
		if by[p] == nil {
			by[p] = &Requirement{Provider: p}
		}
		return by[p]
	}
	for _, p := range inState {
		need(p)
	}
	wanted := func(p addr.Provider, constraint string) {
		r := need(p)
		r.InConfig = true
		if constraint != "" {
			r.Constraints = append(r.Constraints, constraint)
		}
	}
	for _, tree := range t.Trees() {
		for _, m := range tree.Modules() {
			requiredBy(m, wanted)
		}
	}
	out := make([]Requirement, 0, len(by))
	for _, r := range by {
		sort.Strings(r.Constraints)
		out = append(out, *r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Provider.Less(out[j].Provider) })
	return out
}

func requiredBy(m *config.Module, need func(addr.Provider, string)) {
	for _, r := range m.Settings.Required {
		need(r.Source, r.Version.Text)
	}
	for key, p := range m.Providers {
		need(m.ProviderSource(key.Name), p.Version.Text)
	}
	for _, r := range m.Resources {
		need(r.Source, "")
	}
	for _, a := range m.Actions {
		need(a.Source, "")
	}
	for _, i := range m.Imports {
		if i.ProviderSet {
			need(m.ProviderSource(i.Provider.Name), "")
		} else if target := m.Descendant(i.Resource.Module); target == nil || target.Resources[i.Resource.Resource] == nil {
			need(m.ProviderSource(config.ImpliedProviderName(i.Resource.Resource.Type)), "")
		}
	}
}
