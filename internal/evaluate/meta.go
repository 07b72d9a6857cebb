package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
)

// meta is what a module tells a provider in the calls about its objects: the value of
// its provider_meta block, the zero value where it has none. It is found, and what is
// wrong with it reported, when the first object of the provider asks for it.
func (c *compiler) meta(m *Module, source addr.Provider) value.Bare {
	if v, known := m.metas[source]; known {
		return v
	}
	if m.metas == nil {
		m.metas = map[addr.Provider]value.Bare{}
	}
	m.metas[source] = value.Bare{}
	for name, block := range m.Config.Settings.Meta {
		if _, _, is := config.ProviderFor(m.Config, config.ProviderKey{Name: name}); is == source {
			m.metas[source] = c.metaValue(source, block)
		}
	}
	return m.metas[source]
}

// metaValue evaluates a provider_meta block. Loading has seen to it that it refers to
// nothing.
func (c *compiler) metaValue(source addr.Provider, block *config.ProviderMeta) value.Bare {
	schemas := c.schemasOf(source)
	if schemas == nil {
		return value.Bare{}
	}
	of := schemas.Meta()
	if of == nil {
		c.report(diag.Err(fmt.Sprintf("Provider %s doesn't support provider_meta", source),
			"The module has something to tell the provider, which takes no such thing in this version. Remove the block, or use a version that does.").At(block.Range))
		return value.Bare{}
	}
	body, diags := lang.CompileBody(block.Config, of)
	c.diags = c.diags.With(diags)
	if diags.HasErrors() {
		return value.Bare{}
	}
	v, diags := body.Eval(lang.NewScope(nil, nil))
	c.diags = c.diags.With(diags)
	if diags.HasErrors() {
		return value.Bare{}
	}
	bare, _ := value.Split(v)
	return bare
}
