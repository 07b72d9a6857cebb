package schema

import "github.com/zclconf/go-cty/cty"

// NullBlocks are the places in v where nested blocks are null that can only be
// empty: collections, and groups.
func (b *Block) NullBlocks(v cty.Value) []cty.Path {
	var out []cty.Path
	b.blocks(v, nil, func(n *Nested, v cty.Value, at cty.Path) {
		if n.Nesting != Single && v.IsNull() {
			out = append(out, at.Copy())
		}
	})
	return out
}

// WithBlocks is v with empty nested blocks where [Block.NullBlocks] finds null
// ones.
func (b *Block) WithBlocks(v cty.Value) cty.Value {
	if len(b.NullBlocks(v)) == 0 {
		return v
	}
	attrs := v.AsValueMap()
	for _, name := range b.blockNames {
		attrs[name] = b.Blocks[name].filled(attrs[name])
	}
	return cty.ObjectVal(attrs)
}

// filled is WithBlocks for all blocks of one type.
func (n *Nested) filled(v cty.Value) cty.Value {
	switch {
	case !v.IsKnown():
		return v
	case n.Nesting == Single || n.Nesting == Group:
		if v.IsNull() && n.Nesting == Group {
			v = blank(n.Block.Type())
		}
		return n.Block.WithBlocks(v)
	case v.IsNull():
		return n.Nesting.Empty(n.Type())
	case v.LengthInt() == 0:
		return v
	}
	out, err := cty.Transform(v, func(p cty.Path, at cty.Value) (cty.Value, error) {
		if len(p) == 1 {
			return n.Block.WithBlocks(at), nil
		}
		return at, nil
	})
	if err != nil {
		return v // the callback never fails
	}
	return out
}

// blank is an object of which nothing is said.
func blank(t cty.Type) cty.Value {
	attrs := make(map[string]cty.Value, len(t.AttributeTypes()))
	for name, at := range t.AttributeTypes() {
		attrs[name] = cty.NullVal(at)
	}
	return cty.ObjectVal(attrs)
}

// Empty is the value without elements of what is nested in this way, of type t.
func (n Nesting) Empty(t cty.Type) cty.Value {
	switch {
	case t.IsListType():
		return cty.ListValEmpty(t.ElementType())
	case t.IsSetType():
		return cty.SetValEmpty(t.ElementType())
	case t.IsMapType():
		return cty.MapValEmpty(t.ElementType())
	case n == Map:
		return cty.EmptyObjectVal
	}
	return cty.EmptyTupleVal
}

// blocks visits the nested blocks in v, those of one type together.
func (b *Block) blocks(v cty.Value, at cty.Path, visit func(*Nested, cty.Value, cty.Path)) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	for _, name := range b.blockNames {
		n, inner, here := b.Blocks[name], v.GetAttr(name), at.GetAttr(name)
		visit(n, inner, here)
		eachElement(n.Nesting, inner, here, func(v cty.Value, at cty.Path) { n.Block.blocks(v, at, visit) })
	}
}
