package schema

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestWithBlocks(t *testing.T) {
	text := []*Attribute{{Name: "v", Type: cty.String, Optional: true}}
	inner := NewBlock(text, []*Nested{{Name: "sub", Nesting: List, Block: NewBlock(text, nil)}})
	b := NewBlock(text, []*Nested{
		{Name: "list", Nesting: List, Block: inner},
		{Name: "set", Nesting: Set, Block: NewBlock(text, nil)},
		{Name: "map", Nesting: Map, Block: NewBlock(text, nil)},
		{Name: "any", Nesting: List, Block: NewBlock([]*Attribute{{Name: "d", Type: cty.DynamicPseudoType, Optional: true}}, nil)},
		{Name: "keyed", Nesting: Map, Block: NewBlock([]*Attribute{{Name: "d", Type: cty.DynamicPseudoType, Optional: true}}, nil)},
		{Name: "group", Nesting: Group, Block: inner},
		{Name: "single", Nesting: Single, Block: inner},
	})
	void := cty.ObjectVal(map[string]cty.Value{"v": cty.NullVal(cty.String)})
	subNull := cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("x"), "sub": cty.NullVal(cty.List(void.Type()))})
	subNone := cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("x"), "sub": cty.ListValEmpty(void.Type())})
	all := map[string]cty.Value{}
	for name, at := range b.Type().AttributeTypes() {
		all[name] = cty.NullVal(at)
	}
	want := map[string]cty.Value{
		"v": cty.NullVal(cty.String), "list": cty.ListValEmpty(inner.Type()), "set": cty.SetValEmpty(void.Type()),
		"map": cty.MapValEmpty(void.Type()), "any": cty.EmptyTupleVal, "keyed": cty.EmptyObjectVal, "single": cty.NullVal(inner.Type()),
		"group": cty.ObjectVal(map[string]cty.Value{"v": cty.NullVal(cty.String), "sub": cty.ListValEmpty(void.Type())}),
	}
	check := func(name string, in map[string]cty.Value, nulls int, want map[string]cty.Value) {
		t.Helper()
		v := cty.ObjectVal(in)
		if got := b.NullBlocks(v); len(got) != nulls {
			t.Errorf("%s: null blocks %v, want %d", name, got, nulls)
		}
		if got := b.WithBlocks(v); !got.RawEquals(cty.ObjectVal(want)) {
			t.Errorf("%s: got %#v", name, got)
		}
	}
	check("all null", all, 6, want)
	check("nothing to fill", want, 0, want)
	for k, v := range map[string]cty.Value{"list": cty.ListVal([]cty.Value{subNull}), "single": subNull, "group": subNull} {
		want[k] = v
	}
	in := map[string]cty.Value{}
	for k, v := range want {
		in[k] = v
	}
	for k, v := range map[string]cty.Value{"list": cty.ListVal([]cty.Value{subNone}), "single": subNone, "group": subNone} {
		want[k] = v
	}
	check("inside of blocks", in, 3, want)
	if v := cty.NullVal(b.Type()); !b.WithBlocks(v).RawEquals(v) {
		t.Error("an object that is not there has no blocks")
	}
}

func TestWithoutWriteOnly(t *testing.T) {
	secret := []*Attribute{{Name: "s", Type: cty.String, Optional: true, WriteOnly: true}, {Name: "v", Type: cty.String, Optional: true}}
	b := NewBlock(append(secret, &Attribute{Name: "n", Optional: true, Nested: NewObject(List, secret)}),
		[]*Nested{{Name: "set", Nesting: Set, Block: NewBlock(secret[1:], nil)}, {Name: "list", Nesting: List, Block: NewBlock(secret, nil)}})
	element := func(s, v cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"s": s, "v": v}) }
	null, x := cty.NullVal(cty.String), cty.StringVal("x")
	object := func(s cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"s": s, "v": x, "n": cty.ListVal([]cty.Value{element(s, x)}),
			"set":  cty.SetVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"v": x})}),
			"list": cty.ListVal([]cty.Value{element(null, x), element(s, x)})})
	}
	if got, leaked := b.WithoutWriteOnly(object(x)); !leaked || !got.RawEquals(object(null)) {
		t.Errorf("got %#v, %t", got, leaked)
	}
	if got, leaked := b.WithoutWriteOnly(object(null)); leaked || !got.RawEquals(object(null)) {
		t.Errorf("got %#v, %t", got, leaked)
	}
}
