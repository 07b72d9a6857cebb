package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// said is what a diagnostic says and where.
func said(d diag.Diag) string {
	s := d.Summary + ": " + d.Detail
	if d.Subject != nil {
		s += fmt.Sprintf(" %s:%d,%d", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column)
	}
	for _, v := range d.Values {
		s += " | " + v.Traversal + " " + v.Statement
	}
	return s
}

func compileText(t testing.TB, src string) (*lang.Expr, diag.List) {
	t.Helper()
	e, hd := hclsyntax.ParseExpression([]byte(src), "e", hcl.InitialPos)
	if hd.HasErrors() {
		t.Fatal(hd)
	}
	return lang.Compile(e)
}

func TestReferences(t *testing.T) {
	tests := []struct{ src, want string }{
		{"var.a", "var.a"},
		{"var.a.b[0]", "var.a + .b[0]"},
		{"local.x", "local.x"},
		{"aws_x.y", "aws_x.y"},
		{"aws_x.y.z", "aws_x.y + .z"},
		{"aws_x.y[0].z", "aws_x.y[0] + .z"},
		{`aws_x.y["k"].z`, `aws_x.y["k"] + .z`},
		{"aws_x.y[*].z", "aws_x.y"},
		{"aws_x.y[count.index].z", "aws_x.y same(count), count.index"},
		{"aws_x.y[each.key].z", "aws_x.y same(each), each.key"},
		{"aws_x.y[each.value].z", "aws_x.y, each.value"},
		{"data.a.b.c", "data.a.b + .c"},
		{"resource.module.x.y", "module.x + .y"},
		{"resource.data.x", "data.x"},
		{"ephemeral.a.b.c", "ephemeral.a.b + .c"},
		{"module.m", "module.m"},
		{"module.m.out.x", "module.m.out + .x"},
		{"module.m[0].out.x", "module.m[0].out + .x"},
		{"module.m[*].out", "module.m picks out"},
		{"module.m[each.key].out.x", "module.m same(each) picks out, each.key"},
		{"self.id", "self + .id"},
		{"path.module", "path.module"},
		{"terraform.workspace", "terraform.workspace"},
		{"tofu.workspace", "tofu.workspace"},
		{"[for x in var.a : x.y + z.w]", "var.a, z.w"},
		{"convert(var.a, list(string))", "var.a"},
		{"output.b", "output.b"},
		{"count", `Invalid reference: The "count" object cannot be accessed directly. Instead, access one of its attributes. e:1,1, Invalid "count" attribute: No name follows the word "count", so it leads nowhere. :0,0`},
		{"var[0]", `Invalid reference: The "var" object does not support this operation. e:1,4, Reference to undeclared input variable: No name follows the word "var", so it leads nowhere. :0,0`},
		{"probe::f()", `Unknown provider function: The function namespace "probe" is not valid. Provider function calls must use the "provider::" namespace prefix. e:1,1`},
		{"provider::f()", "Unknown provider function: A function of a provider is called as provider::NAME::FUNCTION, with the provider's name in required_providers. e:1,1"},
		{"foo", "Invalid reference: A reference to a resource type must be followed by at least one attribute access, specifying the resource name. e:1,1"},
		{"data.a", `Invalid reference: The "data" object must be followed by two attribute names: the data source type and the resource name. e:1,1`},
		{"module", `Invalid reference: The "module" object cannot be accessed directly. Instead, access one of its attributes. e:1,1`},
		{"aws_x.y[1.5]", "Invalid index key: An instance is selected by a whole number or by a string. e:1,8"},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			x, diags := compileText(t, tt.src)
			var got []string
			for _, r := range x.Refs() {
				got = append(got, describe(r))
			}
			for _, d := range diags {
				got = append(got, said(d))
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func describe(r lang.Ref) string {
	s := r.String()
	switch r.SameKey {
	case lang.RefCount:
		s += " same(count)"
	case lang.RefEach:
		s += " same(each)"
	}
	if r.Selected != "" {
		s += " picks " + r.Selected
	}
	if len(r.Remaining) > 0 {
		s += " + " + lang.TraversalText(r.Remaining)
	}
	return s
}

func TestEvaluation(t *testing.T) {
	scope := lang.NewScope(map[string]cty.Value{
		"local": cty.ObjectVal(map[string]cty.Value{
			"obj":  cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1), "b": cty.TupleVal([]cty.Value{cty.True, cty.False})}),
			"none": cty.EmptyTupleVal,
			"str":  cty.StringVal("x"),
			"unk":  cty.UnknownVal(cty.String),
			"sec":  value.Mark(cty.StringVal("x"), value.Sensitive),
		}),
	}, lang.Functions(lang.FuncOptions{}))
	tests := []struct {
		src  string
		want cty.Type
		text string
	}{
		{`"${local.str}!"`, cty.String, `"x!"`},
		{"1", cty.String, `"1"`},
		{`local.sec`, cty.String, "(sensitive value)"},
		{"local.obj.b[local.obj.a + 5]", cty.DynamicPseudoType, "Invalid index: The given key does not identify an element in this collection value. e:1,12 | local.obj.a is 1 | local.obj.b is tuple with 2 elements"},
		{"local.none[0]", cty.DynamicPseudoType, "Invalid index: The given key does not identify an element in this collection value: the collection has no elements. e:1,11 | local.none is empty tuple"},
		{"local.obj.c", cty.DynamicPseudoType, `Unsupported attribute: This object does not have an attribute named "c". e:1,10 | local.obj is object with 2 attributes`},
		{`"${local.unk}" + 1 + local.sec`, cty.DynamicPseudoType, "Invalid operand: Unsuitable value for right operand: a number is required. e:1,22"},
		{`"x"`, cty.Number, "Incorrect value type: Invalid expression value: a number is required. e:1,1"},
		{`true`, cty.Number, "Incorrect value type: Invalid expression value: number required, but have bool. e:1,1"},
		{`upper()`, cty.String, `Not enough function arguments: Function "upper" expects 1 argument(s). Missing value for "str". e:1,7`},
		{`nope()`, cty.String, `Call to unknown function: There is no function named "nope". Did you mean "one"? e:1,1`},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			x, diags := compileText(t, tt.src)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			v, diags := x.Eval(scope, tt.want)
			got := lang.Compact(v)
			if diags.HasErrors() {
				got = said(diags[0])
			}
			if got != tt.text {
				t.Errorf("got  %s\nwant %s", got, tt.text)
			}
		})
	}
}

