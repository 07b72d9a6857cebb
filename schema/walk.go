package schema

import "github.com/zclconf/go-cty/cty"

// AttributeAt finds the schema of the attribute that path leads to. Index
// steps are passed over. It gives nil when the path ends at a block, leads into
// a plain attribute's value, or nowhere.
func (b *Block) AttributeAt(path cty.Path) *Attribute {
	for i, step := range path {
		get, ok := step.(cty.GetAttrStep)
		if !ok {
			continue
		}
		if a := b.Attributes[get.Name]; a != nil {
			return a.at(path[i+1:])
		}
		n := b.Blocks[get.Name]
		if n == nil {
			return nil
		}
		b = n.Block
	}
	return nil
}

func (a *Attribute) at(path cty.Path) *Attribute {
	for i, step := range path {
		get, ok := step.(cty.GetAttrStep)
		if !ok {
			continue
		}
		if a.Nested == nil || a.Nested.Attributes[get.Name] == nil {
			return nil
		}
		return a.Nested.Attributes[get.Name].at(path[i+1:])
	}
	if a.Nested == nil && len(path) > 0 {
		return nil
	}
	return a
}

// PathsWhere are the places in the bare value v of the attributes for which is holds.
// Elements of a set are reached through their value as index.
func (b *Block) PathsWhere(v cty.Value, is func(*Attribute) bool) []cty.Path {
	var out []cty.Path
	b.walk(v, nil, is, &out)
	return out
}

// SensitivePaths are the places in v that the schema declares sensitive.
func (b *Block) SensitivePaths(v cty.Value) []cty.Path {
	if !b.sensitive {
		return nil
	}
	return b.PathsWhere(v, func(a *Attribute) bool { return a.Sensitive })
}

// WriteOnlyPaths are the places in v that the schema declares write-only.
func (b *Block) WriteOnlyPaths(v cty.Value) []cty.Path {
	if !b.writeOnly {
		return nil
	}
	return b.PathsWhere(v, func(a *Attribute) bool { return a.WriteOnly })
}

// WithoutWriteOnly is v with null for every write-only argument: what of an object
// may be kept. The second result says whether v had a value at any of them.
func (b *Block) WithoutWriteOnly(v cty.Value) (cty.Value, bool) {
	leaked := false
	for _, p := range b.WriteOnlyPaths(v) {
		at, err := p.Apply(v)
		leaked = leaked || err == nil && !at.IsNull()
	}
	if !leaked {
		return v, false
	}
	out, err := cty.Transform(v, func(p cty.Path, at cty.Value) (cty.Value, error) {
		if a := b.AttributeAt(p); a != nil && a.WriteOnly {
			return cty.NullVal(at.Type()), nil
		}
		return at, nil
	})
	if err != nil {
		return cty.NullVal(v.Type()), true // the callback never fails
	}
	return out, true
}

func (b *Block) walk(v cty.Value, at cty.Path, is func(*Attribute) bool, out *[]cty.Path) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	for _, name := range b.attrNames {
		if a := b.Attributes[name]; a.Nested != nil || is(a) {
			a.walk(v.GetAttr(name), at.GetAttr(name), is, out)
		}
	}
	for _, name := range b.blockNames {
		n := b.Blocks[name]
		eachElement(n.Nesting, v.GetAttr(name), at.GetAttr(name), func(v cty.Value, at cty.Path) {
			n.Block.walk(v, at, is, out)
		})
	}
}

func (a *Attribute) walk(v cty.Value, at cty.Path, is func(*Attribute) bool, out *[]cty.Path) {
	if is(a) {
		*out = append(*out, at.Copy())
		return
	}
	if a.Nested == nil {
		return
	}
	eachElement(a.Nested.Nesting, v, at, func(v cty.Value, at cty.Path) {
		if v.IsNull() || !v.IsKnown() {
			return
		}
		for _, name := range a.Nested.names {
			if inner := a.Nested.Attributes[name]; inner.Nested != nil || is(inner) {
				inner.walk(v.GetAttr(name), at.GetAttr(name), is, out)
			}
		}
	})
}

// eachElement visits the objects of a nested value in its own order.
func eachElement(n Nesting, v cty.Value, at cty.Path, visit func(cty.Value, cty.Path)) {
	if n == Single || n == Group {
		visit(v, at)
		return
	}
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if v.Type().IsObjectType() {
			visit(e, at.GetAttr(k.AsString()))
			continue
		}
		visit(e, at.Index(k))
	}
}
