package acceptance

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5muxserver"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/legacy"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// every runs a test with the SDK's provider: by itself, and as part of a provider
// that is combined from two over either protocol.
func every(t *testing.T, steps func(w *cloud.World) []resource.TestStep, versions ...tfversion.TerraformVersionCheck) {
	t.Helper()
	t.Run("sdk", func(t *testing.T) {
		w := cloud.New()
		run(t, w, resource.TestCase{TerraformVersionChecks: versions, Steps: steps(w),
			ProviderFactories: map[string]func() (*schema.Provider, error){"legacy": func() (*schema.Provider, error) { return legacy.Provider(w), nil }}})
	})
	t.Run("mux 5", func(t *testing.T) {
		w := cloud.New()
		run(t, w, resource.TestCase{TerraformVersionChecks: versions, Steps: steps(w), ProtoV5ProviderFactories: servers5{"legacy": mux5(w)}})
	})
	t.Run("mux 6", func(t *testing.T) {
		w := cloud.New()
		run(t, w, resource.TestCase{TerraformVersionChecks: versions, Steps: steps(w), ProtoV6ProviderFactories: servers6{"legacy": mux6(w)}})
	})
}

// mux5 is a provider of two: their provider schemas have to be the same.
func mux5(w *cloud.World) func() (tfprotov5.ProviderServer, error) {
	return func() (tfprotov5.ProviderServer, error) {
		m, err := tf5muxserver.NewMuxServer(context.Background(), legacy.Provider(w).GRPCProvider, modern.Beside5(w))
		if err != nil {
			return nil, err
		}
		return m.ProviderServer(), nil
	}
}

func mux6(w *cloud.World) func() (tfprotov6.ProviderServer, error) {
	return func() (tfprotov6.ProviderServer, error) {
		ctx := context.Background()
		old, err := tf5to6server.UpgradeServer(ctx, legacy.Provider(w).GRPCProvider)
		if err != nil {
			return nil, err
		}
		m, err := tf6muxserver.NewMuxServer(ctx, func() tfprotov6.ProviderServer { return old }, modern.Beside6(w))
		if err != nil {
			return nil, err
		}
		return m.ProviderServer(), nil
	}
}

func TestLegacyAttributesAndBlocks(t *testing.T) {
	const all = `
resource "legacy_thing" "a" {
  bool   = false
  int    = 0
  float  = 1.5
  string = ""
  list   = ["b", "a"]
  set    = ["y", "x"]
  map    = { k = "v", empty = "" }
  lower  = "ABC"
  secret = "hidden"
  once   = "gone"
  this   = "this"
  one {
    size = 3
    deep { key = "k" }
    deep { key = "l" }
  }
  row {
    port = 80
    from = ["a"]
  }
  row { port = 443 }
  attr = [{ name = "n" }]
}`
	a := "legacy_thing.a"
	every(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: all,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionCreate), plancheck.ExpectUnknownValue(a, at("made")), plancheck.ExpectUnknownValue(a, at("either")),
					plancheck.ExpectKnownValue(a, at("lower"), knownvalue.StringExact("abc")), plancheck.ExpectSensitiveValue(a, at("secret"))),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("bool"), knownvalue.Bool(false)), is(a, at("int"), knownvalue.Int64Exact(0)), is(a, at("given"), knownvalue.StringExact("default")),
					is(a, at("set"), knownvalue.SetSizeExact(2)), is(a, at("one", 0, "note"), knownvalue.StringExact("none")),
					is(a, at("one", 0, "deep"), knownvalue.SetSizeExact(2)), is(a, at("attr", 0, "name"), knownvalue.StringExact("n")), is(a, at("once"), knownvalue.Null()),
				},
				Check: resource.ComposeAggregateTestCheckFunc(
					resource.TestCheckResourceAttr(a, "row.#", "2"), resource.TestCheckTypeSetElemAttr(a, "set.*", "x"),
					resource.TestCheckTypeSetElemNestedAttrs(a, "row.*", map[string]string{"port": "80", "from.#": "1"}),
					resource.TestCheckResourceAttr(a, "map.%", "2"), resource.TestCheckResourceAttr(a, "either", "made either")),
			},
			{Config: all, PlanOnly: true},
			{ResourceName: a, ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"once", "fixed", "lower", "that"}},
			{
				Config: `
resource "legacy_thing" "a" {
  lower  = "aBc"
  either = "mine"
  fixed  = "now"
  attr   = []
}`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionReplace)),
				Check:            resource.ComposeAggregateTestCheckFunc(resource.TestCheckResourceAttr(a, "row.#", "0"), resource.TestCheckResourceAttr(a, "either", "mine")),
			},
			{Config: "resource \"legacy_thing\" \"a\" {\n  lower = \"abc\"\n  fixed = \"now\"\n  attr = []\n  that = \"old\"\n}", ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate))},
			{Config: `resource "legacy_thing" "a" { int = 101 }`, ExpectError: matching("expected int to be in the range (0 - 100), got 101")},
			{Config: "resource \"legacy_thing\" \"a\" {\n  this = \"a\"\n  that = \"b\"\n}", ExpectError: matching("Error: Conflicting configuration arguments")},
			{Config: "resource \"legacy_thing\" \"a\" {\n  one { size = 1 }\n  one { size = 2 }\n}", ExpectError: matching("Error: Too many one blocks")},
			{Config: "resource \"legacy_thing\" \"a\" {\n  one {}\n}", ExpectError: matching("Error: Missing required argument")},
			{Config: `resource "legacy_thing" "a" { attr = [] }`},
		}
	}, tfversion.SkipBelow(tfversion.Version1_11_0))
}

