package lang_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func attr(name string, t cty.Type) *schema.Attribute {
	return &schema.Attribute{Name: name, Type: t, Optional: true}
}

func required(name string, t cty.Type) *schema.Attribute {
	return &schema.Attribute{Name: name, Type: t, Required: true}
}

// testSchema has one of everything.
func testSchema() *schema.Block {
	inner := schema.NewBlock([]*schema.Attribute{required("k", cty.String), attr("n", cty.Number)},
		[]*schema.Nested{{Name: "deep", Nesting: schema.List, Block: schema.NewBlock([]*schema.Attribute{attr("v", cty.String)}, nil)}})
	anything := schema.NewBlock([]*schema.Attribute{attr("any", cty.DynamicPseudoType)}, nil)
	element := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.Number})
	return schema.NewBlock([]*schema.Attribute{
		required("name", cty.String),
		attr("port", cty.Number),
		attr("tags", cty.Map(cty.String)),
		attr("any", cty.DynamicPseudoType),
		{Name: "legacy", Type: cty.List(element), Optional: true, Computed: true},
		{Name: "nested", Optional: true, Nested: schema.NewObject(schema.List, []*schema.Attribute{required("x", cty.String), attr("y", cty.Number)})},
	}, []*schema.Nested{
		{Name: "one", Nesting: schema.Single, Block: inner},
		{Name: "group", Nesting: schema.Group, Block: schema.NewBlock([]*schema.Attribute{attr("g", cty.String)}, nil)},
		{Name: "list", Nesting: schema.List, Block: inner, MaxItems: 3},
		{Name: "set", Nesting: schema.Set, Block: inner},
		{Name: "map", Nesting: schema.Map, Block: inner},
		{Name: "dyn", Nesting: schema.List, Block: anything},
	})
}

func bodyScope() *lang.Scope {
	return lang.NewScope(map[string]cty.Value{
		"var": cty.ObjectVal(map[string]cty.Value{
			"xs":     cty.TupleVal([]cty.Value{cty.StringVal("p"), cty.StringVal("q")}),
			"m":      cty.MapVal(map[string]cty.Value{"k1": cty.StringVal("v1"), "k2": cty.StringVal("v2")}),
			"n":      cty.NumberIntVal(5),
			"u":      cty.UnknownVal(cty.List(cty.String)),
			"s":      value.Mark(cty.ListVal([]cty.Value{cty.StringVal("hush")}), value.Sensitive),
			"secret": value.Mark(cty.StringVal("hush"), value.Sensitive),
			"null":   cty.NullVal(cty.List(cty.String)),
		}),
	}, lang.Functions(lang.FuncOptions{}))
}

func parseBody(t testing.TB, src string) hcl.Body {
	t.Helper()
	if strings.HasPrefix(src, "{") {
		f, hd := hcljson.Parse([]byte(src), "main.tf.json")
		if hd.HasErrors() {
			t.Fatal(hd)
		}
		return f.Body
	}
	f, hd := hclsyntax.ParseConfig([]byte(src), "main.tf", hcl.InitialPos)
	if hd.HasErrors() {
		t.Fatal(hd)
	}
	return f.Body
}

// oracle decodes with the syntax library's own decoder.
func oracle(body hcl.Body, s *schema.Block, vars map[string]cty.Value) cty.Value {
	ctx := &hcl.EvalContext{Variables: vars, Functions: lang.Functions(lang.FuncOptions{})}
	v, _ := hcldec.Decode(dynblock.Expand(body, ctx), specOf(s), ctx)
	return v
}

func specOf(s *schema.Block) hcldec.Spec {
	out := hcldec.ObjectSpec{}
	for name, a := range s.Attributes {
		t := a.Type
		if a.Nested != nil {
			t = cty.List(cty.ObjectWithOptionalAttrs(map[string]cty.Type{"x": cty.String, "y": cty.Number}, []string{"y"}))
		}
		out[name] = &hcldec.AttrSpec{Name: name, Type: t, Required: a.Required}
	}
	for name, n := range s.Blocks {
		inner := specOf(n.Block)
		switch n.Nesting {
		case schema.Single:
			out[name] = &hcldec.BlockSpec{TypeName: name, Nested: inner}
		case schema.Group:
			out[name] = &hcldec.DefaultSpec{Primary: &hcldec.BlockSpec{TypeName: name, Nested: inner}, Default: &hcldec.LiteralSpec{Value: lang.EmptyObject(n.Block)}}
		case schema.Set:
			out[name] = &hcldec.BlockSetSpec{TypeName: name, Nested: inner, MinItems: n.MinItems, MaxItems: n.MaxItems}
		case schema.Map:
			out[name] = &hcldec.BlockMapSpec{TypeName: name, LabelNames: []string{"key"}, Nested: inner}
		case schema.List:
			if n.Block.Type().HasDynamicTypes() {
				out[name] = &hcldec.BlockTupleSpec{TypeName: name, Nested: inner, MinItems: n.MinItems, MaxItems: n.MaxItems}
				continue
			}
			out[name] = &hcldec.BlockListSpec{TypeName: name, Nested: inner, MinItems: n.MinItems, MaxItems: n.MaxItems}
		}
	}
	return out
}

