package lang

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// CompileBody compiles a body against a schema. It reports arguments and
// blocks that the schema does not have, missing required arguments and bad
// references; the Body is usable beside the diagnostics.
func CompileBody(b hcl.Body, s *schema.Block) (*Body, diag.List) { return compiler{}.body(b, s) }

func (c compiler) body(b hcl.Body, s *schema.Block) (*Body, diag.List) {
	if b == nil {
		b = hcl.EmptyBody()
	}
	written := writtenAsBlocks(b, s)
	content, hd := readBody(b, headerSchema(s, written), true)
	diags := Diags(hd)
	out := &Body{missing: hcldiag.RangeOf(content.missing)}
	lenient := json.IsJSONBody(b)
	for _, name := range s.AttrNames() {
		slot, ds := c.attr(s.Attributes[name], content, written[name], lenient)
		diags = diags.With(ds)
		out.attrs = append(out.attrs, slot)
		out.gather(slot.expr)
	}
	for _, name := range s.BlockNames() {
		slot, ds := c.block(s.Blocks[name], content.blocks)
		diags = diags.With(ds)
		out.blocks = append(out.blocks, slot)
		out.gatherBlock(&slot)
	}
	for _, name := range s.AttrNames() {
		if !written[name] {
			continue
		}
		slot, ds := c.block(legacyNested(s.Attributes[name]), content.blocks)
		diags = diags.With(ds)
		out.asBlocks = append(out.asBlocks, slot)
		out.gatherBlock(&slot)
	}
	return out, diags
}

func (c compiler) attr(a *schema.Attribute, content bodyContent, asBlocks, lenient bool) (attrSlot, diag.List) {
	want := wanted(a, lenient)
	slot := attrSlot{name: a.Name, want: want, null: cty.NullVal(plain(want)), asBlocks: asBlocks}
	if asBlocks {
		return slot, nil
	}
	written := content.attrs[a.Name]
	if written == nil {
		if a.Required {
			return slot, diag.List{diag.Err("Missing required argument",
				fmt.Sprintf("The argument %q is required, but no definition was found.", a.Name)).At(hcldiag.RangeOf(content.missing))}
		}
		return slot, nil
	}
	x, diags := c.expr(written.Expr)
	slot.expr, slot.nameRange = x, hcldiag.RangeOf(written.NameRange)
	slot.fold()
	return slot, diags
}

func (b *Body) gather(x *Expr) {
	b.refs = append(b.refs, x.Refs()...)
	b.calls = append(b.calls, x.ProviderFunctions()...)
}

func (b *Body) gatherBlock(n *blockSlot) {
	for i := range n.parts {
		p := &n.parts[i]
		if p.dynamic != nil {
			b.gather(p.dynamic.forEach)
			for _, l := range p.dynamic.labels {
				b.gather(l)
			}
		}
		b.refs = append(b.refs, p.body.refs...)
		b.calls = append(b.calls, p.body.calls...)
	}
}

// headerSchema is the schema in the terms of the syntax library. Required
// arguments are checked afterwards, as an escape block may hold them.
func headerSchema(s *schema.Block, asBlocks map[string]bool) *hcl.BodySchema {
	out := &hcl.BodySchema{}
	for _, name := range s.AttrNames() {
		if asBlocks[name] {
			out.Blocks = append(out.Blocks, hcl.BlockHeaderSchema{Type: name})
			continue
		}
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name})
	}
	for _, name := range s.BlockNames() {
		h := hcl.BlockHeaderSchema{Type: name}
		if s.Blocks[name].Nesting == schema.Map {
			h.LabelNames = []string{"key"}
		}
		out.Blocks = append(out.Blocks, h)
	}
	return out
}

// The headers of the two block types that every body may have.
var (
	dynamicHeader = hcl.BlockHeaderSchema{Type: "dynamic", LabelNames: []string{"type"}}
	escapeHeader  = hcl.BlockHeaderSchema{Type: "_"}
)

// readBody reads the content of a body and of its escape block.
func readBody(b hcl.Body, s *hcl.BodySchema, escape bool) (bodyContent, hcl.Diagnostics) {
	full := &hcl.BodySchema{Attributes: s.Attributes}
	full.Blocks = append(append(full.Blocks, s.Blocks...), dynamicHeader)
	if escape {
		full.Blocks = append(full.Blocks, escapeHeader)
	}
	raw, diags := b.Content(full)
	out := bodyContent{attrs: raw.Attributes, missing: raw.MissingItemRange}
	for _, block := range raw.Blocks {
		if block.Type == "dynamic" && !hasBlock(s, block.Labels[0]) {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError,
				Summary:  "Unsupported block type",
				Detail:   fmt.Sprintf("Blocks of type %q are not expected here.", block.Labels[0]),
				Subject:  block.LabelRanges[0].Ptr(),
			})
			continue
		}
		if block.Type != "_" {
			out.blocks = append(out.blocks, block)
			continue
		}
		inner, hd := readBody(block.Body, s, false)
		diags = append(diags, hd...)
		diags = append(diags, out.merge(inner)...)
	}
	return out, diags
}

func hasBlock(s *hcl.BodySchema, name string) bool {
	return slices.ContainsFunc(s.Blocks, func(b hcl.BlockHeaderSchema) bool { return b.Type == name })
}

func (c *bodyContent) merge(inner bodyContent) hcl.Diagnostics {
	var diags hcl.Diagnostics
	c.blocks = append(c.blocks, inner.blocks...)
	all := make(hcl.Attributes, len(c.attrs)+len(inner.attrs))
	maps.Copy(all, c.attrs)
	for name, a := range inner.attrs {
		if before, twice := all[name]; twice {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError,
				Summary:  "Duplicate argument",
				Detail:   fmt.Sprintf("The argument %q was already set at %s.", name, before.NameRange),
				Subject:  a.NameRange.Ptr(),
			})
			continue
		}
		all[name] = a
	}
	c.attrs = all
	return diags
}
