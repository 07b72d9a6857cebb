package value

import (
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// types draws types without capsules; elements of collections have one type.
func types(depth int) *rapid.Generator[cty.Type] {
	return rapid.Custom(func(t *rapid.T) cty.Type { return drawType(t, depth, true) })
}

func drawType(t *rapid.T, depth int, dynamic bool) cty.Type {
	kinds := []string{"string", "number", "bool"}
	if dynamic {
		kinds = append(kinds, "dynamic")
	}
	if depth > 0 {
		kinds = append(kinds, "list", "set", "map", "object", "tuple")
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "number":
		return cty.Number
	case "bool":
		return cty.Bool
	case "dynamic":
		return cty.DynamicPseudoType
	case "list":
		return cty.List(drawType(t, depth-1, false))
	case "set":
		return cty.Set(drawType(t, depth-1, false))
	case "map":
		return cty.Map(drawType(t, depth-1, false))
	case "object":
		attrs := map[string]cty.Type{}
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`[a-zé_]{1,3}`), 0, 3).Draw(t, "names") {
			attrs[name] = drawType(t, depth-1, dynamic)
		}
		return cty.Object(attrs)
	case "tuple":
		elems := []cty.Type{} // go-cty writes a nil list of types as null
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			elems = append(elems, drawType(t, depth-1, dynamic))
		}
		return cty.Tuple(elems)
	}
	return cty.String
}

// values draws a known value of a type, with nulls in it.
func values(t *rapid.T, of cty.Type, depth int) cty.Value {
	if rapid.IntRange(0, 7).Draw(t, "null") == 0 {
		return cty.NullVal(of)
	}
	several := func() (out []cty.Value) {
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			out = append(out, values(t, of.ElementType(), depth))
		}
		return out
	}
	switch {
	case of == cty.DynamicPseudoType:
		return values(t, drawType(t, depth-1, false), depth-1)
	case of == cty.String:
		return cty.StringVal(rapid.String().Draw(t, "text"))
	case of == cty.Number && rapid.Bool().Draw(t, "whole"):
		return cty.NumberIntVal(rapid.Int64().Draw(t, "number"))
	case of == cty.Number:
		return cty.NumberFloatVal(rapid.Float64Range(-1e300, 1e300).Draw(t, "number"))
	case of == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case of.IsObjectType():
		attrs := map[string]cty.Value{}
		for name, at := range of.AttributeTypes() {
			attrs[name] = values(t, at, depth)
		}
		return cty.ObjectVal(attrs)
	case of.IsTupleType():
		var elems []cty.Value
		for _, et := range of.TupleElementTypes() {
			elems = append(elems, values(t, et, depth))
		}
		return cty.TupleVal(elems)
	case of.IsMapType():
		elems := map[string]cty.Value{}
		for i, v := range several() {
			elems[string(rune('a'+i))] = v
		}
		if len(elems) == 0 {
			return cty.MapValEmpty(of.ElementType())
		}
		return cty.MapVal(elems)
	}
	elems := several()
	switch {
	case of.IsSetType() && len(elems) > 0:
		return cty.SetVal(elems)
	case of.IsSetType():
		return cty.SetValEmpty(of.ElementType())
	case len(elems) > 0:
		return cty.ListVal(elems)
	}
	return cty.ListValEmpty(of.ElementType())
}