// TestBodyDecodesLikeTheLibrary compares with hcldec over dynblock.
func TestBodyDecodesLikeTheLibrary(t *testing.T) {
	sources := map[string]string{
		"empty":            `name = "a"`,
		"attributes":       "name = \"a\"\nport = \"80\"\ntags = { a = 1, b = true }\nany = [1, \"x\"]",
		"expressions":      "name = \"a-${var.n}\"\nport = var.n + 1\nany = var.secret",
		"single":           "name = \"a\"\none {\n k = \"x\"\n}",
		"group":            "name = \"a\"\ngroup {\n g = \"x\"\n}",
		"list":             "name = \"a\"\nlist {\n k = \"x\"\n deep {\n v = 1\n }\n}\nlist {\n k = \"y\"\n}",
		"set":              "name = \"a\"\nset {\n k = \"x\"\n}\nset {\n k = \"x\"\n}",
		"map":              "name = \"a\"\nmap \"l\" {\n k = \"x\"\n}\nmap \"m\" {\n k = \"y\"\n}",
		"dynamic types":    "name = \"a\"\ndyn {\n any = 1\n}\ndyn {\n any = [\"x\"]\n}",
		"dynamic":          "name = \"a\"\nlist {\n k = \"0\"\n}\ndynamic \"list\" {\n for_each = var.xs\n content {\n k = list.value\n n = list.key\n }\n}",
		"dynamic iterator": "name = \"a\"\ndynamic \"set\" {\n for_each = var.m\n iterator = it\n content {\n k = \"${it.key}=${it.value}\"\n }\n}",
		"dynamic labels":   "name = \"a\"\ndynamic \"map\" {\n for_each = var.m\n labels = [map.key]\n content {\n k = map.value\n }\n}",
		"nested dynamic":   "name = \"a\"\ndynamic \"list\" {\n for_each = var.xs\n content {\n k = list.value\n dynamic \"deep\" {\n for_each = var.m\n content {\n v = \"${list.value}${deep.value}\"\n }\n }\n }\n}",
		"unknown dynamic":  "name = \"a\"\ndynamic \"list\" {\n for_each = var.u\n content {\n k = list.value\n }\n}",
		"unknown single":   "name = \"a\"\ndynamic \"one\" {\n for_each = var.u\n content {\n k = one.value\n }\n}",
		"unknown map":      "name = \"a\"\ndynamic \"map\" {\n for_each = var.u\n labels = [\"x\"]\n content {\n k = map.value\n }\n}",
		"structural":       "name = \"a\"\nnested = [{ x = 1 }, { x = \"b\", y = 2 }]",
		"json":             `{"name": "a-${var.n}", "port": "${var.n}", "any": {"x": ["${var.xs[0]}", null, 1.5]}, "list": [{"k": "x"}, {"k": "${var.xs[1]}", "deep": {"v": "y"}}], "map": {"l": {"k": "z"}}}`,
		"json dynamic":     `{"name": "a", "dynamic": {"list": {"for_each": "${var.xs}", "content": {"k": "${list.value}"}}}}`,
	}
	s := testSchema()
	scope := bodyScope()
	vars, _ := scope.Lookup("var")
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			b, diags := lang.CompileBody(parseBody(t, src), s)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			got, diags := b.Eval(scope)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			want := oracle(parseBody(t, src), s, map[string]cty.Value{"var": vars})
			if !got.RawEquals(want) {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
			if errs := value.Strip(got).Cty().Type().TestConformance(s.Type()); len(errs) > 0 {
				t.Errorf("does not conform: %v", errs)
			}
		})
	}
}

