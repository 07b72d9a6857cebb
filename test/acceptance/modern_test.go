package acceptance

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

type (
	servers5 = map[string]func() (tfprotov5.ProviderServer, error)
	servers6 = map[string]func() (tfprotov6.ProviderServer, error)
)

// at names an attribute by its path: names and indices.
func at(name string, steps ...any) tfjsonpath.Path {
	p := tfjsonpath.New(name)
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			p = p.AtMapKey(s)
		case int:
			p = p.AtSliceIndex(s)
		}
	}
	return p
}

func is(address string, path tfjsonpath.Path, v knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, path, v)
}

func plans(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

func action(address string, a plancheck.ResourceActionType) plancheck.PlanCheck {
	return plancheck.ExpectResourceAction(address, a)
}

func matching(pattern string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(pattern), " ", `\s+`))
}

// both runs a test over protocol 5 and 6, and sees to it that nothing is left.
func both(t *testing.T, steps func(w *cloud.World) []resource.TestStep, versions ...tfversion.TerraformVersionCheck) {
	t.Helper()
	t.Run("protocol 5", func(t *testing.T) {
		w := cloud.New()
		run(t, w, resource.TestCase{TerraformVersionChecks: versions, ProtoV5ProviderFactories: servers5{"modern": modern.Server5(w)}, Steps: steps(w)})
	})
	t.Run("protocol 6", func(t *testing.T) {
		w := cloud.New()
		run(t, w, resource.TestCase{TerraformVersionChecks: versions, ProtoV6ProviderFactories: servers6{"modern": modern.Server6(w)}, Steps: steps(w)})
	})
}

func run(t *testing.T, w *cloud.World, c resource.TestCase) {
	t.Helper()
	t.Parallel()
	resource.Test(t, c)
	if left := w.Left(); len(left) > 0 {
		t.Errorf("the test left %v behind", left)
	}
}

func TestAttributesOfEveryType(t *testing.T) {
	const all = `
resource "modern_plain" "a" {
  bool    = true
  int32   = -32
  int64   = 9007199254740993
  float32 = 0.5
  float64 = 1.25
  number  = 123456789012345678901234567890
  string  = "two\nlines ${"$"}{kept}"
  dynamic = { a = [1, "b"], c = null }
  list    = ["b", "a", ""]
  set     = [3, 1, 3]
  map     = { x = true, "y z" = false }
  object  = { key = "k", size = 5 }
  objects = [{ key = "one", size = 1 }, { key = "two", size = null }]
  lists   = { a = [1.5, 2], b = [] }
}`
	huge, _, _ := big.ParseFloat("123456789012345678901234567890", 10, 512, big.ToNearestEven)
	a := "modern_plain.a"
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: all,
				ConfigPlanChecks: plans(
					action(a, plancheck.ResourceActionCreate), plancheck.ExpectNonEmptyPlan(),
					plancheck.ExpectUnknownValue(a, at("id")), plancheck.ExpectUnknownValue(a, at("revision")),
					plancheck.ExpectKnownValue(a, at("list", 2), knownvalue.StringExact("")),
				),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("bool"), knownvalue.Bool(true)), is(a, at("int32"), knownvalue.Int32Exact(-32)),
					is(a, at("int64"), knownvalue.Int64Exact(9007199254740993)), is(a, at("float32"), knownvalue.Float32Exact(0.5)),
					is(a, at("float64"), knownvalue.Float64Exact(1.25)), is(a, at("number"), knownvalue.NumberExact(huge)),
					is(a, at("string"), knownvalue.StringExact("two\nlines ${kept}")),
					is(a, at("dynamic", "a", 1), knownvalue.StringExact("b")), is(a, at("dynamic", "c"), knownvalue.Null()),
					is(a, at("list"), knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("b"), knownvalue.StringExact("a"), knownvalue.StringExact("")})),
					is(a, at("set"), knownvalue.SetExact([]knownvalue.Check{knownvalue.Int64Exact(1), knownvalue.Int64Exact(3)})),
					is(a, at("map", "y z"), knownvalue.Bool(false)), is(a, at("object", "size"), knownvalue.Int64Exact(5)),
					is(a, at("objects"), knownvalue.SetSizeExact(2)), is(a, at("lists", "b"), knownvalue.ListSizeExact(0)),
					is(a, at("revision"), knownvalue.Int64Exact(7)),
				},
			},
			{Config: all, ConfigPlanChecks: plans(plancheck.ExpectEmptyPlan())},
			{ResourceName: a, ImportState: true, ImportStateVerify: true},
			{RefreshState: true},
			{
				Config:           `resource "modern_plain" "a" { dynamic = 1 }`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate), plancheck.ExpectUnknownValue(a, at("revision"))),
				Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttr(a, "dynamic", "1"), resource.TestCheckNoResourceAttr(a, "string"),
					resource.TestCheckNoResourceAttr(a, "list.#"), resource.TestCheckResourceAttrSet(a, "id")),
			},
			{Config: `resource "modern_plain" "a" { int64 = "many" }`, ExpectError: matching("Incorrect attribute value type")},
			{Config: `resource "modern_plain" "a" { colour = "red" }`, ExpectError: matching("Unsupported argument")},
			{Config: `resource "modern_plain" "a" { id = "mine" }`, ExpectError: matching("Invalid Configuration for Read-Only Attribute")},
			{Config: `resource "modern_plain" "a" { string = modern_plain.b.id }`, ExpectError: matching("Reference to undeclared resource")},
			{Config: all, Destroy: true},
		}
	})
}

