package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/schema"
)

// Content is what a body says, as it is written: nothing is evaluated, and
// dynamic blocks are not expanded.
type Content struct {
	Attributes map[string]hcl.Expression
	// Blocks are the nested blocks by type, in the order in which they stand.
	Blocks map[string][]ContentBlock
}

// ContentBlock is a nested block with its label, where blocks are told apart by
// one.
type ContentBlock struct {
	Label string
	Content
}

// ContentOf reads a body by a schema. Without one, all arguments are read and
// no blocks. What does not fit is left out: loading and validating have
// reported it.
func ContentOf(b hcl.Body, s *schema.Block) Content {
	out := Content{Attributes: map[string]hcl.Expression{}, Blocks: map[string][]ContentBlock{}}
	if b == nil {
		return out
	}
	if s == nil {
		attrs, _ := b.JustAttributes()
		for name, a := range attrs {
			out.Attributes[name] = a.Expr
		}
		return out
	}
	content, _, _ := b.PartialContent(bodySchema(s))
	if content == nil {
		return out
	}
	for name, a := range content.Attributes {
		out.Attributes[name] = a.Expr
	}
	for _, n := range content.Blocks {
		block := ContentBlock{Content: ContentOf(n.Body, s.Blocks[n.Type].Block)}
		if len(n.Labels) > 0 {
			block.Label = n.Labels[0]
		}
		out.Blocks[n.Type] = append(out.Blocks[n.Type], block)
	}
	return out
}

func bodySchema(s *schema.Block) *hcl.BodySchema {
	out := &hcl.BodySchema{}
	for _, name := range s.AttrNames() {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name})
	}
	for _, name := range s.BlockNames() {
		n := hcl.BlockHeaderSchema{Type: name}
		if s.Blocks[name].Nesting == schema.Map {
			n.LabelNames = []string{"key"}
		}
		out.Blocks = append(out.Blocks, n)
	}
	return out
}
