package wire

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin5"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

func marshal(t *testing.T, m proto.Message) []byte {
	t.Helper()
	raw, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var str = []byte(`"string"`)

// TestWriteOnlyAndNested is invariant W2: field 10 is write_only in version 5
// and nested_type in version 6.
func TestWriteOnlyAndNested(t *testing.T) {
	v5 := marshal(t, &tfplugin5.Schema{Block: &tfplugin5.Schema_Block{Attributes: []*tfplugin5.Schema_Attribute{
		{Name: "secret", Type: str, Optional: true, WriteOnly: true, Deprecated: true, DeprecationMessage: "old"}}}})
	v6 := marshal(t, &tfplugin6.Schema{Block: &tfplugin6.Schema_Block{Attributes: []*tfplugin6.Schema_Attribute{
		{Name: "secret", Type: str, Optional: true, WriteOnly: true, Deprecated: true, DeprecationMessage: "old"}}}})
	for p, raw := range map[Protocol][]byte{V5: v5, V6: v6} {
		r, problems := compileSchema(p, raw)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		a := r.Block.Attributes["secret"]
		if a == nil || !a.WriteOnly || a.Nested != nil || a.DeprecationMessage != "old" || !r.Block.HasWriteOnly() {
			t.Errorf("version %d: %#v", p, a)
		}
	}
}

func TestCompile(t *testing.T) {
	nested := func(n tfplugin6.Schema_Object_NestingMode) *tfplugin6.Schema_Object {
		return &tfplugin6.Schema_Object{Nesting: n, Attributes: []*tfplugin6.Schema_Attribute{{Name: "a", Type: str, Optional: true, Sensitive: true}}}
	}
	block := func(n tfplugin6.Schema_NestedBlock_NestingMode) *tfplugin6.Schema_NestedBlock {
		return &tfplugin6.Schema_NestedBlock{TypeName: strings.ToLower(n.String()), Nesting: n, MinItems: 1, MaxItems: 2,
			Block: &tfplugin6.Schema_Block{Computed: true, Attributes: []*tfplugin6.Schema_Attribute{{Name: "b", Type: []byte(`["list","number"]`), Computed: true}}}}
	}
	raw := marshal(t, &tfplugin6.Schema{Version: 4, Block: &tfplugin6.Schema_Block{
		Description: "d", DescriptionKind: tfplugin6.StringKind_MARKDOWN,
		Attributes: []*tfplugin6.Schema_Attribute{
			{Name: "one", NestedType: nested(tfplugin6.Schema_Object_SINGLE), Optional: true},
			{Name: "many", NestedType: nested(tfplugin6.Schema_Object_LIST), Optional: true},
			{Name: "some", NestedType: nested(tfplugin6.Schema_Object_SET), Optional: true},
			{Name: "keyed", NestedType: nested(tfplugin6.Schema_Object_MAP), Optional: true},
			{Name: "any", Type: []byte(`"dynamic"`), Optional: true, Computed: true},
			{Name: "opt", Type: []byte(`["object",{"x":"string"},["x"]]`), Optional: true},
		},
		BlockTypes: []*tfplugin6.Schema_NestedBlock{
			block(tfplugin6.Schema_NestedBlock_SINGLE), block(tfplugin6.Schema_NestedBlock_GROUP), block(tfplugin6.Schema_NestedBlock_LIST),
			block(tfplugin6.Schema_NestedBlock_SET), block(tfplugin6.Schema_NestedBlock_MAP),
		},
	}})
	r, problems := compileSchema(V6, raw)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	a := cty.Object(map[string]cty.Type{"a": cty.String})
	b := cty.Object(map[string]cty.Type{"b": cty.List(cty.Number)})
	want := cty.Object(map[string]cty.Type{
		"one": a, "many": cty.List(a), "some": cty.Set(a), "keyed": cty.Map(a), "any": cty.DynamicPseudoType,
		"opt":    cty.Object(map[string]cty.Type{"x": cty.String}),
		"single": b, "group": b, "list": cty.List(b), "set": cty.Set(b), "map": cty.Map(b),
	})
	if !r.Block.Type().Equals(want) || r.Version != 4 || !r.Block.Markdown || !r.Block.HasSensitive() {
		t.Errorf("got %#v", r.Block.Type())
	}
	if n := r.Block.Blocks["list"]; n.Nesting != schema.List || n.MinItems != 1 || n.MaxItems != 2 || !n.Computed {
		t.Errorf("got %#v", n)
	}
}

// TestInvalidSchemas: what makes a schema invalid, and that only the type
// concerned is unusable.
func TestInvalidSchemas(t *testing.T) {
	attr := func(a *tfplugin6.Schema_Attribute) *tfplugin6.Schema_Block {
		return &tfplugin6.Schema_Block{Attributes: []*tfplugin6.Schema_Attribute{a}}
	}
	nest := func(n *tfplugin6.Schema_NestedBlock) *tfplugin6.Schema_Block {
		return &tfplugin6.Schema_Block{BlockTypes: []*tfplugin6.Schema_NestedBlock{n}}
	}
	good := attr(&tfplugin6.Schema_Attribute{Name: "item", Type: str, Optional: true})
	cases := []struct {
		block *tfplugin6.Schema_Block
		say   string
	}{
		{attr(&tfplugin6.Schema_Attribute{Name: "both", Type: str, Required: true, Computed: true}), "both: cannot set both Computed and Required"},
		{attr(&tfplugin6.Schema_Attribute{Name: "both", Type: str, Required: true, Optional: true}), "both: cannot set both Optional and Required"},
		{attr(&tfplugin6.Schema_Attribute{Name: "neither", Type: str}), "neither: must set Optional, Required or Computed"},
		{attr(&tfplugin6.Schema_Attribute{Name: "bare", Optional: true}), "bare: has no type"},
		{attr(&tfplugin6.Schema_Attribute{Name: "odd", Type: []byte(`"strong"`), Optional: true}), "odd: invalid type"},
		{attr(&tfplugin6.Schema_Attribute{Name: "in", Optional: true, NestedType: &tfplugin6.Schema_Object{Nesting: tfplugin6.Schema_Object_LIST,
			Attributes: []*tfplugin6.Schema_Attribute{{Name: "x", Type: str}}}}), "in.x: must set Optional"},
		{attr(&tfplugin6.Schema_Attribute{Name: "in", Optional: true, NestedType: &tfplugin6.Schema_Object{Nesting: 99}}), "in: unknown nesting mode"},
		{nest(&tfplugin6.Schema_NestedBlock{TypeName: "item", Nesting: tfplugin6.Schema_NestedBlock_LIST, MinItems: 3, MaxItems: 1}), "item: more items are required"},
		{nest(&tfplugin6.Schema_NestedBlock{TypeName: "item", Nesting: 77}), "item: unknown nesting mode"},
		{&tfplugin6.Schema_Block{Attributes: good.Attributes, BlockTypes: []*tfplugin6.Schema_NestedBlock{{TypeName: "item", Nesting: tfplugin6.Schema_NestedBlock_LIST}}}, "item: declared twice"},
	}
	for _, c := range cases {
		answer := marshal(t, &tfplugin6.GetProviderSchema_Response{ResourceSchemas: map[string]*tfplugin6.Schema{
			"t_bad": {Block: c.block}, "t_good": {Block: good}}})
		s, diags := NewSchemas(testProvider, Answer{Protocol: V6, Schema: answer})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		r, diags := s.Type(addr.Managed, "t_bad")
		if r != nil || len(diags) == 0 || diags[0].Summary != "Failed to load plugin schemas" {
			t.Errorf("%s: %#v %v", c.say, r, diags)
			continue
		}
		for _, part := range []string{c.say, testProvider.String(), `managed resource type "t_bad"`} {
			if !strings.Contains(diags[0].Detail, part) {
				t.Errorf("%q is not in %q", part, diags[0].Detail)
			}
		}
		if r, diags := s.Type(addr.Managed, "t_good"); r == nil || len(diags) > 0 {
			t.Errorf("%s: the good type is unusable too: %v", c.say, diags)
		}
	}
}

func TestRefusedAndMalformed(t *testing.T) {
	refused := marshal(t, &tfplugin6.GetProviderSchema_Response{Diagnostics: []*tfplugin6.Diagnostic{{Severity: tfplugin6.Diagnostic_ERROR, Summary: "Schema refused", Detail: "As told."}}})
	if s, diags := NewSchemas(testProvider, Answer{Protocol: V6, Schema: refused}); s != nil || !strings.Contains(diags[0].Detail, "Schema refused: As told.") {
		t.Errorf("got %v", diags)
	}
	if s, diags := NewSchemas(testProvider, Answer{Protocol: V6, Schema: []byte("\xff\xffgarbage")}); s != nil || !diags.HasErrors() {
		t.Errorf("got %v", diags)
	}
}

// TestCutAnything: no bytes of a provider make cutting or compiling panic.
func TestCutAnything(t *testing.T) {
	whole := marshal(t, schemaAnswer(V6, nil))
	rapid.Check(t, func(t *rapid.T) {
		raw := append([]byte(nil), whole...)
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		s, _ := NewSchemas(testProvider, Answer{Protocol: V6, Schema: raw[:rapid.IntRange(0, len(raw)).Draw(t, "length")]})
		if s == nil {
			return
		}
		for _, mode := range []addr.Mode{addr.Managed, addr.Data, addr.List, addr.Ephemeral} {
			for _, name := range s.TypeNames(mode) {
				s.Type(mode, name)
			}
		}
	})
}

// TestRoundTrip: values, unknown and refined ones too, come back as they went.
func TestRoundTrip(t *testing.T) {
	typ := cty.Object(map[string]cty.Type{
		"s": cty.String, "l": cty.List(cty.Number), "d": cty.DynamicPseudoType, "m": cty.Map(cty.Set(cty.Bool)),
	})
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string, vs ...cty.Value) cty.Value { return rapid.SampledFrom(vs).Draw(t, label) }
		v := cty.ObjectVal(map[string]cty.Value{
			"s": pick("s", cty.NullVal(cty.String), cty.UnknownVal(cty.String), cty.UnknownVal(cty.String).RefineNotNull(), cty.StringVal("é\n")),
			"l": pick("l", cty.ListValEmpty(cty.Number), cty.ListVal([]cty.Value{cty.MustParseNumberVal("12345678901234567890.5"), cty.UnknownVal(cty.Number)}), cty.UnknownVal(cty.List(cty.Number)).Refine().CollectionLengthUpperBound(3).NewValue()),
			"d": pick("d", cty.NullVal(cty.DynamicPseudoType), cty.TupleVal([]cty.Value{cty.True, cty.StringVal("x")}), cty.DynamicVal),
			"m": pick("m", cty.NullVal(cty.Map(cty.Set(cty.Bool))), cty.MapVal(map[string]cty.Value{"k": cty.SetVal([]cty.Value{cty.True})})),
		})
		sent, err := encode(value.MustBare(v), typ)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(sent, typ)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Cty().RawEquals(v) {
			t.Fatalf("sent %#v\ngot %#v", v, got.Cty())
		}
	})
	if v, err := decode(&tfplugin6.DynamicValue{Json: []byte(`{"s":"x","l":null,"d":null,"m":null}`)}, typ); err != nil || v.Cty().GetAttr("s").AsString() != "x" {
		t.Errorf("json: %#v %v", v, err)
	}
}

func TestDecodeAnything(t *testing.T) {
	typ := cty.Object(map[string]cty.Type{"s": cty.Set(cty.String), "d": cty.DynamicPseudoType, "n": cty.Number})
	whole, _ := encode(value.MustBare(cty.ObjectVal(map[string]cty.Value{
		"s": cty.SetVal([]cty.Value{cty.StringVal("a")}), "d": cty.TupleVal([]cty.Value{cty.True}), "n": cty.UnknownVal(cty.Number).RefineNotNull()})), typ)
	rapid.Check(t, func(t *rapid.T) {
		raw := append([]byte(nil), whole.Msgpack...)
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if v, err := decode(&tfplugin6.DynamicValue{Msgpack: raw}, typ); err != nil && !v.IsZero() {
			t.Fatal("an error and a value")
		}
	})
}
