package evaluate

import (
	"maps"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
)

// resources are the resources that a module declares, and in the root module
// those that import blocks name and whose configuration is generated.
func (c *compiler) resources(m *config.Module) map[addr.Resource]*config.Resource {
	if !m.Path.IsRoot() || c.opts.Generate == nil && len(c.opts.Generated) == 0 {
		return m.Resources
	}
	out := maps.Clone(m.Resources)
	if out == nil {
		out = map[addr.Resource]*config.Resource{}
	}
	for _, i := range m.Imports {
		r := i.Resource.Resource
		if out[r] != nil || !i.Single() || !i.Resource.Module.IsRoot() {
			continue
		}
		cfg := m.Undeclared(i)
		if text, ok := c.opts.Generated[r]; ok {
			body, diags := config.ParseResource(text, GeneratedName(r))
			c.diags = c.diags.With(diags)
			cfg.Config = body
		} else if c.opts.Generate == nil || !c.opts.Generate(r) {
			continue
		}
		out[r] = cfg
	}
	return out
}

// GeneratedName stands for the file that generated text will be in, in the places of
// diagnostics.
func GeneratedName(r addr.Resource) string { return "<generated configuration of " + r.String() + ">" }

// Written is the site of a resource whose configuration has been generated.
func (p *Program) Written(s *Site, text string) (*Site, diag.List) {
	src, diags := config.ParseResource(text, GeneratedName(s.Resource.Addr.Resource))
	if diags.HasErrors() {
		return s, diags
	}
	body, diags := lang.CompileBody(src, s.Resource.Schema.Block)
	if diags.HasErrors() {
		return s, diags
	}
	decl := *s.Resource
	decl.Body, decl.Generated = body, false
	out := *s
	out.Resource = &decl
	return &out, diags
}
