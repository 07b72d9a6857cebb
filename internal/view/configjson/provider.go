package configjson

import (
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// providerConfig is a provider configuration, written or implied.
type providerConfig struct {
	key, name, alias, version string
	source                    addr.Provider
	module                    addr.Module
	block                     *config.Provider
}

// homes finds the modules under whose addresses provider configurations are shown.
// named has what the modules of a tree call providers, by requiring, configuring or
// using them.
type homes struct {
	named map[*config.Module]map[string]bool
}

func homesIn(root *config.Module) homes {
	h := homes{map[*config.Module]map[string]bool{}}
	h.add(root)
	return h
}

func (h homes) add(m *config.Module) {
	named := map[string]bool{}
	for name := range m.Settings.Required {
		named[name] = true
	}
	for key := range m.Providers {
		named[key.Name] = true
	}
	for _, r := range m.Resources {
		named[r.Provider.Name] = true
	}
	for _, a := range m.Actions {
		named[a.Provider.Name] = true
	}
	h.named[m] = named
	for _, child := range m.Children {
		h.add(child)
	}
}

// of is the home of the configuration that key means in m: the module whose block
// configures it, or the uppermost that it is inherited from, each module on the way
// calling it by this name. One that is configured nowhere is the asking module's.
func (h homes) of(m *config.Module, key config.ProviderKey) (*config.Module, config.ProviderKey) {
	owner, at, _ := config.ProviderFor(m, key)
	if owner != nil && !owner.Path.IsRoot() {
		return owner, at
	}
	for m.Parent != nil {
		up, passed := config.PassedFrom(m, key)
		if !passed && (key.Alias != "" || !h.named[m.Parent][key.Name] || m.ProviderSource(key.Name) != m.Parent.ProviderSource(key.Name)) {
			break
		}
		m, key = m.Parent, up
	}
	return m, key
}

// key is the key of the configuration that something in m uses.
func (h homes) key(m *config.Module, key config.ProviderKey) string { return keyIn(h.of(m, key)) }

// providerConfigs are all configurations of a tree by key: the ones that are
// written, the ones that are required, and the ones that resources imply.
func (h homes) providerConfigs(root *config.Module) []providerConfig {
	found := map[string]*providerConfig{}
	h.collect(root, found)
	out := make([]providerConfig, 0, len(found))
	for _, p := range found {
		out = append(out, *p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].key < out[j].key })
	return out
}

func (h homes) collect(m *config.Module, found map[string]*providerConfig) {
	for key, b := range m.Providers {
		_, _, source := config.ProviderFor(m, key)
		p := h.entry(m, key, source, found)
		p.block = b
		if p.version == "" {
			p.version = constraint(b.Version.Text)
		}
	}
	for name, r := range m.Settings.Required {
		h.entry(m, config.ProviderKey{Name: name}, r.Source, found)
	}
	for _, r := range m.Resources {
		h.entry(m, r.Provider.ProviderKey, r.Source, found)
	}
	for _, a := range m.Actions {
		h.entry(m, a.Provider.ProviderKey, a.Source, found)
	}
	for _, name := range sorted(m.Children) {
		h.collect(m.Children[name], found)
	}
}

// entry finds or makes the configuration that key means in m.
func (h homes) entry(m *config.Module, key config.ProviderKey, source addr.Provider, found map[string]*providerConfig) *providerConfig {
	home, local := h.of(m, key)
	id := keyIn(home, local)
	if p := found[id]; p != nil {
		return p
	}
	p := &providerConfig{key: id, name: local.Name, alias: local.Alias, source: source, module: home.Path}
	if r := home.Settings.Required[local.Name]; r != nil {
		p.version = constraint(r.Version.Text)
	}
	found[id] = p
	return p
}

// constraint is a version constraint in its usual form.
func constraint(text string) string {
	if text == "" {
		return ""
	}
	if usual, err := lockfile.Normalise(text); err == nil {
		return usual
	}
	return text
}

func keyIn(home *config.Module, local config.ProviderKey) string {
	if home.Path.IsRoot() {
		return local.String()
	}
	return home.Path.String() + ":" + local.String()
}
