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

// Whatever type go-cty writes is read by the reader itself, as go-cty reads it.
func TestTypeFromJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := types(3).Draw(t, "type")
		src, err := ctyjson.MarshalType(want)
		if err != nil {
			t.Fatal(err)
		}
		r := reader{src: src}
		got, err := r.typ()
		if err != nil || !r.atEnd() || !got.Equals(want) {
			t.Fatalf("%s is read as %#v: %v", src, got, err)
		}
	})
}

// FuzzTypeFromJSON holds that TypeFromJSON and go-cty's reader accept the same texts
// and read the same types from them.
func FuzzTypeFromJSON(f *testing.F) {
	for _, src := range []string{
		`"string"`, ` "dynamic" `, `["list","bool"]`, `["object",{"a":["map","number"]}]`, `["object",{"a":"string"},["a"]]`, `["tuple",[]]`,
		`["object",{}]`, `["tuple",["string",["set","string"]]]`, `"none"`, `["list"]`, `["list",]`, `["none","string"]`, `["object",{"a":1}]`,
		`["map","string"`, `null`, `{}`, `[]`, `["object",{"a":"string","a":"bool"}]`, `["object",null]`, `["tuple",null]`, `[ "list" , "string" ] `, `"string" 1`,
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		want, wrong := ctyjson.UnmarshalType(src)
		got, err := TypeFromJSON(src)
		if (err == nil) != (wrong == nil) || err == nil && !got.Equals(want) {
			t.Fatalf("%q: got %#v, %v; want %#v, %v", src, got, err, want, wrong)
		}
	})
}

func BenchmarkTypeFromJSON(b *testing.B) {
	src := []byte(`["object",{"name":"string","tags":["map","string"],"rules":["list",["object",{"from":"number","to":"number"}]]}]`)
	b.Run("plumb", func(b *testing.B) {
		for b.Loop() {
			if _, err := TypeFromJSON(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("go-cty", func(b *testing.B) {
		for b.Loop() {
			if _, err := ctyjson.UnmarshalType(src); err != nil {
				b.Fatal(err)
			}
		}
	})
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

func TestInfinite(t *testing.T) {
	inf := cty.PositiveInfinity
	for want, v := range map[string]cty.Value{
		"":          inf,
		".a[1]":     cty.ObjectVal(map[string]cty.Value{"a": cty.TupleVal([]cty.Value{cty.Zero, inf})}),
		`["k"]`:     Mark(cty.MapVal(map[string]cty.Value{"k": cty.NegativeInfinity}), Sensitive),
		"not there": cty.TupleVal([]cty.Value{cty.UnknownVal(cty.Number), cty.NullVal(cty.Number), cty.DynamicVal, cty.Zero}),
	} {
		at, infinite := Infinite(v)
		if infinite == (want == "not there") || infinite && PathString(at) != want {
			t.Errorf("%#v: %v at %s, want %s", v, infinite, PathString(at), want)
		}
	}
}
