package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

func (d *decoder) call(b *hcl.Block, out *declared) {
	c, rest := d.partial(b.Body, schemaOf([]string{"!source", "version", "count", "for_each", "depends_on", "providers", "ignore_nested_deprecations"},
		block("lifecycle"), block("locals"), block("provider", "type"), block("_")))
	m := &ModuleCall{
		Name: b.Labels[0], SourceExpr: expr(c, "source"), VersionExpr: expr(c, "version"),
		Count: expr(c, "count"), ForEach: expr(c, "for_each"), DependsOn: d.dependsOn(c),
		Range: hcldiag.RangeOf(b.DefRange), Body: b.Body,
	}
	if !d.name(m.Name, b.LabelRanges[0], "Invalid module instance name") {
		return
	}
	if m.SourceExpr != nil {
		m.SourceRange = hcldiag.RangeOf(m.SourceExpr.Range())
	}
	m.IgnoreNestedDeprecations, _ = d.flag(c, "ignore_nested_deprecations")
	if a, ok := c.Attributes["providers"]; ok {
		m.Explicit = true
		m.Providers = d.passed(a.Expr)
	}
	m.Config = d.argumentsOnly(rest, c.Blocks)
	d.callBlocks(c, m)
	d.repetition(c, m.Enabled, "modules")
	out.calls = append(out.calls, m)
}

// callBlocks reads the blocks of a call. What stands in the escape block are
// arguments, whatever their names.
func (d *decoder) callBlocks(c *hcl.BodyContent, m *ModuleCall) {
	var lifecycle, escape *hcl.Block
	for _, b := range c.Blocks {
		switch {
		case b.Type == "_":
			if d.onlyEscape(b, escape) {
				escape = b
				m.Config = overlay(m.Config, b.Body)
			}
		case b.Type == "lifecycle" && d.reading.Enabled:
			if d.once("module call", b, lifecycle) {
				lifecycle = b
				m.Enabled = expr(d.content(b.Body, schemaOf([]string{"enabled"})), "enabled")
			}
		default:
			d.reservedBlock("module", b)
		}
	}
}

// repetition refuses more than one way of having instances.
func (d *decoder) repetition(c *hcl.BodyContent, enabled hcl.Expression, what string) {
	count, each := c.Attributes["count"], c.Attributes["for_each"]
	if count != nil && each != nil {
		d.err(each.NameRange, `Invalid combination of "count" and "for_each"`,
			"Both \"count\" and \"for_each\" say how many "+what+" there are; only one of them can be used.")
	}
	for _, a := range []*hcl.Attribute{count, each} {
		if a != nil && enabled != nil {
			d.err(a.NameRange, `Invalid combination of "`+a.Name+`" and "enabled"`,
				"Both \""+a.Name+"\" and \"enabled\" say how many "+what+" there are; only one of them can be used.")
		}
	}
}

// passed reads a providers argument.
func (d *decoder) passed(e hcl.Expression) []PassedProvider {
	pairs, diags := hcl.ExprMap(e)
	d.hcl(diags)
	var out []PassedProvider
	seen := map[ProviderKey]bool{}
	for _, pair := range pairs {
		child, ok := d.providerRef(pair.Key)
		parent, ok2 := d.providerRef(pair.Value)
		switch {
		case !ok || !ok2:
		case child.Key != nil:
			d.err(pair.Key.Range(), "Invalid provider configuration reference", "The left side names a configuration of the child module, which has no instances there.")
		case seen[child.ProviderKey]:
			d.err(pair.Key.Range(), "Duplicate provider address", "The child's provider configuration "+child.String()+" is given twice.")
		default:
			seen[child.ProviderKey] = true
			out = append(out, PassedProvider{Child: child, Parent: parent})
		}
	}
	return out
}

// IsLocalSource says whether a module's source is a directory beside the
// caller.
func IsLocalSource(source string) bool {
	s := slashed(source)
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || s == "." || s == ".."
}

func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }
