package acceptance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck/queryfilter"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

func TestDataSource(t *testing.T) {
	a, d := "modern_planned.a", "data.modern_lookup.d"
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: `
provider "modern" { region = "north" }
resource "modern_planned" "a" { name = "one" }
data "modern_lookup" "d" {
  kind = "modern_planned"
  id   = modern_planned.a.id
}`,
				ConfigPlanChecks: plans(action(d, plancheck.ResourceActionRead), plancheck.ExpectUnknownValue(d, at("name")), action(a, plancheck.ResourceActionCreate)),
				ConfigStateChecks: []statecheck.StateCheck{
					is(d, at("name"), knownvalue.StringExact("one")), is(d, at("region"), knownvalue.StringExact("north")),
					is(d, at("all"), knownvalue.ListSizeExact(1)), statecheck.ExpectSensitiveValue(d, at("name")),
				},
			},
			{
				Config:      "data \"modern_lookup\" \"d\" {\n  kind = \"modern_planned\"\n  id = \"none\"\n}",
				ExpectError: matching("Error: No such object"),
			},
			{
				Config: `
resource "modern_planned" "a" { name = "one" }
check "there" {
  data "modern_lookup" "d" {
    kind = "modern_planned"
    id   = "none"
  }
  assert {
    condition     = data.modern_lookup.d.name == "one"
    error_message = "not one"
  }
}`,
				ExpectNonEmptyPlan: true,
			},
		}
	})
}

func TestImport(t *testing.T) {
	text := `resource "modern_known" "a" { name = "one" }`
	a := "modern_known.a"
	both(t, func(w *cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: text,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectIdentity(a, map[string]knownvalue.Check{"name": knownvalue.StringExact("one"), "zone": knownvalue.Null()}),
					statecheck.ExpectIdentityValueMatchesState(a, at("name")),
				},
			},
			{ResourceName: a, ImportState: true, ImportStateVerify: true},
			{ResourceName: a, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
			{ResourceName: a, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity,
				ImportPlanChecks: resource.ImportPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectKnownValue(a, at("name"), knownvalue.StringExact("one"))}}},
			{ResourceName: a, ImportState: true, ImportStateKind: resource.ImportBlockWithID, GenerateConfig: true},
			{ResourceName: a, ImportState: true, ImportStateId: "nothing", ExpectError: matching("Cannot import non-existent remote object")},
			{
				ResourceName: a, ImportState: true,
				ImportStateIdFunc: func(*terraform.State) (string, error) { return w.IDs("modern_known")[0], nil },
				ImportStateCheck: func(got []*terraform.InstanceState) error {
					if len(got) != 1 || got[0].Attributes["name"] != "one" {
						return fmt.Errorf("imported %v", got)
					}
					return nil
				},
			},
			{
				Config: `
import {
  to = modern_known.a
  id = "nothing"
}
` + text,
				ConfigPlanChecks: plans(plancheck.ExpectEmptyPlan()),
			},
			{
				Config: `
removed {
  from = modern_known.a
  lifecycle { destroy = false }
}`,
			},
			{
				Config: `
import {
  to = modern_known.b
  identity = { name = "one" }
}
resource "modern_known" "b" { name = "one" }`,
				ConfigPlanChecks: plans(action("modern_known.b", plancheck.ResourceActionNoop)),
			},
		}
	}, tfversion.SkipBelow(tfversion.Version1_12_0))
}

func TestEphemeral(t *testing.T) {
	w := cloud.New()
	run(t, w, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)},
		ProtoV6ProviderFactories: servers6{"modern": modern.Server6(w), "echo": echoprovider.NewProviderServer()},
		Steps: []resource.TestStep{
			{
				Config: `
ephemeral "modern_token" "t" { user = "ann" }
provider "echo" { data = ephemeral.modern_token.t }
resource "echo" "e" {}`,
				ConfigStateChecks: []statecheck.StateCheck{
					is("echo.e", at("data", "user"), knownvalue.StringExact("ann")), is("echo.e", at("data", "value"), knownvalue.StringExact("token of ann"))},
				Check: func(*terraform.State) error {
					if !slices.Contains(w.Events(), "closed ann") {
						return fmt.Errorf("the token was not closed: %q", w.Events())
					}
					return nil
				},
			},
			{
				Config: `
ephemeral "modern_token" "t" { user = "bob" }
resource "modern_secret" "s" {
  password = ephemeral.modern_token.t.value
  version  = 1
}`,
				Check: func(*terraform.State) error {
					if !slices.Contains(w.Events(), "password token of bob") {
						return fmt.Errorf("the password did not arrive: %q", w.Events())
					}
					return nil
				},
			},
			{Config: `ephemeral "modern_token" "t" { user = "nobody" }`, ExpectError: matching("Error: No token for nobody")},
			{
				Config:      "ephemeral \"modern_token\" \"t\" { user = \"ann\" }\nresource \"modern_secret\" \"s\" { key = ephemeral.modern_token.t.value }",
				ExpectError: matching("Error: Invalid use of ephemeral value"),
			},
			{Config: `ephemeral "modern_token" "t" { user = "ann" }`},
		},
	})
}

