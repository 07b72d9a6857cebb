package builtin

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// call calls a function and gives its text, or its error.
func call(name string, arg cty.Value) string {
	r := New(Options{}).CallFunction(context.Background(), name, []value.Bare{value.Strip(arg)})
	switch {
	case r.Failed != nil:
		return "failed: " + r.Failed[0].Detail
	case r.Error != "":
		return "error: " + r.Error
	case r.Result.Cty().Type() == cty.String && r.Result.Cty().IsKnown():
		return r.Result.Cty().AsString()
	}
	return show(r.Result.Cty())
}

// written is the value of the expression x in text.
func written(t testing.TB, text string) cty.Value {
	return read(t, "x = "+text, cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType})).GetAttr("x")
}

func TestEncode(t *testing.T) {
	for _, c := range []struct{ function, arg, want string }{
		{"encode_expr", `"a\n$${b} %%{c} \"q\" $"`, `"a\n$${b} %%{c} \"q\" $"`},
		{"encode_expr", `""`, `""`},
		{"encode_expr", `1.5`, `1.5`},
		{"encode_expr", `12345678901234567890123`, `12345678901234567890123`},
		{"encode_expr", `1e50`, `1` + strings.Repeat("0", 50)},
		{"encode_expr", `-5`, `-5`},
		{"encode_expr", `true`, `true`},
		{"encode_expr", `null`, `error: argument must not be null`},
		{"encode_expr", `[]`, `[]`},
		{"encode_expr", `{}`, `{}`},
		{"encode_expr", `[1,"a",[2,[]],{}]`, `[1, "a", [2, []], {}]`},
		{"encode_expr", `[null]`, `[null]`},
		{"encode_expr", `"é\t\r\u0001\\ 😀 \u00a0"`, `"é\t\r\u0001\\ 😀 \u00a0"`},
		{"encode_expr", `"\n\u0303"`, `"\n\U00000303"`},
		{"encode_expr", `{a=1,"b c"={d=[1,{e=2,ff=3}]}, "1x"=2, null=1, true=2, for=3, "x.y"=4, "a-b"=5,é=6}`, `{
  "1x" = 2
  a    = 1
  a-b  = 5
  "b c" = {
    d = [1, {
      e  = 2
      ff = 3
    }]
  }
  for   = 3
  null  = 1
  true  = 2
  "x.y" = 4
  é     = 6
}`},
		{"encode_tfvars", `{}`, ""},
		{"encode_tfvars", `{a=1,bbb=["x",{y=1}],cc={d=2},z="s",n=null}`, `a = 1
bbb = ["x", {
  y = 1
}]
cc = {
  d = 2
}
n = null
z = "s"
`},
		{"encode_tfvars", `{count=1, source=2, "a-b"=3, for=4, null=5}`, "a-b    = 3\ncount  = 1\nfor    = 4\nnull   = 5\nsource = 2\n"},
		{"encode_tfvars", `{é=1}`, "é = 1\n"},
		{"encode_tfvars", `{"b c"=1}`, `error: "b c" cannot be the name of a variable, which consists of letters, digits, underscores and hyphens and begins with a letter`},
		{"encode_tfvars", `{"1"=1}`, `error: "1" cannot be the name of a variable, which consists of letters, digits, underscores and hyphens and begins with a letter`},
		{"encode_tfvars", `{"a = 1\nb"=1}`, `error: "a = 1\nb" cannot be the name of a variable, which consists of letters, digits, underscores and hyphens and begins with a letter`},
		{"encode_tfvars", `[1]`, `error: an object is needed, whose attributes are named like the variables to set`},
		{"encode_tfvars", `"a"`, `error: an object is needed, whose attributes are named like the variables to set`},
		{"encode_tfvars", `null`, `error: argument must not be null`},
		{"encode_tfvars", `{a="?"}`, `?string`},
		{"encode_nothing", `1`, `failed: The built-in provider terraform.io/builtin/terraform has no function "encode_nothing", so it should not have been asked for one.`},
	} {
		if got := call(c.function, written(t, c.arg)); got != c.want {
			t.Errorf("%s(%s) is\n%s\nwant\n%s", c.function, c.arg, got, c.want)
		}
	}
}

