package generate_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/generate"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func str(name string) *schema.Attribute {
	return &schema.Attribute{Name: name, Type: cty.String, Optional: true}
}

func with(a *schema.Attribute, change func(*schema.Attribute)) *schema.Attribute {
	change(a)
	return a
}

func inner() []*schema.Attribute {
	return []*schema.Attribute{
		str("a"),
		with(str("hidden"), func(a *schema.Attribute) { a.Sensitive = true }),
		with(str("uid"), func(a *schema.Attribute) { a.Optional, a.Computed = false, true }),
	}
}

func structural(name string, n schema.Nesting) *schema.Attribute {
	return &schema.Attribute{Name: name, Nested: schema.NewObject(n, inner()), Optional: true}
}

func nested(name string, n schema.Nesting) *schema.Nested {
	return &schema.Nested{Name: name, Nesting: n, Block: schema.NewBlock(inner(), nil)}
}

func thing(a string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal(a), "hidden": cty.StringVal("h"), "uid": cty.StringVal("u")})
}

// filled is an object of a block with every attribute not given null, and every
// block type not given empty.
func filled(b *schema.Block, given map[string]cty.Value) cty.Value {
	out := map[string]cty.Value{}
	for name, t := range b.Type().AttributeTypes() {
		v, ok := given[name]
		switch {
		case ok:
		case b.Blocks[name] != nil && t.IsSetType():
			v = cty.SetValEmpty(t.ElementType())
		case b.Blocks[name] != nil && t.IsListType():
			v = cty.ListValEmpty(t.ElementType())
		case b.Blocks[name] != nil && t.IsMapType():
			v = cty.MapValEmpty(t.ElementType())
		default:
			v = cty.NullVal(t)
		}
		out[name] = v
	}
	return cty.ObjectVal(out)
}

