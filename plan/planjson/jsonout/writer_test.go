package jsonout_test

import (
	"bytes"
	"testing"

	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/zclconf/go-cty/cty"
)

func TestValueLeavesUnknownOut(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{
		"a": cty.UnknownVal(cty.String),
		"b": cty.TupleVal([]cty.Value{cty.UnknownVal(cty.String), cty.StringVal("<x>")}),
		"c": cty.MustParseNumberVal("12345678901234567890.5"),
		"d": cty.NullVal(cty.Bool),
		"e": cty.MapVal(map[string]cty.Value{"k": cty.True, "u": cty.UnknownVal(cty.Bool)}),
		"f": cty.SetVal([]cty.Value{cty.StringVal("y"), cty.StringVal("x")}),
	})
	var b bytes.Buffer
	w := jsonout.New(&b)
	w.Value(v)
	want := `{"b":[null,"\u003cx\u003e"],"c":12345678901234567890.5,"d":null,"e":{"k":true},"f":["x","y"]}` + "\n"
	if b.String() != want || w.Err() != nil {
		t.Errorf("got  %swant %s%v", b.String(), want, w.Err())
	}
}

func TestFirstErrorStays(t *testing.T) {
	var b bytes.Buffer
	w := jsonout.New(&b)
	w.Begin()
	w.EndList()
	first := w.Err()
	w.Key("a")
	if first == nil || w.Err() != first {
		t.Errorf("first %v, then %v", first, w.Err())
	}
}
