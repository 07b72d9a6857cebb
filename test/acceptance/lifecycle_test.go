package acceptance

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

func TestDefaults(t *testing.T) {
	a := "modern_defaults.a"
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: `resource "modern_defaults" "a" {}`,
				ConfigPlanChecks: plans(
					plancheck.ExpectKnownValue(a, at("int"), knownvalue.Int64Exact(3)), plancheck.ExpectKnownValue(a, at("set"), knownvalue.SetSizeExact(2)),
					plancheck.ExpectKnownValue(a, at("object", "key"), knownvalue.StringExact("k"))),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("bool"), knownvalue.Bool(true)), is(a, at("string"), knownvalue.StringExact("")),
					is(a, at("list", 1), knownvalue.StringExact("b")), is(a, at("map"), knownvalue.MapSizeExact(0)), is(a, at("object", "size"), knownvalue.Null()),
				},
			},
			{
				Config:      `resource "modern_defaults" "a" { bool = false, }`,
				ExpectError: matching("Error: Invalid single-argument block definition"),
			},
			{
				Config: `
resource "modern_defaults" "a" {
  bool = false
  list = []
  int  = null
}`,
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("bool"), knownvalue.Bool(false)), is(a, at("list"), knownvalue.ListSizeExact(0)), is(a, at("int"), knownvalue.Int64Exact(3)),
				},
			},
			{Config: `resource "modern_defaults" "a" {}`, ConfigStateChecks: []statecheck.StateCheck{is(a, at("list"), knownvalue.ListSizeExact(2))}},
		}
	})
}

func TestPlanModifiers(t *testing.T) {
	a := "modern_planned.a"
	same := statecheck.CompareValue(compare.ValuesSame())
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config: `resource "modern_planned" "a" { name = "one" }`,
				ConfigPlanChecks: plans(
					plancheck.ExpectKnownValue(a, at("shout"), knownvalue.StringExact("ONE")),
					plancheck.ExpectUnknownValue(a, at("revision")), plancheck.ExpectUnknownValue(a, at("size"))),
				ConfigStateChecks: []statecheck.StateCheck{is(a, at("size"), knownvalue.Int64Exact(7))},
			},
			{
				Config: `resource "modern_planned" "a" { name = "two" }`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate),
					plancheck.ExpectKnownValue(a, at("shout"), knownvalue.StringExact("TWO")), plancheck.ExpectKnownValue(a, at("size"), knownvalue.Int64Exact(7))),
			},
			{
				Config: `
resource "modern_planned" "a" {
  name = "two"
  zone = "z"
}`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionDestroyBeforeCreate), plancheck.ExpectUnknownValue(a, at("id"))),
			},
			{
				Config: `
resource "modern_planned" "a" {
  name = "two"
  zone = "z"
  size = 9
  lifecycle { create_before_destroy = true }
}`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionCreateBeforeDestroy)),
			},
			{
				Config: `
resource "modern_planned" "a" {
  name = "two"
  zone = "y"
  lifecycle { ignore_changes = [zone] }
}
output "shout" { value = modern_planned.a.shout }`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionNoop), plancheck.ExpectKnownOutputValue("shout", knownvalue.StringExact("TWO"))),
				ConfigStateChecks: []statecheck.StateCheck{
					is(a, at("zone"), knownvalue.StringExact("z")), statecheck.ExpectKnownOutputValue("shout", knownvalue.StringExact("TWO")),
				},
			},
			{
				Taint:            []string{a},
				Config:           `resource "modern_planned" "a" { name = "two" }`,
				ConfigPlanChecks: plans(action(a, plancheck.ResourceActionReplace)),
			},
			{Config: `resource "modern_planned" "a" { name = "loud!" }`, ExpectError: matching("Error: Invalid name")},
			{Config: `resource "modern_planned" "a" { name = "unplannable" }`, ExpectError: matching("Error: Cannot plan this")},
			{Config: `resource "modern_planned" "a" {}`, ExpectError: matching("Error: Missing required argument")},
			{
				Config: `
resource "modern_planned" "a" {
  name = "two"
  lifecycle { prevent_destroy = true }
}`,
			},
			{
				Config: `
resource "modern_planned" "a" {
  name = "two"
  zone = "far"
  lifecycle { prevent_destroy = true }
}`,
				ExpectError: matching("Error: Instance cannot be destroyed"),
			},
			{Config: `resource "modern_planned" "a" { name = "two" }`, ConfigStateChecks: []statecheck.StateCheck{same.AddStateValue(a, at("name"))}},
			{Config: `resource "modern_planned" "a" { name = "two" }`, Destroy: true, ExpectNonEmptyPlan: false},
		}
	})
}