func TestEncodeCollections(t *testing.T) {
	two := []cty.Value{cty.StringVal("b"), cty.StringVal("a")}
	for _, c := range []struct {
		arg  cty.Value
		want string
	}{
		{cty.ListVal(two), `["b", "a"]`},
		{cty.SetVal(two), `["a", "b"]`},
		{cty.ListValEmpty(cty.String), `[]`},
		{cty.MapVal(map[string]cty.Value{"b b": cty.NumberIntVal(1), "a": cty.NumberIntVal(2)}), "{\n  a     = 2\n  \"b b\" = 1\n}"},
		{cty.CapsuleVal(cty.Capsule("x", reflect.TypeOf(struct{}{})), &struct{}{}), "error: there is no expression for a value of type x"},
	} {
		if got := call("encode_expr", c.arg); got != c.want {
			t.Errorf("%#v is %s, want %s", c.arg, got, c.want)
		}
	}
}

// Of an unknown value the kind of its expression is known.
func TestEncodeUnknown(t *testing.T) {
	for _, c := range []struct {
		arg    cty.Value
		prefix string
	}{
		{cty.UnknownVal(cty.String), `"`},
		{cty.UnknownVal(cty.Number), ``},
		{cty.UnknownVal(cty.List(cty.String)), `[`},
		{cty.TupleVal([]cty.Value{cty.DynamicVal}), `[`},
		{cty.UnknownVal(cty.Map(cty.String)), `{`},
		{cty.ObjectVal(map[string]cty.Value{"a": cty.DynamicVal}), `{`},
		{cty.DynamicVal, ``},
	} {
		r := New(Options{}).CallFunction(context.Background(), "encode_expr", []value.Bare{bare(c.arg)})
		known := r.Result.Cty().Range()
		if r.Result.Cty().IsKnown() || known.StringPrefix() != c.prefix || known.CouldBeNull() {
			t.Errorf("%#v is %#v", c.arg, r.Result.Cty())
		}
	}
	if got := call("encode_tfvars", cty.DynamicVal); got != "?string" {
		t.Error(got)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", `{}`},
		{"a = 1\nb = [\"x\", null]\nc = {d = true, \"e f\" = 2}", `{a=1 b=["x", null] c={d=true e f=2}}`},
		{"a = 1 + 1\nb = \"${1+1}\"", `{a=2 b=2}`},
		{"é = 1\n", `{é=1}`},
		{"a = ", `error: in line 1, column 5: Missing expression; Expected the start of an expression, but found the end of the file`},
		{"b = 1\na = foo", `error: in line 2, column 5: Variables not allowed; Variables may not be used here`},
		{"a = upper(\"x\")", `error: in line 1, column 5: Function calls not allowed; Functions may not be called here`},
		{"b {}\n", `error: in line 1, column 1: Unexpected "b" block; Blocks are not allowed here`},
		{"a = 1\na = 2\n", `error: in line 2, column 1: Attribute redefined; The argument "a" was already set at src.tfvars:1,1-2. Each argument may be set only once`},
		{`{"a":1}`, `error: in line 1, column 1: Argument or block definition required; An argument or block definition is required here`},
	} {
		if got := call("decode_tfvars", cty.StringVal(c.src)); got != c.want {
			t.Errorf("%s is\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
	if got := call("decode_tfvars", cty.UnknownVal(cty.String)); got != "?" {
		t.Error(got)
	}
}

// What is written reads back.
func TestEncodeDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.StringMatching(`[a-z][a-z0-9_-]{0,6}`)
		vars := rapid.MapOf(names, plain(3)).Draw(t, "vars")
		want := cty.ObjectVal(vars)
		text := call("encode_tfvars", want)
		got, err := decodeVars(cty.StringVal(text))
		if err != nil || !got.RawEquals(want) {
			t.Fatalf("%s\nis %#v, want %#v: %v", text, got, want, err)
		}
	})
}

// plain makes values that an expression says exactly.
func plain(depth int) *rapid.Generator[cty.Value] {
	kinds := []*rapid.Generator[cty.Value]{
		rapid.Map(rapid.String(), cty.StringVal),
		rapid.Map(rapid.Int64(), cty.NumberIntVal),
		rapid.Map(rapid.Bool(), cty.BoolVal),
		rapid.Just(cty.NullVal(cty.DynamicPseudoType)),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(plain(depth-1), 0, 3), cty.TupleVal),
			rapid.Map(rapid.MapOfN(rapid.StringMatching(`[ -~é]{0,6}`), plain(depth-1), 0, 3), cty.ObjectVal))
	}
	return rapid.OneOf(kinds...)
}