func TestBodyBeyondTheLibrary(t *testing.T) {
	element := func(a, b cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": a, "b": b}) }
	str, num := cty.StringVal, cty.NumberIntVal
	secret := func(s string) cty.Value { return value.Mark(str(s), value.Sensitive) }
	tests := map[string]struct {
		src  string
		at   string
		want cty.Value
	}{
		"escape block":        {"_ {\n name = \"a\"\n port = 1\n}", "port", num(1)},
		"legacy as blocks":    {"name = \"a\"\nlegacy {\n a = \"x\"\n}\nlegacy {\n b = 2\n}", "legacy", cty.ListVal([]cty.Value{element(str("x"), cty.NullVal(cty.Number)), element(cty.NullVal(cty.String), num(2))})},
		"legacy dynamic":      {"name = \"a\"\ndynamic \"legacy\" {\n for_each = var.xs\n content {\n a = legacy.value\n }\n}", "legacy", cty.ListVal([]cty.Value{element(str("p"), cty.NullVal(cty.Number)), element(str("q"), cty.NullVal(cty.Number))})},
		"legacy as attribute": {"name = \"a\"\nlegacy = []", "legacy", cty.ListValEmpty(element(str(""), num(0)).Type())},
		"legacy not written":  {"name = \"a\"", "legacy", cty.NullVal(cty.List(element(str(""), num(0)).Type()))},
		"legacy in JSON":      {`{"name": "a", "legacy": [{"a": "x"}]}`, "legacy", cty.ListVal([]cty.Value{element(str("x"), cty.NullVal(cty.Number))})},
		"sensitive list":      {"name = \"a\"\ndynamic \"list\" {\n for_each = var.s\n content {\n k = \"plain\"\n deep {\n v = 1\n }\n }\n}", "list", cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"k": secret("plain"), "n": cty.NullVal(cty.Number), "deep": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"v": str("1")})})})})},
		"sensitive group":     {"name = \"a\"\ndynamic \"group\" {\n for_each = var.s\n content {\n g = \"plain\"\n }\n}", "group", cty.ObjectVal(map[string]cty.Value{"g": secret("plain")})},
		"sensitive map":       {"name = \"a\"\ndynamic \"map\" {\n for_each = var.s\n labels = [\"l\"]\n content {\n k = \"plain\"\n }\n}", "map", cty.MapVal(map[string]cty.Value{"l": value.Mark(cty.ObjectVal(map[string]cty.Value{"k": secret("plain"), "n": cty.NullVal(cty.Number), "deep": cty.ListValEmpty(cty.Object(map[string]cty.Type{"v": cty.String}))}), value.Sensitive)})},
		"sensitive unknown":   {"name = \"a\"\ndynamic \"list\" {\n for_each = sensitive(var.u)\n content {\n k = list.value\n }\n}", "list", cty.UnknownVal(testSchema().Blocks["list"].Type())},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, diags := lang.CompileBody(parseBody(t, tt.src), testSchema())
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			got, diags := b.Eval(bodyScope())
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if v := got.GetAttr(tt.at); !v.RawEquals(tt.want) {
				t.Errorf("got  %#v\nwant %#v", v, tt.want)
			}
		})
	}
}