func TestExpansionAndVariables(t *testing.T) {
	const text = `
variable "names" { type = set(string) }
variable "key" {
  type      = string
  sensitive = true
}
resource "modern_planned" "each" {
  for_each = var.names
  name     = each.key
}
resource "modern_planned" "count" {
  count = 2
  name  = "n${count.index}"
  zone  = modern_planned.each["a"].shout
}
resource "modern_secret" "s" { key = var.key }
output "ids" { value = { for k, o in modern_planned.each : k => o.shout } }
output "key" {
  value     = modern_secret.s.key
  sensitive = true
}`
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{
				Config:          text,
				ConfigVariables: config.Variables{"names": config.SetVariable(config.StringVariable("a"), config.StringVariable("b")), "key": config.StringVariable("k1")},
				ConfigPlanChecks: plans(plancheck.ExpectSensitiveValue("modern_secret.s", at("key")), plancheck.ExpectSensitiveValue("modern_secret.s", at("made")),
					plancheck.ExpectKnownValue("modern_planned.count[1]", at("zone"), knownvalue.StringExact("A"))),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValueAtPath("ids", at("b"), knownvalue.StringExact("B")),
					statecheck.ExpectSensitiveValue("modern_secret.s", at("key")),
					statecheck.CompareValuePairs("modern_planned.count[0]", at("zone"), `modern_planned.each["a"]`, at("shout"), compare.ValuesSame()),
				},
			},
			{
				Config:          text,
				ConfigVariables: config.Variables{"names": config.SetVariable(config.StringVariable("a")), "key": config.StringVariable("k2")},
				ConfigPlanChecks: plans(action(`modern_planned.each["b"]`, plancheck.ResourceActionDestroy), action("modern_secret.s", plancheck.ResourceActionUpdate),
					action("modern_planned.count[0]", plancheck.ResourceActionNoop)),
			},
			// the harness cannot read instances by key at the end
			{Config: `resource "modern_planned" "count" { name = "n0" }`},
		}
	})
}

func TestDriftAndDisappearance(t *testing.T) {
	const text = `resource "modern_planned" "a" { name = "one" }`
	a := "modern_planned.a"
	both(t, func(w *cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: text},
			{
				PreConfig: func() {
					for _, id := range w.IDs("modern_planned") {
						w.Put("modern_planned", id, renamed(w.Get("modern_planned", id), "other"))
					}
				},
				RefreshState:       true,
				ExpectNonEmptyPlan: true,
				RefreshPlanChecks:  resource.RefreshPlanChecks{PostRefresh: []plancheck.PlanCheck{action(a, plancheck.ResourceActionUpdate)}},
			},
			{Config: text, Check: resource.TestCheckResourceAttr(a, "name", "one")},
			{
				Config: text,
				Check: func(*terraform.State) error {
					for _, id := range w.IDs("modern_planned") {
						w.Delete("modern_planned", id)
					}
					return nil
				},
				ExpectNonEmptyPlan: true,
			},
			{Config: text, ConfigPlanChecks: plans(action(a, plancheck.ResourceActionCreate))},
		}
	})
}

// renamed is a stored object with another name.
func renamed(stored any, name string) any {
	out, err := tftypes.Transform(stored.(tftypes.Value), func(p *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if p.Equal(tftypes.NewAttributePath().WithAttributeName("name")) {
			return tftypes.NewValue(tftypes.String, name), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err)
	}
	return out
}

func TestFaults(t *testing.T) {
	text := func(name, fail string) string {
		return `
resource "modern_faulty" "a" {
  name = "` + name + `"
  fail = "` + fail + `"
}`
	}
	a := "modern_faulty.a"
	both(t, func(*cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: text("x", "create-nothing"), ExpectError: matching("Error: Fault in create-nothing")},
			{Config: text("x", "create"), ExpectError: matching("Error: Fault in create")},
			{Config: text("x", ""), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionReplace))},
			{Config: text("y", "update"), ExpectError: matching("Error: Fault in update")},
			{Config: text("y", "delete"), ConfigPlanChecks: plans(action(a, plancheck.ResourceActionUpdate))},
			{Config: text("y", "delete"), Destroy: true, ExpectError: matching("Error: Fault in delete")},
			{Config: text("y", "")},
			{Config: "provider \"modern\" { region = \"nowhere\" }\n" + text("y", ""), ExpectError: matching("Error: No such region")},
			{Config: text("y", "")},
		}
	})
}

func TestWriteOnlyAndPrivateState(t *testing.T) {
	a := "modern_secret.a"
	both(t, func(w *cloud.World) []resource.TestStep {
		happened := func(event string) resource.TestCheckFunc {
			return func(*terraform.State) error {
				if !slices.Contains(w.Events(), event) {
					t.Errorf("%q did not happen, only %q", event, w.Events())
				}
				return nil
			}
		}
		return []resource.TestStep{
			{
				Config: `
variable "password" {
  default   = "p1"
  ephemeral = true
}
resource "modern_secret" "a" {
  password = var.password
  version  = 1
}`,
				Check:             happened("password p1"),
				ConfigStateChecks: []statecheck.StateCheck{is(a, at("password"), knownvalue.Null())},
			},
			{
				Config:           "resource \"modern_secret\" \"a\" {\n  password = \"p2\"\n  version = 1\n}",
				ConfigPlanChecks: plans(plancheck.ExpectEmptyPlan()),
			},
			{
				Config: "resource \"modern_secret\" \"a\" {\n  password = \"p2\"\n  version = 2\n}",
				Check:  happened("password p2"),
			},
			{ResourceName: a, ImportState: true, ImportStateVerify: true},
		}
	})
}

