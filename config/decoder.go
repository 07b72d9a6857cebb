package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// decoder turns the blocks of one directory into declarations and collects
// what is wrong with them.
type decoder struct {
	reading Reading
	kinds   *dispatch
	// root is set in the root module; override, tofu and query say what kind
	// of file is being decoded.
	root, override, tofu, query bool
	diags                       diag.List
}

// declared is what one file declares.
type declared struct {
	override  bool
	settings  []settingsBlock
	providers []*Provider
	variables []*Variable
	locals    []*Local
	outputs   []*Output
	calls     []*ModuleCall
	resources []*Resource
	actions   []*Action
	checks    []*Check
	moved     []*Moved
	removed   []*Removed
	imports   []*Import
}

const badName = "A name starts with a letter or an underscore and goes on with letters, digits, underscores and dashes."

func (d *decoder) hcl(diags hcl.Diagnostics) { d.diags = d.diags.With(hcldiag.List(diags)) }

func (d *decoder) err(r hcl.Range, summary, detail string) {
	d.diags = d.diags.Append(diag.Err(summary, detail).At(hcldiag.RangeOf(r)))
}

func (d *decoder) warn(r hcl.Range, summary, detail string) {
	d.diags = d.diags.Append(diag.Warn(summary, detail).At(hcldiag.RangeOf(r)))
}

// name checks a declared name; summary is "Invalid output name" or the like.
func (d *decoder) name(name string, at hcl.Range, summary string) bool {
	if hclsyntax.ValidIdentifier(name) {
		return true
	}
	d.err(at, summary, badName)
	return false
}

// content decodes a body that may hold nothing beyond the schema.
func (d *decoder) content(b hcl.Body, s *hcl.BodySchema) *hcl.BodyContent {
	c, diags := b.Content(d.relaxed(s))
	d.hcl(diags)
	return c
}

// partial decodes the schema's part of a body and gives the rest.
func (d *decoder) partial(b hcl.Body, s *hcl.BodySchema) (*hcl.BodyContent, hcl.Body) {
	c, rest, diags := b.PartialContent(d.relaxed(s))
	d.hcl(diags)
	return c, rest
}

// relaxed lets override files leave out required arguments.
func (d *decoder) relaxed(s *hcl.BodySchema) *hcl.BodySchema {
	if !d.override {
		return s
	}
	r := &hcl.BodySchema{Attributes: make([]hcl.AttributeSchema, len(s.Attributes)), Blocks: s.Blocks}
	for i, a := range s.Attributes {
		r.Attributes[i] = hcl.AttributeSchema{Name: a.Name}
	}
	return r
}

// str reads a constant string.
func (d *decoder) str(a *hcl.Attribute) (s string) {
	d.hcl(gohcl.DecodeExpression(a.Expr, nil, &s))
	return s
}

// boolean reads a constant bool.
func (d *decoder) boolean(a *hcl.Attribute) (b bool) {
	d.hcl(gohcl.DecodeExpression(a.Expr, nil, &b))
	return b
}

// text reads an optional string argument.
func (d *decoder) text(c *hcl.BodyContent, name string) (string, bool) {
	if a, ok := c.Attributes[name]; ok {
		return d.str(a), true
	}
	return "", false
}

// flag reads an optional bool argument.
func (d *decoder) flag(c *hcl.BodyContent, name string) (value, set bool) {
	if a, ok := c.Attributes[name]; ok {
		return d.boolean(a), true
	}
	return false, false
}

// expr is the expression of an optional argument, nil without one.
func expr(c *hcl.BodyContent, name string) hcl.Expression {
	if a, ok := c.Attributes[name]; ok {
		return a.Expr
	}
	return nil
}

// reserved reports arguments and blocks that are kept for the language's
// future in a block of the given kind.
func (d *decoder) reserved(kind string, c *hcl.BodyContent, attrs ...string) {
	for _, name := range attrs {
		if a, ok := c.Attributes[name]; ok {
			d.err(a.NameRange, "Reserved argument name in "+kind+" block",
				"The argument name \""+name+"\" is kept for a later version of the language and has no meaning here.")
		}
	}
}

func (d *decoder) reservedBlock(kind string, b *hcl.Block) {
	d.err(b.TypeRange, "Reserved block type name in "+kind+" block",
		"The block type \""+b.Type+"\" is kept for a later version of the language and has no meaning here.")
}

func schemaOf(attrs []string, blocks ...hcl.BlockHeaderSchema) *hcl.BodySchema {
	s := &hcl.BodySchema{Blocks: blocks}
	for _, name := range attrs {
		required := name[0] == '!'
		if required {
			name = name[1:]
		}
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: name, Required: required})
	}
	return s
}

func block(name string, labels ...string) hcl.BlockHeaderSchema {
	return hcl.BlockHeaderSchema{Type: name, LabelNames: labels}
}
