package acceptance

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/acceptance/cloud"
	"github.com/plumb-iac/plumb/test/acceptance/modern"
)

// waiting are the deferred changes of a plan: address, reason and actions.
func (s *stage) waiting(args ...string) []string {
	s.t.Helper()
	s.must(append([]string{"plan", "-input=false", "-allow-deferral", "-out=saved"}, args...)...)
	var plan struct {
		Complete bool `json:"complete"`
		Deferred []struct {
			Reason string `json:"reason"`
			Change struct {
				Address string `json:"address"`
				Change  struct {
					Actions []string `json:"actions"`
				} `json:"change"`
			} `json:"resource_change"`
		} `json:"deferred_changes"`
	}
	s.decode(s.must("show", "-json", "saved"), &plan)
	var out []string
	for _, d := range plan.Deferred {
		out = append(out, d.Change.Address+" "+d.Reason+" "+strings.Join(d.Change.Change.Actions, "+"))
	}
	if plan.Complete != (len(out) == 0) {
		s.t.Errorf("complete is %v, and deferred are %v", plan.Complete, out)
	}
	slices.Sort(out)
	return out
}

func (s *stage) waits(want ...string) {
	s.t.Helper()
	if got := s.waiting(); !slices.Equal(got, want) {
		s.t.Errorf("deferred are\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// deferring is a stage with the modern provider for a program that defers.
func deferring(t *testing.T) (*stage, *cloud.World) {
	t.Helper()
	w, providers := cloud.New(), served{}
	for _, name := range []string{"modern", "later"} { // each with a configuration of its own
		server, err := modern.Server6(w)()
		if err != nil {
			t.Fatal(err)
		}
		providers[name] = server
	}
	s := newStage(t, providers)
	s.write(`output "o" { value = 1 }`)
	if stdout, stderr, code := s.run("plan", "-allow-deferral"); code != 0 {
		if strings.HasPrefix(filepath.Base(s.path), "plumb") {
			t.Fatalf("plan -allow-deferral of nothing ends with %d:\n%s%s", code, stdout, stderr)
		}
		t.Skip("the program under test is not plumb and does not take -allow-deferral")
	}
	return s, w
}

// Deferral is offered when it is asked for, to resources, providers and what
// depends on them; an apply goes on in rounds, by the same provider over the same
// wire.
func TestDeferral(t *testing.T) {
	s, w := deferring(t)
	s.write(`
terraform {
  required_providers {
    modern = { source = "hashicorp/modern" }
    later  = { source = "hashicorp/later" }
  }
}
resource "modern_planned" "first" {
  name = "first"
}
provider "later" {
  region = modern_planned.first.id
}
resource "modern_planned" "elsewhere" {
  provider = later
  name     = "elsewhere"
}
resource "modern_planned" "each" {
  for_each = toset([modern_planned.first.id])
  name     = "each"
}
module "many" {
  source = "./many"
  count  = length(modern_planned.first.revision)
}
data "modern_lookup" "all" {
  kind       = "modern_planned"
  depends_on = [modern_planned.each]
}
output "many" { value = length(module.many) }
`)
	s.writeFile("many/main.tf", `
terraform {
  required_providers {
    modern = { source = "hashicorp/modern" }
  }
}
resource "modern_planned" "it" { name = "many" }
`)
	s.must("init", "-input=false")
	s.waits(
		"data.modern_lookup.all deferred_prereq read",
		"modern_planned.each[*] instance_count_unknown create",
		"modern_planned.elsewhere provider_config_unknown create",
		"module.many[*].modern_planned.it instance_count_unknown create",
	)
	if _, _, code := s.run("plan", "-allow-deferral", "-detailed-exitcode"); code != 2 {
		t.Errorf("there is something to do, and the exit code is %d", code)
	}
	out := s.must("apply", "-auto-approve", "-allow-deferral")
	if n := strings.Count(out, "Apply complete!"); n != 2 {
		t.Errorf("%d rounds:\n%s", n, out)
	}
	if out, _, code := s.run("plan", "-detailed-exitcode"); code != 0 {
		t.Errorf("something is left after the last round: exit code %d\n%s", code, out)
	}
	s.must("destroy", "-auto-approve", "-allow-deferral")
	if left := w.IDs("modern_planned"); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// What a provider puts off for good is not waited for without end, keeps its
// state, and keeps what it needs.
func TestDeferralWithoutProgress(t *testing.T) {
	s, w := deferring(t)
	config := func(size, wait string) {
		s.write(`
resource "modern_planned" "base" { name = "base" }
resource "modern_planned" "a" {
  name       = "a` + size + `"
  wait       = ` + wait + `
  depends_on = [modern_planned.base]
}
resource "modern_planned" "b" { name = modern_planned.a.name }
`)
	}
	config("1", "false")
	s.must("init", "-input=false")
	s.must("apply", "-auto-approve")
	config("2", "true")
	s.waits("modern_planned.a absent_prereq update", "modern_planned.b deferred_prereq update")
	out, errs, code := s.run("apply", "-auto-approve", "-allow-deferral")
	if code != 0 || !strings.Contains(out+errs, "make no progress") || strings.Count(out, "Apply complete!") != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if left := w.IDs("modern_planned"); len(left) != 3 {
		t.Errorf("there are %v", left)
	}
	config("2", "false")
	s.must("apply", "-auto-approve", "-allow-deferral")
	s.must("destroy", "-auto-approve")
}