func TestFailedCallIsDescribed(t *testing.T) {
	x, _ := compileText(t, `tonumber("x")`)
	_, diags := x.Eval(bodyScope(), cty.Number)
	if len(diags) != 1 || diags[0].Call == nil || diags[0].Call.Name != "tonumber" || len(diags[0].Call.Signature) == 0 {
		t.Errorf("%+v", diags)
	}
}

func TestSuggestions(t *testing.T) {
	x, _ := compileText(t, "var.vcp")
	d := lang.Undeclared(x.Refs()[0], []string{"zone", "vpc"}, "the root module")
	if got := said(d); got != `Reference to undeclared input variable: An input variable with the name "vcp" has not been declared. Did you mean "vpc"? e:1,1` {
		t.Error(got)
	}
	for _, c := range []struct {
		name, want string
		among      []string
	}{
		{"region", "regin", []string{"zone", "regio", "regin"}}, // the first in order
		{"region", "", []string{"region", "regime_s", "reg"}},   // itself, too far, too short
		{"größe", "grösse", []string{"grösse"}},                 // letters, not bytes
		{"ab", "cd", []string{"cd"}},
		{"siez", "size", []string{"name", "size"}},
		{"nope", "", []string{"data"}},
	} {
		if got := lang.Suggest(c.name, c.among); got != c.want {
			t.Errorf("%q: %q", c.name, got)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, s := range []string{"var.a", "aws_x.y[0].z", `module.m["k"].o`, "data.a.b", "each.key", "resource.x.y", "a.b[*].c", "lazy.x", "self", "count"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tr, hd := hclsyntax.ParseTraversalAbs([]byte(s), "e", hcl.InitialPos)
		if hd.HasErrors() || len(tr) == 0 {
			return
		}
		for _, parse := range []func(hcl.Traversal) (lang.Ref, diag.List){lang.ParseRef, lang.ParseTestRef} {
			ref, diags := parse(tr)
			if diags.HasErrors() == (ref.Kind != lang.RefInvalid) {
				t.Fatalf("%q: kind %d with %v", s, ref.Kind, diags)
			}
			_ = ref.Text()
		}
	})
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{"var.n + 1", `"${var.secret}-${var.u[0]}"`, "[for x in var.xs : upper(x)]", "{ for k, v in var.m : k => v... }", "var.m[*]", "cidrhost(\"10.0.0.0/8\", var.n)", `templatestring(var.secret, {})`, "try(var.null[0], 1)", "convert(var.xs, set(string))", "flatten([var.xs, var.u])", "coalesce(var.null, var.s)"} {
		f.Add(s)
	}
	scope := bodyScope()
	f.Fuzz(func(t *testing.T, s string) {
		e, hd := hclsyntax.ParseExpression([]byte(s), "e", hcl.InitialPos)
		if hd.HasErrors() {
			return
		}
		x, diags := lang.Compile(e)
		if diags.HasErrors() {
			return
		}
		v, diags := x.Eval(scope, cty.DynamicPseudoType)
		for _, d := range diags {
			if strings.Contains(d.Detail, "hush") && !strings.Contains(s, "hush") {
				t.Fatalf("%q leaks: %s", s, d.Detail)
			}
		}
		_ = lang.Compact(v)
	})
}

func TestNamelessReferences(t *testing.T) {
	for text, want := range map[string]string{
		"local":     "Reference to undeclared local value",
		"var[0]":    "Reference to undeclared input variable",
		"each":      `Invalid "each" attribute`,
		"count":     `Invalid "count" attribute`,
		"path":      `Invalid "path" attribute`,
		"terraform": `Invalid "terraform" attribute`,
		"module":    "",
		"data.a":    "",
	} {
		_, diags := compileText(t, text)
		if len(diags) == 0 || diags[0].Summary != "Invalid reference" {
			t.Fatalf("%s: %v", text, diags)
		}
		switch {
		case want == "" && len(diags) != 1:
			t.Errorf("%s: %v", text, diags)
		case want != "" && (len(diags) != 2 || diags[1].Summary != want || *diags[1].Subject != (diag.Range{})):
			t.Errorf("%s: %v, want a second %q without a place", text, diags, want)
		}
	}
}
