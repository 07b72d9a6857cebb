package value

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"
)

// Whatever go-cty writes is read by the reader itself, as go-cty reads it.
func TestFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := types(3).Draw(t, "type")
		v := values(t, typ, 3)
		src, err := ctyjson.Marshal(v, typ)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ctyjson.Unmarshal(src, typ)
		if err != nil {
			t.Fatal(err)
		}
		r := reader{src: src}
		got, err := r.value(typ)
		if err != nil || !r.atEnd() {
			t.Fatalf("%s of type %#v is left to go-cty: %v", src, typ, err)
		}
		if !got.RawEquals(want) {
			t.Fatalf("%s of type %#v:\n got %#v\nwant %#v", src, typ, got, want)
		}
	})
}

// FuzzFromJSON holds that FromJSON and go-cty's reader accept the same texts
// and read the same values from them.
func FuzzFromJSON(f *testing.F) {
	of := []cty.Type{
		cty.DynamicPseudoType, cty.String, cty.Number, cty.Bool,
		cty.Map(cty.Number), cty.Set(cty.String), cty.List(cty.DynamicPseudoType),
		cty.Tuple([]cty.Type{cty.Bool, cty.String}),
		cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.List(cty.Number), "c": cty.DynamicPseudoType}),
	}
	for _, src := range []string{
		`{"a":"x","b":[1,-2.5e3,0,-0],"c":{"value":{"d":[true,"\u00e9\n"]},"type":["object",{"d":["tuple",["bool","string"]]}]}}`,
		`{"type":"number","value":"12"}`, `{"value":null,"type":"string"}`, `{"a":1,"a":2}`, `["x","x"]`, `[false,"\ud800"]`,
		" null ", `nullx`, `01`, `1e`, `{"a":"x",}`, `[1,]`, `[,1]`, `{"a" "x"}`, `"12"`, `12`, `truetrue`, "\"\x01\"", "\"\xff\"", `[1 2]`, `1 2`,
	} {
		for i := range of {
			f.Add([]byte(src), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, i uint8) {
		typ := of[int(i)%len(of)]
		want, wrong := library(src, typ)
		got, err := FromJSON(src, typ)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%q of type %#v: got %v, want %v", src, typ, err, wrong)
		}
		if err == nil && !got.Cty().RawEquals(want.Cty()) {
			t.Fatalf("%q of type %#v:\n got %#v\nwant %#v", src, typ, got.Cty(), want.Cty())
		}
	})
}

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
		var elems []cty.Type
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

func BenchmarkFromJSON(b *testing.B) {
	src := []byte(`{"id":"0b4b4c5e-1d3c-4a5e-9f00-111111111111","input":{"value":"value 12","type":"string"},"output":{"value":"value 12","type":"string"},"triggers_replace":null}`)
	t := cty.Object(map[string]cty.Type{"id": cty.String, "input": cty.DynamicPseudoType, "output": cty.DynamicPseudoType, "triggers_replace": cty.DynamicPseudoType})
	b.Run("plumb", func(b *testing.B) {
		for b.Loop() {
			if _, err := FromJSON(src, t); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("go-cty", func(b *testing.B) {
		for b.Loop() {
			if _, err := ctyjson.Unmarshal(src, t); err != nil {
				b.Fatal(err)
			}
		}
	})
}