func TestBlocksOfEveryNesting(t *testing.T) {
	a := "modern_blocks.a"
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: `
resource "modern_blocks" "a" {
  one { name = "single" }
  row {
    name = "first"
    tag { key = "k" }
    tag {
      key   = "l"
      value = "v"
    }
  }
  row {
    name = "second"
    port = 443
  }
  dynamic "rule" {
    for_each = toset(["x", "y"])
    content {
      name  = rule.value
      ports = [1, 2]
    }
  }
}`,
				ConfigPlanChecks: plans(plancheck.ExpectUnknownValue(a, at("row", 0, "made")), plancheck.ExpectKnownValue(a, at("row", 0, "port"), knownvalue.Int64Exact(80))),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("one", "name"), knownvalue.StringExact("single")), is(a, at("one", "size"), knownvalue.Null()),
					is(a, at("row"), knownvalue.ListSizeExact(2)), is(a, at("row", 1, "port"), knownvalue.Int64Exact(443)),
					is(a, at("row", 0, "tag"), knownvalue.SetSizeExact(2)), is(a, at("row", 0, "made"), knownvalue.StringExact("made made")),
					is(a, at("rule"), knownvalue.SetPartial([]knownvalue.Check{knownvalue.ObjectPartial(map[string]knownvalue.Check{"name": knownvalue.StringExact("y")})})),
				},
				Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttr(a, "row.#", "2"), resource.TestCheckResourceAttr(a, "row.0.tag.#", "2"),
					resource.TestCheckTypeSetElemNestedAttrs(a, "rule.*", map[string]string{"name": "x", "ports.#": "2", "ports.1": "2"})),
			},
			{ResourceName: a, ImportState: true, ImportStateVerify: true},
			{
				Config: `
resource "modern_blocks" "a" {
  row { name = "second" }
  rule { name = "z" }
}`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate)),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("one"), knownvalue.Null()), is(a, at("row"), knownvalue.ListSizeExact(1)), is(a, at("row", 0, "tag"), knownvalue.SetSizeExact(0)),
				},
			},
			{Config: "resource \"modern_blocks\" \"a\" {\n  row {}\n}", ExpectError: matching("Missing required argument")},
			{Config: "resource \"modern_blocks\" \"a\" {\n  column {}\n}", ExpectError: matching("Unsupported block type")},
			{Config: `resource "modern_blocks" "a" {}`, Check: resource.TestCheckResourceAttr(a, "row.#", "0")},
		}
	})
}

func TestNestedAttributes(t *testing.T) {
	a := "modern_nested.a"
	w := cloud.New()
	run(t, w, resource.TestCase{ProtoV6ProviderFactories: servers6{"modern": modern.Server6(w)}, Steps: []resource.TestStep{
		{
			Config: `
resource "modern_nested" "a" {
  one  = { name = "single" }
  list = [{ name = "first" }, { name = "second", size = 2 }]
  set  = [{ name = "open" }, { name = "hidden", secret = "s" }]
  map  = { k = { name = "keyed" } }
  deep = [{ name = "d", leaves = { l = { name = "leaf" } } }, { name = "bare" }]
}`,
			ConfigPlanChecks: plans(
				plancheck.ExpectKnownValue(a, at("list", 0, "size"), knownvalue.Int64Exact(1)),
				plancheck.ExpectUnknownValue(a, at("deep", 0, "leaves", "l", "made")), plancheck.ExpectUnknownValue(a, at("given"))),
			ConfigStateChecks: []statecheck.StateCheck{
				is(a, at("one", "made"), knownvalue.StringExact("made made")), is(a, at("list", 1, "size"), knownvalue.Int64Exact(2)),
				is(a, at("map", "k", "name"), knownvalue.StringExact("keyed")), is(a, at("deep", 1, "leaves"), knownvalue.Null()),
				is(a, at("set"), knownvalue.SetSizeExact(2)), is(a, at("given"), knownvalue.Null()),
			},
		},
		{ResourceName: a, ImportState: true, ImportStateVerify: true},
		{
			Config:           `resource "modern_nested" "a" { list = [] }`,
			ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate)),
			ConfigStateChecks: []statecheck.StateCheck{
				is(a, at("one"), knownvalue.Null()), is(a, at("list"), knownvalue.ListSizeExact(0)), is(a, at("map"), knownvalue.Null()),
			},
		},
		{Config: `resource "modern_nested" "a" { one = {} }`, ExpectError: matching("Incorrect attribute value type")},
		{Config: "resource \"modern_nested\" \"a\" {\n  one { name = \"x\" }\n}", ExpectError: matching("Unsupported block type")},
		{Config: `resource "modern_nested" "a" {}`, ExpectNonEmptyPlan: false},
	}})
}
