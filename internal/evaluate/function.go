package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
)

// readFunction checks a call of a provider's function.
func (c *compiler) readFunction(s *Site, f lang.FuncRef) bool {
	m := s.Module.Config
	if m.Settings.Required[f.Provider] == nil {
		c.report(diag.Err("Unknown provider function",
			fmt.Sprintf("There is no provider %q in required_providers, so %s cannot be called. Provider functions are called by the local name under which the provider is required.", f.Provider, f)).At(f.Range))
		return false
	}
	owner, _, source := config.ProviderFor(m, config.ProviderKey{Name: f.Provider, Alias: f.Alias})
	if owner == nil {
		c.report(diag.Err("Unknown provider function",
			fmt.Sprintf("%s asks the provider configuration %s.%s, and there is no provider block with this alias here, nor is one passed to the module.", f, f.Provider, f.Alias)).At(f.Range))
		return false
	}
	schemas := c.schemasOf(source)
	if schemas == nil {
		return false
	}
	if schemas.Functions()[f.Name] == nil {
		c.report(diag.Err("Unknown provider function",
			fmt.Sprintf("The provider %s has no function %q.%s", source.Display(), f.Name, lang.DidYouMean(f.Name, sorted(schemas.Functions())))).At(f.Range))
		return false
	}
	return true
}

func providerOf(m *Module, f lang.FuncRef) (addr.ProviderConfig, bool) {
	owner, key, source := config.ProviderFor(m.Config, config.ProviderKey{Name: f.Provider, Alias: f.Alias})
	if owner == nil {
		return addr.ProviderConfig{}, false
	}
	return addr.ProviderConfig{Module: owner.Path, Provider: source, Alias: key.Alias}, true
}