func TestResource(t *testing.T) {
	for _, c := range []struct {
		name    string
		attrs   []*schema.Attribute
		blocks  []*schema.Nested
		given   map[string]cty.Value
		subject generate.Subject
		want    string
	}{
		{
			name: "what an author sets, laid out",
			attrs: []*schema.Attribute{
				str("name"), str("absent"), {Name: "n", Type: cty.Number, Required: true},
				{Name: "tags", Type: cty.Map(cty.String), Optional: true}, {Name: "zs", Type: cty.Set(cty.String), Optional: true}},
			given: map[string]cty.Value{"name": cty.StringVal("x\n${y} %{z}"), "n": cty.NumberIntVal(3),
				"tags": cty.MapVal(map[string]cty.Value{"k": cty.StringVal("1"), "k y": cty.StringVal("2")}),
				"zs":   cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})},
			want: `
  absent = null
  n      = 3
  name   = "x\n$${y} %%{z}"
  tags = {
    k     = "1"
    "k y" = "2"
  }
  zs = ["a", "b"]
`,
		},
		{
			name: "what the provider decides is left out",
			attrs: []*schema.Attribute{
				with(str("id"), func(a *schema.Attribute) { a.Computed = true }),
				with(str("made"), func(a *schema.Attribute) { a.Optional, a.Computed = false, true }),
				with(str("chosen"), func(a *schema.Attribute) { a.Computed = true }),
				with(str("unset"), func(a *schema.Attribute) { a.Computed = true }),
				with(str("old"), func(a *schema.Attribute) { a.Deprecated = true })},
			given: map[string]cty.Value{"id": cty.StringVal("i"), "made": cty.StringVal("m"), "chosen": cty.StringVal("c"), "old": cty.StringVal("o")},
			want: `
  chosen = "c"
  unset  = null
`,
		},
		{
			name: "empty strings that nobody gave",
			attrs: []*schema.Attribute{
				str("a"), with(str("chosen"), func(a *schema.Attribute) { a.Computed = true }),
				{Name: "name", Type: cty.String, Required: true},
				{Name: "tags", Type: cty.Map(cty.String), Optional: true}, structural("one", schema.Single)},
			blocks: []*schema.Nested{nested("rule", schema.List)},
			given: map[string]cty.Value{"a": cty.StringVal(""), "chosen": cty.StringVal(""), "name": cty.StringVal(""),
				"tags": cty.MapVal(map[string]cty.Value{"k": cty.StringVal("")}), "one": thing(""),
				"rule": cty.ListVal([]cty.Value{thing("")})},
			subject: generate.Subject{EmptyUnset: true},
			want: `
  a      = null
  chosen = null
  name   = ""
  one = {
    a      = null
    hidden = null # sensitive
  }
  tags = {
    k = ""
  }
  rule {
    a      = null
    hidden = null # sensitive
  }
`,
		},
		{
			name:    "what the provider has configuration give, and not give",
			attrs:   []*schema.Attribute{str("a"), with(str("unset"), func(a *schema.Attribute) { a.Computed = true })},
			given:   map[string]cty.Value{"a": cty.StringVal("")},
			subject: generate.Subject{EmptyUnset: true, Configured: true},
			want: `
  a = ""
`,
		},
		{
			name: "secrets are not written",
			attrs: []*schema.Attribute{
				with(str("pass"), func(a *schema.Attribute) { a.Sensitive = true }),
				with(str("token"), func(a *schema.Attribute) { a.WriteOnly = true })},
			given: map[string]cty.Value{"pass": cty.StringVal("p")},
			want: `
  pass  = null # sensitive
  token = null # write-only
`,
		},
		{
			name:    "configuration of the provider's own",
			attrs:   []*schema.Attribute{with(str("token"), func(a *schema.Attribute) { a.WriteOnly = true })},
			subject: generate.Subject{Configured: true, Provider: "x.y"},
			want: `
  provider = x.y
  token    = null
`,
		},
		{
			name:  "JSON is written as what it says",
			attrs: []*schema.Attribute{str("policy"), str("text"), str("list")},
			given: map[string]cty.Value{"policy": cty.StringVal(`{"a":[1,null],"b":"${c}"}`), "text": cty.StringVal("{no"), "list": cty.StringVal("[]")},
			want: `
  list = jsonencode([])
  policy = jsonencode({
    a = [1, null]
    b = "$${c}"
  })
  text = "{no"
`,
		},
		{
			name: "structural attributes",
			attrs: []*schema.Attribute{structural("keyed", schema.Map), structural("many", schema.List),
				structural("none", schema.Single), structural("one", schema.Single), structural("some", schema.Set)},
			given: map[string]cty.Value{
				"keyed": cty.MapVal(map[string]cty.Value{"k y": thing("1"), "for": thing("2")}),
				"many":  cty.ListVal([]cty.Value{thing("3")}), "one": thing("4"), "some": cty.SetVal([]cty.Value{thing("5")})},
			want: `
  keyed = {
    "for" = {
      a      = "2"
      hidden = null # sensitive
    }
    "k y" = {
      a      = "1"
      hidden = null # sensitive
    }
  }
  many = [
    {
      a      = "3"
      hidden = null # sensitive
    },
  ]
  none = null
  one = {
    a      = "4"
    hidden = null # sensitive
  }
  some = [
    {
      a      = "5"
      hidden = null # sensitive
    },
  ]
`,
		},
		{
			name:  "nested blocks",
			attrs: []*schema.Attribute{str("z")},
			blocks: []*schema.Nested{nested("group", schema.Group), nested("item", schema.List), nested("keyed", schema.Map),
				nested("none", schema.Single), nested("one", schema.Single)},
			given: map[string]cty.Value{"item": cty.ListVal([]cty.Value{thing("1"), thing("2")}), "one": thing("3"),
				"keyed": cty.MapVal(map[string]cty.Value{"k": thing("4")}),
				"group": filled(schema.NewBlock(inner(), nil), nil)},
			want: `
  z = null
  item {
    a      = "1"
    hidden = null # sensitive
  }
  item {
    a      = "2"
    hidden = null # sensitive
  }
  keyed "k" {
    a      = "4"
    hidden = null # sensitive
  }
  one {
    a      = "3"
    hidden = null # sensitive
  }
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			block := schema.NewBlock(c.attrs, c.blocks)
			c.subject.Addr, c.subject.Schema = addr.Resource{Mode: addr.Managed, Type: "x_thing", Name: "a"}, block
			got := generate.Resource(c.subject, value.MustBare(filled(block, c.given)))
			if want := `resource "x_thing" "a" {` + c.want + "}"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if strings.Contains(got, `"h"`) {
				t.Error("a sensitive value was written")
			}
			if _, diags := hclparse.NewParser().ParseHCL([]byte(got), "generated.tf"); diags.HasErrors() {
				t.Error(diags)
			}
		})
	}
}
