package contract

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// testdata/proposed.json holds planning requests that Terraform made of three
// providers: type, prior state, configuration and proposed new state, with
// null members left out and unknown values written "(unknown)".
func TestProposedNewAsRecorded(t *testing.T) {
	raw, err := os.ReadFile("testdata/proposed.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schemas map[string]jsonBlock
		Cases   [][4]any
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	for i, c := range doc.Cases {
		typeName := c[0].(string)
		s := doc.Schemas[typeName].block()
		t.Run(fmt.Sprintf("%03d_%s", i, typeName), func(t *testing.T) {
			read := func(v any) cty.Value { return readValue(t, v, s.Type()) }
			got := ProposedNew(s, read(c[1]), read(c[2]))
			want := read(c[3])
			if !same(got, want) {
				t.Errorf("prior    %v\nconfig   %v\nproposed %v\nrecorded %v", show(read(c[1])), show(read(c[2])), show(got), show(want))
			}
		})
	}
}

func TestDataUnknown(t *testing.T) {
	s := schema.NewBlock([]*schema.Attribute{
		{Name: "name", Type: cty.String, Required: true},
		{Name: "out", Type: cty.String, Computed: true},
		{Name: "opt", Type: cty.String, Optional: true, Computed: true},
	}, []*schema.Nested{{Name: "filter", Nesting: schema.List, Block: schema.NewBlock([]*schema.Attribute{
		{Name: "key", Type: cty.String, Required: true},
		{Name: "hits", Type: cty.Number, Computed: true},
	}, nil)}})
	config := cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal("n"), "out": cty.NullVal(cty.String), "opt": cty.StringVal("mine"),
		"filter": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal("k"), "hits": cty.NullVal(cty.Number)})}),
	})
	want := cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal("n"), "out": cty.UnknownVal(cty.String), "opt": cty.StringVal("mine"),
		"filter": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal("k"), "hits": cty.UnknownVal(cty.Number)})}),
	})
	if got := DataUnknown(s, config); !got.RawEquals(want) {
		t.Errorf("got %#v", got)
	}
}

// jsonBlock is a block of the schema JSON.
type jsonBlock struct {
	Attributes map[string]jsonAttribute
	BlockTypes map[string]struct {
		NestingMode string `json:"nesting_mode"`
		Block       jsonBlock
	} `json:"block_types"`
}

type jsonAttribute struct {
	Type                         json.RawMessage
	Required, Optional, Computed bool
	WriteOnly                    bool `json:"write_only"`
	NestedType                   *struct {
		NestingMode string `json:"nesting_mode"`
		Attributes  map[string]jsonAttribute
	} `json:"nested_type"`
}

func nestingOf(s string) schema.Nesting {
	for n := schema.Single; n <= schema.Map; n++ {
		if n.String() == s {
			return n
		}
	}
	return schema.InvalidNesting
}

func attributesOf(in map[string]jsonAttribute) []*schema.Attribute {
	var out []*schema.Attribute
	for name, a := range in {
		n := &schema.Attribute{Name: name, Required: a.Required, Optional: a.Optional, Computed: a.Computed, WriteOnly: a.WriteOnly}
		if a.NestedType != nil {
			n.Nested = schema.NewObject(nestingOf(a.NestedType.NestingMode), attributesOf(a.NestedType.Attributes))
		} else {
			n.Type, _ = ctyjson.UnmarshalType(a.Type)
		}
		out = append(out, n)
	}
	return out
}

func (b jsonBlock) block() *schema.Block {
	var blocks []*schema.Nested
	for name, n := range b.BlockTypes {
		blocks = append(blocks, &schema.Nested{Name: name, Nesting: nestingOf(n.NestingMode), Block: n.Block.block()})
	}
	return schema.NewBlock(attributesOf(b.Attributes), blocks)
}

func readValue(t *testing.T, v any, want cty.Type) cty.Value {
	switch v := v.(type) {
	case nil:
		return cty.NullVal(want)
	case bool:
		return cty.BoolVal(v)
	case json.Number:
		f, _, err := big.ParseFloat(string(v), 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		return cty.NumberVal(f)
	case string:
		if v == "(unknown)" {
			return cty.UnknownVal(want)
		}
		if want == cty.Number {
			return cty.MustParseNumberVal(v)
		}
		return cty.StringVal(v)
	case []any:
		if want == cty.DynamicPseudoType {
			inner, err := ctyjson.UnmarshalType([]byte(v[0].(string)))
			if err != nil {
				t.Fatal(err)
			}
			return readValue(t, v[1], inner)
		}
		var out []cty.Value
		for _, e := range v {
			out = append(out, readValue(t, e, want.ElementType()))
		}
		switch {
		case len(out) == 0 && want.IsListType():
			return cty.ListValEmpty(want.ElementType())
		case len(out) == 0:
			return cty.SetValEmpty(want.ElementType())
		case want.IsListType():
			return cty.ListVal(out)
		}
		return cty.SetVal(out)
	case map[string]any:
		if want.IsMapType() {
			if len(v) == 0 {
				return cty.MapValEmpty(want.ElementType())
			}
			out := map[string]cty.Value{}
			for k, e := range v {
				out[k] = readValue(t, e, want.ElementType())
			}
			return cty.MapVal(out)
		}
		out := map[string]cty.Value{}
		for k, at := range want.AttributeTypes() {
			out[k] = readValue(t, v[k], at)
		}
		return cty.ObjectVal(out)
	}
	t.Fatalf("cannot read %T", v)
	return cty.NilVal
}