func TestCustomizeDiff(t *testing.T) {
	a := "legacy_diff.a"
	text := func(name string, size int) string {
		return fmt.Sprintf("resource \"legacy_diff\" \"a\" {\n  name = %q\n  size = %d\n}", name, size)
	}
	every(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: text("one", 5), ConfigPlanChecks: plans(plancheck.ExpectKnownValue(a, at("shout"), knownvalue.StringExact("ONE")), plancheck.ExpectUnknownValue(a, at("stamp")))},
			{Config: text("two", 5), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(a, at("shout"), knownvalue.StringExact("TWO")), plancheck.ExpectKnownValue(a, at("stamp"), knownvalue.StringExact("made stamp")))},
			{Config: text("two", 6), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate), plancheck.ExpectUnknownValue(a, at("stamp")))},
			{Config: text("two", 4), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionReplace), plancheck.ExpectUnknownValue(a, at("id")))},
			{Config: text("two", 101), ExpectError: matching("size 101 is too much")},
			{Config: text("two", 4), ConfigPlanChecks: plans(plancheck.ExpectEmptyPlan())},
		}
	})
}

func TestLegacyStateUpgrade(t *testing.T) {
	w := cloud.New()
	serve := func(make func(*cloud.World) *schema.Provider) map[string]func() (*schema.Provider, error) {
		return map[string]func() (*schema.Provider, error){"legacy": func() (*schema.Provider, error) { return make(w), nil }}
	}
	run(t, w, resource.TestCase{Steps: []resource.TestStep{
		{ProviderFactories: serve(legacy.Old), Config: `resource "legacy_old" "a" { name = "n" }`},
		{
			ProviderFactories: serve(legacy.Provider),
			Config:            "resource \"legacy_old\" \"a\" {\n  name = \"n\"\n  extra = \"upgraded\"\n}",
			ConfigPlanChecks:  plans(plancheck.ExpectEmptyPlan()),
			Check:             resource.TestCheckResourceAttr("legacy_old.a", "extra", "upgraded"),
		},
	}})
}

func TestLegacyFaults(t *testing.T) {
	a := "legacy_partial.a"
	text := func(name, fail string) string {
		return fmt.Sprintf("resource \"legacy_partial\" \"a\" {\n  name = %q\n  fail = %q\n}", name, fail)
	}
	every(t, func(w *cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: text("x", "create"), ExpectError: matching("Error: Fault in create")},
			{Config: text("x", ""), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionReplace))},
			{Config: text("y", "update"), ExpectError: matching("Error: Fault in update")},
			{Config: text("y", ""), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate))},
			{Config: text("y", ""), Taint: []string{a}, ConfigPlanChecks: plans(action(a, plancheck.ResourceActionDestroyBeforeCreate))},
			{
				Config: text("y", ""), ExpectNonEmptyPlan: true,
				Check: func(*terraform.State) error { w.Delete("partial", w.IDs("partial")[0]); return nil },
			},
		}
	})
}

func TestLegacyImport(t *testing.T) {
	a := "legacy_known.a"
	every(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: "resource \"legacy_known\" \"a\" {\n  name = \"one\"\n  note = \"n\"\n}"},
			{ResourceName: a, ImportState: true, ImportStateVerify: true},
			{ResourceName: a, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
			{ResourceName: a, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity},
			{ResourceName: a, ImportState: true, ImportStateId: "none", ExpectError: matching("Error: Cannot import non-existent remote object")},
			{
				Config:            "resource \"legacy_known\" \"a\" { name = \"two\" }\ndata \"legacy_count\" \"n\" {\n  kind = \"known\"\n  depends_on = [legacy_known.a]\n}",
				ConfigPlanChecks:  plans(action(a, plancheck.ResourceActionReplace), action("data.legacy_count.n", plancheck.ResourceActionRead)),
				ConfigStateChecks: []statecheck.StateCheck{is("data.legacy_count.n", at("number"), knownvalue.Int64Exact(1)), is("data.legacy_count.n", at("region"), knownvalue.StringExact("here"))},
			},
		}
	}, tfversion.SkipBelow(tfversion.Version1_12_0))
}

func TestMux(t *testing.T) {
	w := cloud.New()
	run(t, w, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: servers6{"legacy": mux6(w)},
		Steps: []resource.TestStep{{
			Config: `
resource "legacy_diff" "a" { name = "one" }
resource "modern_planned" "b" {
  provider = legacy
  name     = legacy_diff.a.shout
}
output "glued" { value = provider::legacy::glue("+", legacy_diff.a.shout, modern_planned.b.name) }
terraform {
  required_providers {
    legacy = { source = "hashicorp/legacy" }
  }
}`,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("glued", knownvalue.StringExact("ONE+ONE"))},
		}},
	})
}
