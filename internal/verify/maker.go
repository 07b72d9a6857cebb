package verify

import (
	"math/rand/v2"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// maker makes values of a schema.
type maker struct {
	random *rand.Rand
	// density is how likely an argument is set that need not be.
	density float64
	// nth is which of the plausible values an argument gets; negative for any.
	nth int
	// fixed are the top-level arguments that were given.
	fixed map[string]cty.Value
}

// object makes an object of a block at the top.
func (m maker) object(b *schema.Block) cty.Value {
	v := m.block(b)
	if len(m.fixed) == 0 {
		return v
	}
	attrs := v.AsValueMap()
	for name, to := range m.fixed {
		if _, ok := attrs[name]; ok {
			attrs[name] = to
		}
	}
	return cty.ObjectVal(attrs)
}

func (m maker) block(b *schema.Block) cty.Value {
	attrs := map[string]cty.Value{}
	for _, name := range b.AttrNames() {
		attrs[name] = m.attribute(b.Attributes[name])
	}
	for _, name := range b.BlockNames() {
		attrs[name] = m.nested(b.Blocks[name])
	}
	return cty.ObjectVal(attrs)
}

func (m maker) attribute(a *schema.Attribute) cty.Value {
	switch {
	case !a.Required && !a.Optional, a.Deprecated && !a.Required:
		return cty.NullVal(a.Type)
	case !a.Required && m.random.Float64() >= m.density:
		return cty.NullVal(a.Type)
	case a.Nested == nil:
		nth := m.nth
		if nth < 0 {
			nth = m.random.IntN(3)
		}
		return m.value(a.Name, a.Type, nth)
	}
	return m.arrange(a.Nested.Nesting, a.Type, 1+m.random.IntN(2), func() cty.Value {
		attrs := map[string]cty.Value{}
		for _, name := range a.Nested.Names() {
			attrs[name] = m.attribute(a.Nested.Attributes[name])
		}
		return cty.ObjectVal(attrs)
	})
}

func (m maker) nested(n *schema.Nested) cty.Value {
	count := n.MinItems
	if m.random.Float64() < m.density {
		count = max(count, 1+m.random.IntN(2))
	}
	if n.MaxItems > 0 {
		count = min(count, n.MaxItems)
	}
	return m.arrange(n.Nesting, n.Type(), count, func() cty.Value { return m.block(n.Block) })
}

// arrange puts objects together as a nesting asks for.
func (m maker) arrange(n schema.Nesting, t cty.Type, count int, one func() cty.Value) cty.Value {
	switch {
	case n == schema.Group:
		return one()
	case n == schema.Single && count == 0:
		return cty.NullVal(t)
	case n == schema.Single:
		return one()
	case count == 0:
		return n.Empty(t)
	case n == schema.Map:
		elements := map[string]cty.Value{}
		for i := range count {
			elements[[]string{"k", "some key", "z"}[i%3]] = one()
		}
		if t == cty.DynamicPseudoType {
			return cty.ObjectVal(elements)
		}
		return cty.MapVal(elements)
	}
	var elements []cty.Value
	for range count {
		elements = append(elements, one())
	}
	return collection(n == schema.Set, t, elements)
}

func collection(set bool, t cty.Type, elements []cty.Value) cty.Value {
	switch {
	case t == cty.DynamicPseudoType:
		return cty.TupleVal(elements)
	case set:
		return cty.SetVal(elements)
	}
	return cty.ListVal(elements)
}

// value makes a value of a type; nth varies it.
func (m maker) value(name string, t cty.Type, nth int) cty.Value {
	switch {
	case t.IsPrimitiveType() || t == cty.DynamicPseudoType:
		all := candidates(name, t)
		return all[nth%len(all)]
	case t.IsListType(), t.IsSetType():
		var elements []cty.Value
		for i := range 1 + m.random.IntN(2) {
			elements = append(elements, m.value(name, t.ElementType(), nth+i))
		}
		return collection(t.IsSetType(), t, elements)
	case t.IsMapType():
		return cty.MapVal(map[string]cty.Value{"k": m.value(name, t.ElementType(), nth), "some key": m.value(name, t.ElementType(), nth+1)})
	case t.IsObjectType():
		attrs := map[string]cty.Value{}
		for _, a := range sortedAttrs(t) {
			attrs[a] = m.value(a, t.AttributeType(a), nth)
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType():
		var elements []cty.Value
		for i, e := range t.TupleElementTypes() {
			elements = append(elements, m.value(name, e, nth+i))
		}
		return cty.TupleVal(elements)
	}
	return cty.NullVal(t)
}
