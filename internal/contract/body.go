package contract

import (
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// body is what blocks and structural attributes have in common: attributes,
// and for blocks more blocks.
type body struct {
	attrNames  []string
	attrs      map[string]*schema.Attribute
	blockNames []string
	blocks     map[string]*schema.Nested
}

func ofBlock(b *schema.Block) body {
	return body{b.AttrNames(), b.Attributes, b.BlockNames(), b.Blocks}
}

func ofObject(o *schema.Object) body {
	return body{attrNames: o.Names(), attrs: o.Attributes}
}

// computes says whether a provider may fill in anything at any depth.
func (b body) computes() bool {
	for _, a := range b.attrs {
		if a.Computed || a.Nested != nil && ofObject(a.Nested).computes() {
			return true
		}
	}
	for _, n := range b.blocks {
		if n.Computed || ofBlock(n.Block).computes() {
			return true
		}
	}
	return false
}

// solid says whether v is there to look into.
func solid(v cty.Value) bool { return v != cty.NilVal && v.IsKnown() && !v.IsNull() }

// absent says whether v is null or was not given at all.
func absent(v cty.Value) bool { return v == cty.NilVal || v.IsNull() }

// member is attribute name of object v. What is inside an unknown is unknown,
// what is inside nothing is nothing.
func member(v cty.Value, name string, t cty.Type) cty.Value {
	switch {
	case v == cty.NilVal:
		return cty.NilVal
	case v.IsNull():
		return cty.NullVal(t)
	case !v.IsKnown():
		return cty.UnknownVal(t)
	case !v.Type().IsObjectType() || !v.Type().HasAttribute(name):
		return cty.NilVal
	}
	return v.GetAttr(name)
}

// item is the element of collection v at key, an index of a list or tuple, or
// a key of a map or object. It is cty.NilVal where there is none.
func item(v cty.Value, key cty.Value) cty.Value {
	if !solid(v) {
		if v != cty.NilVal && !v.IsKnown() {
			return cty.DynamicVal
		}
		return cty.NilVal
	}
	t := v.Type()
	switch {
	case t.IsObjectType() && key.Type() == cty.String:
		if !t.HasAttribute(key.AsString()) {
			return cty.NilVal
		}
		return v.GetAttr(key.AsString())
	case !takes(t, key.Type()) || v.HasIndex(key).False():
		return cty.NilVal
	}
	return v.Index(key)
}

// takes says whether a collection type is indexed by keys of type k.
func takes(t, k cty.Type) bool {
	return t.IsMapType() && k == cty.String || (t.IsListType() || t.IsTupleType()) && k == cty.Number
}

// keysOf are the keys of collection v in its own order. The elements of a set
// have none.
func keysOf(v cty.Value) []cty.Value {
	if !solid(v) || v.Type().IsSetType() || !v.CanIterateElements() {
		return nil
	}
	keys := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		k, _ := it.Element()
		keys = append(keys, k)
	}
	return keys
}

// elementsOf are the elements of collection v, nil where there is nothing to
// look into.
func elementsOf(v cty.Value) []cty.Value {
	if !solid(v) || !v.CanIterateElements() {
		return nil
	}
	return v.AsValueSlice()
}

// same says whether two values are equal, unknown for unknown. Refinements of
// unknowns are passed over: providers may lose or add them.
func same(a, b cty.Value) bool {
	if a == cty.NilVal || b == cty.NilVal {
		return absent(a) && absent(b)
	}
	if a.RawEquals(b) {
		return true
	}
	if b.IsWhollyKnown() || a.IsWhollyKnown() {
		return false // there is no unknown to stand for another
	}
	return unrefined(a).RawEquals(unrefined(b))
}

func unrefined(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() {
			return cty.UnknownVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		return v
	}
	return out
}

// nesting is how the objects that p holds are arranged.
func nesting(p place) schema.Nesting {
	if p.block != nil {
		return p.block.Nesting
	}
	return p.attr.Nested.Nesting
}

func isSet(p place) bool { return nesting(p) == schema.Set }

// collects says whether p holds any number of objects rather than one.
func collects(p place) bool { return nesting(p) != schema.Single && nesting(p) != schema.Group }
