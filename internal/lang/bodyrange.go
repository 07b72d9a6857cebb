package lang

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// RangeOf finds the best place in the source for a path into the body's value.
// It gives nil when there is nothing better than the body itself.
func (b *Body) RangeOf(path cty.Path) *diag.Range {
	if len(path) == 0 {
		return nil
	}
	step, ok := path[0].(cty.GetAttrStep)
	if !ok {
		return nil
	}
	if x := b.Attribute(step.Name); x != nil {
		r := x.Range()
		return &r
	}
	for _, slots := range [][]blockSlot{b.blocks, b.asBlocks} {
		for i := range slots {
			if slots[i].name == step.Name {
				return slots[i].rangeOf(path[1:])
			}
		}
	}
	return nil
}

// rangeOf is nil for the blocks of a type as a whole.
func (n *blockSlot) rangeOf(path cty.Path) *diag.Range {
	p := n.choose(path)
	if p == nil || len(path) == 0 {
		return nil
	}
	if n.kind.Nesting != schema.Single && n.kind.Nesting != schema.Group && len(path) > 0 {
		path = path[1:]
	}
	if r := p.body.RangeOf(path); r != nil {
		return r
	}
	r := p.body.missing
	return &r
}

// choose finds the block as written that a path leads into.
func (n *blockSlot) choose(path cty.Path) *part {
	if len(n.parts) == 0 {
		return nil
	}
	if len(n.parts) == 1 || len(path) == 0 || n.kind.Nesting == schema.Single || n.kind.Nesting == schema.Group {
		return &n.parts[0]
	}
	label, index := stepKey(path[0])
	for i := range n.parts {
		p := &n.parts[i]
		// Behind a dynamic block positions are not known any more.
		if p.dynamic != nil || n.kind.Nesting == schema.List && i == index || n.kind.Nesting == schema.Map && p.label == label {
			return p
		}
	}
	return nil
}

func stepKey(s cty.PathStep) (label string, index int) {
	switch s := s.(type) {
	case cty.GetAttrStep:
		return s.Name, -1
	case cty.IndexStep:
		if k, ok := instanceKey(s.Key); ok {
			if n, isInt := k.Int(); isInt {
				return "", n
			}
			str, _ := k.Str()
			return str, -1
		}
	}
	return "", -1
}

// RefsOf are the references in the expression of an argument, or in all blocks of
// a type.
func (b *Body) RefsOf(name string) []Ref {
	if x := b.Attribute(name); x != nil {
		return x.Refs()
	}
	var out Body
	for _, slots := range [][]blockSlot{b.blocks, b.asBlocks} {
		for i := range slots {
			if slots[i].name == name {
				out.gatherBlock(&slots[i])
			}
		}
	}
	return out.refs
}