func TestStateUpgrade(t *testing.T) {
	w := cloud.New()
	old, now := servers6{"modern": modern.Old6(w)}, servers6{"modern": modern.Server6(w)}
	a := "modern_versioned.a"
	run(t, w, resource.TestCase{Steps: []resource.TestStep{
		{ProtoV6ProviderFactories: old, Config: "resource \"modern_versioned\" \"a\" {\n  name = \"n\"\n  size = \"s\"\n}"},
		{
			ProtoV6ProviderFactories: now,
			Config:                   "resource \"modern_versioned\" \"a\" {\n  title = \"n\"\n  sizes = [\"s\"]\n}",
			ConfigPlanChecks:         plans(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks:        []statecheck.StateCheck{is(a, at("title"), knownvalue.StringExact("n"))},
		},
		{
			ProtoV6ProviderFactories: now,
			Config:                   "resource \"modern_versioned\" \"a\" {\n  title = \"m\"\n}",
			ConfigPlanChecks:         plans(action(a, plancheck.ResourceActionUpdate)),
		},
		{ProtoV6ProviderFactories: old, Config: "resource \"modern_versioned\" \"a\" {\n  name = \"n\"\n}",
			ExpectError: matching("Resource instance managed by newer provider version")},
		{ProtoV6ProviderFactories: now, Config: "resource \"modern_versioned\" \"a\" {\n  title = \"m\"\n}"},
	}})
}

func TestStateMove(t *testing.T) {
	w := cloud.New()
	old, now := servers6{"modern": modern.Old6(w)}, servers6{"modern": modern.Server6(w)}
	b := "modern_moved.b"
	run(t, w, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		CheckDestroy:           func(*terraform.State) error { w.Delete("modern_versioned", "modern_versioned-1"); return nil },
		Steps: []resource.TestStep{
			{ProtoV6ProviderFactories: old, Config: "resource \"modern_versioned\" \"a\" {\n  name = \"n\"\n}"},
			{
				PreConfig:                func() { adopt(w) },
				ProtoV6ProviderFactories: now,
				Config: `
moved {
  from = modern_versioned.a
  to   = modern_moved.b
}
resource "modern_moved" "b" { name = "n" }`,
				ConfigPlanChecks:  plans(action(b, plancheck.ResourceActionNoop)),
				ConfigStateChecks: []statecheck.StateCheck{is(b, at("from"), knownvalue.StringExact("modern_versioned"))},
			},
			{
				ProtoV6ProviderFactories: now,
				Config: `
moved {
  from = modern_moved.b
  to   = modern_moved.c
}
resource "modern_moved" "c" { name = "n" }`,
				ConfigPlanChecks: plans(action("modern_moved.c", plancheck.ResourceActionNoop)),
			},
			{
				ProtoV6ProviderFactories: now,
				Config: `
moved {
  from = modern_moved.c
  to   = modern_plain.d
}
resource "modern_plain" "d" {}`,
				ExpectError: matching("Error: Unable to Move Resource State"),
			},
			{ProtoV6ProviderFactories: now, Config: `resource "modern_moved" "c" { name = "n" }`},
		},
	})
}

// adopt makes the remote objects of the old type ones of the new.
func adopt(w *cloud.World) {
	t := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String, "name": tftypes.String, "from": tftypes.String}}
	for _, id := range w.IDs("modern_versioned") {
		w.Put("modern_moved", id, tftypes.NewValue(t, map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, "n"), "from": tftypes.NewValue(tftypes.String, "modern_versioned")}))
		w.Delete("modern_versioned", id)
	}
}

func TestReplaceTriggeredBy(t *testing.T) {
	text := func(name, zone string) string {
		return `
resource "modern_planned" "a" {
  name = "` + name + `"
  zone = "` + zone + `"
}
resource "modern_known" "whole" {
  name = "whole"
  lifecycle { replace_triggered_by = [modern_planned.a] }
}
resource "modern_known" "part" {
  name = "part"
  lifecycle { replace_triggered_by = [modern_planned.a.zone] }
}`
	}
	whole, part := "modern_known.whole", "modern_known.part"
	both(t, func(w *cloud.World) []resource.TestStep {
		return []resource.TestStep{
			{Config: text("one", "z")},
			{Config: text("two", "z"), ConfigPlanChecks: plans(action(whole, plancheck.ResourceActionReplace), action(part, plancheck.ResourceActionNoop))},
			{Config: text("two", "y"), ConfigPlanChecks: plans(action(whole, plancheck.ResourceActionReplace), action(part, plancheck.ResourceActionReplace))},
			{
				// what vanished is created: it is neither updated nor replaced
				PreConfig: func() { w.Delete("modern_planned", w.IDs("modern_planned")[0]) },
				Config:    text("two", "y"), ConfigPlanChecks: plans(action("modern_planned.a", plancheck.ResourceActionCreate), action(whole, plancheck.ResourceActionNoop)),
			},
		}
	})
}