func TestBodyErrors(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"missing":            {"port = 1", "Missing required argument: The argument \"name\" is required, but no definition was found. main.tf:1,1"},
		"unsupported":        {"name = 1\nnmae = 2", "Unsupported argument: An argument named \"nmae\" is not expected here. main.tf:2,1"},
		"unsupported block":  {"name = 1\nbogus {}", "Unsupported block type: Blocks of type \"bogus\" are not expected here. main.tf:2,1"},
		"wrong type":         {"name = 1\nport = \"x\"", "Incorrect attribute value type: Inappropriate value for attribute \"port\": a number is required. main.tf:2,8"},
		"structural missing": {"name = 1\nnested = [{ y = 1 }]", "Incorrect attribute value type: Inappropriate value for attribute \"nested\": element 0: attribute \"x\" is required. main.tf:2,10"},
		"too many":           {"name = 1\nlist {\n k = 1\n}\nlist {\n k = 1\n}\nlist {\n k = 1\n}\nlist {\n k = 1\n}", "Too many list blocks: No more than 3 \"list\" blocks are allowed main.tf:11,6"},
		"duplicate":          {"name = 1\none {\n k = 1\n}\none {\n k = 1\n}", "Duplicate one block: Only one block of type \"one\" is allowed. Previous definition was at main.tf:2,1-4. main.tf:5,1"},
		"duplicate label":    {"name = 1\nmap \"a\" {\n k = 1\n}\nmap \"a\" {\n k = 1\n}", "Duplicate map block: A block for map \"a\" was already defined. The map labels must be unique. main.tf:5,1"},
		"inner missing":      {"name = 1\nlist {}", "Missing required argument: The argument \"k\" is required, but no definition was found. main.tf:2,6"},
		"no content":         {"name = 1\ndynamic \"list\" {\n for_each = []\n}", "Missing dynamic content block: A dynamic block must have a nested block of type \"content\" to describe the body of each generated block. main.tf:2,16"},
		"dynamic null":       {"name = 1\ndynamic \"list\" {\n for_each = var.null\n content {\n k = 1\n }\n}", "Invalid dynamic for_each value: Cannot use a null value in for_each. main.tf:3,13 | var.null is null"},
		"dynamic number":     {"name = 1\ndynamic \"list\" {\n for_each = var.n\n content {\n k = 1\n }\n}", "Invalid dynamic for_each value: Cannot use a number value in for_each. An iterable collection is required. main.tf:3,13 | var.n is 5"},
		"dynamic bogus":      {"name = 1\ndynamic \"bogus\" {\n for_each = []\n content {}\n}", "Unsupported block type: Blocks of type \"bogus\" are not expected here. main.tf:2,9"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, diags := lang.CompileBody(parseBody(t, tt.src), testSchema())
			v, more := b.Eval(bodyScope())
			if diags = diags.With(more); len(diags) != 1 {
				t.Fatalf("diagnostics: %v", diags)
			}
			if got := said(diags[0]); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if errs := value.Strip(v).Cty().Type().TestConformance(testSchema().Type()); len(errs) > 0 {
				t.Errorf("L3: the value does not conform: %v", errs)
			}
		})
	}
}

func TestBodyRanges(t *testing.T) {
	src := "name = \"a\"\nlist {\n k = \"x\"\n}\nlist {\n k = \"y\"\n}\nmap \"m\" {\n k = 1\n}\n"
	b, diags := lang.CompileBody(parseBody(t, src), testSchema())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	tests := map[string]struct {
		path cty.Path
		line int
	}{
		"attribute":         {cty.GetAttrPath("name"), 1},
		"not written":       {cty.GetAttrPath("port"), 0},
		"second block":      {cty.GetAttrPath("list").IndexInt(1).GetAttr("k"), 6},
		"unset in a block":  {cty.GetAttrPath("list").IndexInt(1).GetAttr("n"), 5},
		"map block":         {cty.GetAttrPath("map").IndexString("m").GetAttr("k"), 9},
		"block not there":   {cty.GetAttrPath("list").IndexInt(7), 0},
		"inside a value":    {cty.GetAttrPath("name").IndexInt(0), 1},
		"unknown attribute": {cty.GetAttrPath("bogus"), 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := b.RangeOf(tt.path)
			if got := 0; r != nil && r.Start.Line != tt.line || r == nil && tt.line != got {
				t.Errorf("got %v, want line %d", r, tt.line)
			}
		})
	}
}

func TestBodyReferences(t *testing.T) {
	src := "name = aws_x.y.id\nlist {\n k = each.key\n}\ndynamic \"set\" {\n for_each = local.l\n content {\n k = \"${set.value}${var.z}${provider::p::f()}\"\n }\n}\n"
	b, diags := lang.CompileBody(parseBody(t, src), testSchema())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, r := range b.Refs() {
		got = append(got, r.Text())
	}
	for _, f := range b.ProviderFunctions() {
		got = append(got, f.String())
	}
	if s := strings.Join(got, " "); s != "aws_x.y.id each.key local.l var.z provider::p::f" {
		t.Error(s)
	}
}

func BenchmarkBodyEval(b *testing.B) {
	body, diags := lang.CompileBody(parseBody(b, "name = \"a-${count.index}\"\nport = 80\ntags = { a = \"b\" }\nlist {\n k = \"x\"\n}"), testSchema())
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	s := bodyScope()
	for b.Loop() {
		child := s.Child(map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(5)})})
		if _, diags := body.Eval(child); diags.HasErrors() {
			b.Fatal(diags)
		}
	}
}