func TestFunctions(t *testing.T) {
	both(t, func(*cloud.World) []resource.TestStep {
		result := func(expr string) string {
			return "terraform {\n  required_providers {\n    modern = { source = \"hashicorp/modern\" }\n  }\n}\n" +
				"output \"r\" { value = " + expr + " }"
		}
		return []resource.TestStep{
			{
				Config:            result(`provider::modern::glue("-", "a", null, "b")`),
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("r", knownvalue.StringExact("a-b"))},
			},
			{
				Config: result(`[for v in ["x", 1, [true], { k = "v" }] : provider::modern::describe(v).type]`),
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValueAtPath("r", tfjsonpath.New(3), knownvalue.StringFunc(func(s string) error {
					if s == "" {
						return fmt.Errorf("no type")
					}
					return nil
				}))},
			},
			{
				Config:            result(`provider::modern::describe(null).null`),
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("r", knownvalue.Bool(true))},
			},
			{Config: result(`provider::modern::glue("", "a")`), ExpectError: matching("a separator must not be empty")},
			{Config: result(`provider::modern::glue()`), ExpectError: matching("Error: Not enough function arguments")},
			{Config: result(`provider::modern::unglue("a")`), ExpectError: matching("Error: Unknown provider function")},
			{Config: result(`provider::modern::glue(null)`), ExpectError: matching("Error: Invalid function argument")},
			{Config: result(`1`)},
		}
	}, tfversion.SkipBelow(tfversion.Version1_8_0))
}

func TestList(t *testing.T) {
	w := cloud.New()
	run(t, w, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		ProtoV6ProviderFactories: servers6{"modern": modern.Server6(w)},
		Steps: []resource.TestStep{
			{Config: "resource \"modern_known\" \"a\" {\n  count = 3\n  name = \"n${count.index}\"\n  size = count.index\n}"},
			{
				Query: true,
				Config: `
provider "modern" {}
list "modern_known" "all" {
  provider         = modern
  include_resource = true
}
list "modern_known" "one" {
  provider = modern
  config { prefix = "n1" }
}`,
				QueryResultChecks: []querycheck.QueryResultCheck{
					querycheck.ExpectLength("modern_known.all", 3), querycheck.ExpectLength("modern_known.one", 1),
					querycheck.ExpectIdentity("modern_known.one", map[string]knownvalue.Check{"name": knownvalue.StringExact("n1"), "zone": knownvalue.Null()}),
					querycheck.ExpectResourceDisplayName("modern_known.one",
						queryfilter.ByDisplayName(knownvalue.StringExact("the thing n1")), knownvalue.StringExact("the thing n1")),
					querycheck.ExpectResourceKnownValues("modern_known.all", queryfilter.ByDisplayName(knownvalue.StringExact("the thing n2")),
						[]querycheck.KnownValueCheck{{Path: at("size"), KnownValue: knownvalue.Int64Exact(2)}}),
				},
			},
		},
	})
}

func TestActions(t *testing.T) {
	text := func(name, host string) string {
		return `
resource "modern_planned" "a" {
  name = "` + name + `"
  lifecycle {
    action_trigger {
      events  = [after_create, before_update]
      actions = [action.modern_ping.p]
    }
  }
}
action "modern_ping" "p" {
  config { host = "` + host + `" }
}`
	}
	both(t, func(w *cloud.World) []resource.TestStep {
		pings := func(want ...string) resource.TestCheckFunc {
			return func(*terraform.State) error {
				if got := w.Events(); !slices.Equal(got, want) {
					return fmt.Errorf("there were %q, not %q", got, want)
				}
				return nil
			}
		}
		return []resource.TestStep{
			{Config: text("one", "h1"), Check: pings("pinged h1")},
			{Config: text("one", "h2"), Check: pings("pinged h1")},
			{Config: text("two", "h2"), Check: pings("pinged h1", "pinged h2")},
			{Config: text("three", "down"), ExpectError: matching("Host is down")},
			{Config: text("two", "h2")},
		}
	}, tfversion.SkipBelow(tfversion.Version1_14_0))
}

// The harness offers deferral to experimental programs only. A provider that could
// put a change off, and is not offered that, plans it.
func TestDeferralNotOffered(t *testing.T) {
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config:           "resource \"modern_planned\" \"a\" {\n  name = \"one\"\n  wait = true\n}",
				ConfigPlanChecks: plans(plancheck.ExpectNoDeferredChanges(), action("modern_planned.a", plancheck.ResourceActionCreate)),
			},
			{
				Config:           "provider \"modern\" { wait = true }\nresource \"modern_planned\" \"a\" { name = \"three\" }",
				ConfigPlanChecks: plans(plancheck.ExpectNoDeferredChanges(), action("modern_planned.a", plancheck.ResourceActionUpdate)),
			},
		}
	})
}
