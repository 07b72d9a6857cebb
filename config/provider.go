package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

func (d *decoder) provider(b *hcl.Block, out *declared) {
	c, rest := d.partial(b.Body, schemaOf([]string{"version", "alias", "for_each", "count", "depends_on", "source"},
		block("lifecycle"), block("locals")))
	p := &Provider{Key: ProviderKey{Name: b.Labels[0]}, Config: rest, ForEach: expr(c, "for_each"), Range: hcldiag.RangeOf(b.DefRange)}
	if !d.localName(p.Key.Name, b.LabelRanges[0]) {
		return
	}
	if a, ok := c.Attributes["alias"]; ok {
		p.Key.Alias = d.str(a)
		d.name(p.Key.Alias, a.Expr.Range(), "Invalid provider configuration alias")
	}
	if p.ForEach != nil && p.Key.Alias == "" && !d.override {
		d.err(p.ForEach.Range(), "Alias required when using \"for_each\"", "Only a provider configuration with an alias can have several instances.")
	}
	if a, ok := c.Attributes["version"]; ok {
		d.warn(a.Expr.Range(), "Version constraints inside provider configuration blocks are deprecated",
			"The version belongs into the required_providers block; a later version of the language will refuse it here.")
		p.Version, _ = d.constraint(a.Expr, a.Range)
	}
	d.escapes(rest)
	d.reserved("provider", c, "count", "depends_on", "source")
	for _, inner := range c.Blocks {
		d.reservedBlock("provider", inner)
	}
	out.providers = append(out.providers, p)
}
