package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// bodyExpressions are all argument expressions in a body whose schema is not
// known, in the order of the arguments' names.
func bodyExpressions(b hcl.Body) []hcl.Expression {
	var out []hcl.Expression
	switch body := b.(type) {
	case *hclsyntax.Body:
		for _, name := range sortedKeys(body.Attributes) {
			if name != "when" && name != "on_failure" {
				out = append(out, body.Attributes[name].Expr)
			}
		}
		for _, inner := range body.Blocks {
			out = append(out, bodyExpressions(inner.Body)...)
		}
		return out
	case merged:
		return append(bodyExpressions(body.base), bodyExpressions(body.over)...)
	}
	attrs, _ := b.JustAttributes()
	for _, name := range sortedKeys(attrs) {
		out = append(out, attrs[name].Expr)
	}
	return out
}

// argumentsOnly is what is left of a body when blocks were taken from it, if it
// may hold arguments only. In the native syntax blocks stand in the way of reading
// them.
func (d *decoder) argumentsOnly(b hcl.Body, taken hcl.Blocks) hcl.Body {
	native, ok := b.(*hclsyntax.Body)
	if !ok {
		return b
	}
	for _, left := range native.Blocks {
		if !slices.ContainsFunc(taken, func(t *hcl.Block) bool { return t.Type == left.Type }) {
			d.err(left.TypeRange, "Unsupported block type", "Blocks of type \""+left.Type+"\" are not expected here.")
		}
	}
	rest := *native
	rest.Blocks = nil
	return &rest
}

// onlyEscape refuses a second escape block.
func (d *decoder) onlyEscape(b, first *hcl.Block) bool {
	if first == nil {
		return true
	}
	d.err(b.DefRange, "Duplicate escaping block",
		"The block type _ holds arguments that would have another meaning outside of it, and one such block is enough. There is one at "+hcldiag.RangeOf(first.DefRange).String()+".")
	return false
}

// escapes refuses more than one escape block in a body that the provider's
// schema will be read from.
func (d *decoder) escapes(b hcl.Body) {
	c, _, _ := b.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{block("_")}})
	for _, again := range c.Blocks[min(1, len(c.Blocks)):] {
		d.onlyEscape(again, c.Blocks[0])
	}
}

// overlay is a body whose arguments and blocks are those of over where it has
// them, else those of base.
func overlay(base, over hcl.Body) hcl.Body {
	switch {
	case base == nil:
		return over
	case over == nil:
		return base
	}
	return merged{base, over}
}

// merged is the body of a block that an override file changes: an argument of
// the override replaces that of the base, and blocks of a type in the override
// replace all blocks of that type.
type merged struct{ base, over hcl.Body }

func (m merged) Content(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	optional := withoutRequired(s)
	base, diags := m.base.Content(optional)
	over, more := m.over.Content(optional)
	out := mergeContent(base, over)
	return out, append(append(diags, more...), m.missing(s, out)...)
}

func (m merged) PartialContent(s *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	optional := withoutRequired(s)
	base, baseRest, diags := m.base.PartialContent(optional)
	over, overRest, more := m.over.PartialContent(optional)
	out := mergeContent(base, over)
	return out, merged{baseRest, overRest}, append(append(diags, more...), m.missing(s, out)...)
}

func (m merged) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	base, diags := m.base.JustAttributes()
	over, more := m.over.JustAttributes()
	out := hcl.Attributes{}
	maps.Copy(out, base)
	maps.Copy(out, over)
	return out, append(diags, more...)
}

func (m merged) MissingItemRange() hcl.Range { return m.base.MissingItemRange() }

func (m merged) missing(s *hcl.BodySchema, c *hcl.BodyContent) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, a := range s.Attributes {
		if a.Required && c.Attributes[a.Name] == nil {
			at := m.MissingItemRange()
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Missing required argument",
				Detail:  "The argument \"" + a.Name + "\" is required, but no definition was found.",
				Subject: &at,
			})
		}
	}
	return diags
}

func withoutRequired(s *hcl.BodySchema) *hcl.BodySchema {
	out := &hcl.BodySchema{Blocks: s.Blocks}
	for _, a := range s.Attributes {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: a.Name})
	}
	return out
}

func mergeContent(base, over *hcl.BodyContent) *hcl.BodyContent {
	out := &hcl.BodyContent{Attributes: hcl.Attributes{}, MissingItemRange: base.MissingItemRange}
	maps.Copy(out.Attributes, base.Attributes)
	maps.Copy(out.Attributes, over.Attributes)
	replaced := map[string]bool{}
	for _, b := range over.Blocks {
		replaced[blockKind(b)] = true
	}
	for _, b := range base.Blocks {
		if !replaced[blockKind(b)] {
			out.Blocks = append(out.Blocks, b)
		}
	}
	out.Blocks = append(out.Blocks, over.Blocks...)
	return out
}

// blockKind is the type of a block, or the type that a dynamic block makes.
func blockKind(b *hcl.Block) string {
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}
