package lang

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/schema"
)

// legacyBlocks says whether an attribute may be written as blocks: providers
// of the old kind declare some block types as attributes, a list or set of
// objects, so that configuration can tell "none" from "not set".
func legacyBlocks(a *schema.Attribute) bool {
	t := a.Type
	return a.Nested == nil && (t.IsListType() || t.IsSetType()) && t.ElementType().IsObjectType()
}

// writtenAsBlocks are the legacy attributes that the body writes as blocks. In
// JSON both forms look the same and are read as the attribute.
func writtenAsBlocks(b hcl.Body, s *schema.Block) map[string]bool {
	probe := &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{dynamicHeader}}
	for _, name := range s.AttrNames() {
		if legacyBlocks(s.Attributes[name]) {
			probe.Blocks = append(probe.Blocks, hcl.BlockHeaderSchema{Type: name})
		}
	}
	if len(probe.Blocks) == 1 || json.IsJSONBody(b) {
		return nil
	}
	content, _, _ := b.PartialContent(probe)
	out := map[string]bool{}
	for _, block := range content.Blocks {
		name := block.Type
		if name == "dynamic" {
			name = block.Labels[0]
		}
		if a := s.Attributes[name]; a != nil && legacyBlocks(a) {
			out[name] = true
		}
	}
	return out
}

// legacyNested is the block type that a legacy attribute stands for: every
// argument of it is optional.
func legacyNested(a *schema.Attribute) *schema.Nested {
	element := a.Type.ElementType()
	var attrs []*schema.Attribute
	for _, name := range slices.Sorted(maps.Keys(element.AttributeTypes())) {
		attrs = append(attrs, &schema.Attribute{Name: name, Type: element.AttributeType(name), Optional: true, Computed: true})
	}
	n := &schema.Nested{Name: a.Name, Nesting: schema.List, Block: schema.NewBlock(attrs, nil)}
	if a.Type.IsSetType() {
		n.Nesting = schema.Set
	}
	return n
}
