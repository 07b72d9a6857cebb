package configjson

import (
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
)

// providerConfig is a provider configuration, written or implied.
type providerConfig struct {
	key, name, alias, version string
	source                    addr.Provider
	module                    addr.Module
	block                     *config.Provider
}

// providerConfigs are all configurations of a tree by key: the ones that are
// written, the ones that are required, and the ones that resources imply.
func providerConfigs(root *config.Module) []providerConfig {
	found := map[string]*providerConfig{}
	collect(root, found)
	out := make([]providerConfig, 0, len(found))
	for _, p := range found {
		out = append(out, *p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].key < out[j].key })
	return out
}

func collect(m *config.Module, found map[string]*providerConfig) {
	for key, b := range m.Providers {
		_, _, source := config.ProviderFor(m, key)
		p := entry(m, key, source, found)
		p.block = b
		if p.version == "" {
			p.version = b.Version.Text
		}
	}
	for name, r := range m.Settings.Required {
		if m.Path.IsRoot() {
			entry(m, config.ProviderKey{Name: name}, r.Source, found)
		}
	}
	for _, r := range m.Resources {
		entry(m, r.Provider.ProviderKey, r.Source, found)
	}
	for _, a := range m.Actions {
		entry(m, a.Provider.ProviderKey, a.Source, found)
	}
	for _, name := range sorted(m.Children) {
		collect(m.Children[name], found)
	}
}

// entry finds or makes the configuration that key means in m.
func entry(m *config.Module, key config.ProviderKey, source addr.Provider, found map[string]*providerConfig) *providerConfig {
	home, local := homeOf(m, key)
	id := keyIn(home, local)
	if p := found[id]; p != nil {
		return p
	}
	p := &providerConfig{key: id, name: local.Name, alias: local.Alias, source: source, module: home.Path}
	if r := home.Settings.Required[local.Name]; r != nil {
		p.version = r.Version.Text
	}
	found[id] = p
	return p
}

// configKey is the key of the configuration that a resource of m uses.
func configKey(m *config.Module, key config.ProviderKey) string {
	return keyIn(homeOf(m, key))
}

// homeOf is the module whose configuration is meant. One that is configured
// nowhere counts as the asking module's.
func homeOf(m *config.Module, key config.ProviderKey) (*config.Module, config.ProviderKey) {
	home, local, _ := config.ProviderFor(m, key)
	if home == nil {
		return m, key
	}
	return home, local
}

func keyIn(home *config.Module, local config.ProviderKey) string {
	if home.Path.IsRoot() {
		return local.String()
	}
	return home.Path.String() + ":" + local.String()
}
