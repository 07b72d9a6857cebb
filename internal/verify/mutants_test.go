package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/verify"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/provider/process"
	"github.com/plumb-iac/plumb/provider/serve"
)

// everything is a provider that has one of each kind and keeps every rule.
const everything = `
capabilities plan_destroy move
resource disk version=2 remote
  name  string required
  id    string computed
  size  number optional replace
  label string optional computed
  note  string optional
  state string computed
  tags  map(string) optional
  token string optional write_only
  spec  nested(list) optional
    cpu number required
  block rule list
    port number required
  block member set
    role string required
  identity id
data image
  name   string required
  id     string computed
  secret string computed sensitive
ephemeral session
  name  string required
  token string computed
action notify
  text string required
list disk
  filter string optional
function shout(string) string takes_null takes_unknown returns "LOUD"
`

// mutants each break one rule: what is put below a line of the script, or in its
// place, and the only finding.
var mutants = []struct{ at, rule, want string }{
	// The answers, one at a time.
	{"resource disk", `on plan set note = "other"`, "plan/uncomputed-null.note"},
	{"resource disk", `on plan set token = "leak"`, "plan/write-only-null.token"},
	{"resource disk", `on plan unknown rule`, "plan/blocks-known.rule"},
	{"resource disk", `on plan set rule = []`, "plan/blocks-keys.rule"},
	{"resource disk", `on plan set spec = null`, "plan/structure-present.spec"},
	{"resource disk", `on plan replace nosuch`, "plan/replace-path.nosuch"},
	{"resource disk", `on plan gone`, "plan/present"},
	{"resource disk", `on plan defer anyway`, "plan/deferral-offered"},
	{"resource disk", `on create set note = "other"`, "apply/null-stays-null.note"},
	{"resource disk", `on create set label = "other"`, "apply/value-kept.label"},
	{"resource disk", `on create set token = "leak"`, "apply/write-only-null.token"},
	{"resource disk", `on create unknown state`, "apply/known.state"},
	{"resource disk", `on create gone`, "apply/stays-present"},
	{"resource disk", `on update set tags = {"x":"y"}`, "apply/value-keys.tags"},
	{"resource disk", `on read unknown state`, "read/known.state"},
	{"resource disk", `on read set token = "leak"`, "read/write-only-null.token"},
	{"resource disk", `on upgrade unknown state`, "upgrade/known.state"},
	{"resource disk", `on upgrade gone`, "upgrade/present"},
	{"resource disk", `on move unknown state`, "move/known.state"},
	{"resource disk", `on import gone`, "import/some"},
	{"data image", `on read unknown id`, "data/known.id"},
	{"data image", `on read gone`, "data/result"},
	{"ephemeral session", `on open unknown token`, "open/known.token"},
	{"ephemeral session", `on open set name = "other"`, "open/configured-kept.name"},
	{"ephemeral session", `on open gone`, "open/opened"},
	// Calls that do not come through.
	{"resource disk", `on validate crash`, "verify/answers"},
	{"resource disk", `on plan error`, "verify/answers"},
	{"resource disk", `on create garble`, "verify/answers"},
	{"resource disk", `on read garble`, "verify/answers"},
	{"resource disk", `on upgrade error`, "verify/answers"},
	{"data image", `on read garble`, "verify/answers"},
	{"ephemeral session", `on open crash`, "verify/answers"},
	{"action notify", `on invoke error`, "verify/answers"},
	{"list disk", `on list error`, "verify/answers"},
	// Several answers together.
	{"resource disk", `on validate doubt label`, "verify/unknown-accepted.label"},
	{"data image", `on validate doubt name`, "verify/unknown-accepted.name"},
	{"ephemeral session", `on validate doubt name`, "verify/unknown-accepted.name"},
	{"list disk", `on validate doubt filter`, "verify/unknown-accepted.filter"},
	{"resource disk", `on plan doubt label`, "verify/unknown-planned.label"},
	{"action notify", `on plan doubt text`, "verify/unknown-planned.text"},
	{"resource disk", `on plan alternately set state = "odd"`, "verify/plan-deterministic.state"},
	{"action notify", `on plan alternately fail "moody"`, "verify/plan-deterministic"},
	{"resource disk", `on read set state = "drifted"`, "verify/read-after-apply.state"},
	{"resource disk", `on read gone`, "verify/read-after-apply"},
	{"resource disk", `on read fail "busy"`, "verify/read-after-apply"},
	{"resource disk", `on read later set state = "drifted"`, "verify/read-stable.state"},
	{"resource disk", `on plan unknown state`, "verify/plan-empty.state"},
	{"resource disk", `on upgrade set state = "lost"`, "verify/upgrade-own.state"},
	{"resource disk", `on upgrade fail "cannot"`, "verify/upgrade-own"},
	{"resource disk", `on delete keep`, "verify/destroyed-is-gone"},
	{"resource disk", `on create anonymous`, "verify/identity-given"},
	{"resource disk", `on read anonymous`, "read/identity-stable"},
	{"resource disk", `on move set state = "moved"`, "verify/move-own.state"},
	{"data image", `on read alternately set id = "odd"`, "verify/data-stable.id"},
	{"ephemeral session", `on close fail "busy"`, "verify/ephemeral-ends"},
	{"ephemeral session", `on open alternately fail "once only"`, "verify/ephemeral-again"},
	{"function shout", `function shout(string) string varies`, "verify/function-stable"},
	{"function shout", `function shout(string) string takes_unknown tells`, "verify/function-unknown"},
	{"list disk", `on list anonymous`, "verify/list-sound"},
	{"list disk", `on list alternately gone`, "verify/list-stable"},
	{"resource disk", `on import fail "never"`, "verify/list-importable"},
	{"action notify", `on plan defer anyway`, "verify/deferral-offered"},
	{"resource disk", `on validate blame nosuch`, "verify/blames-argument"},
	{"action notify", `on plan touch`, "verify/plan-traceless"},
}

// mutated is the provider with a rule broken.
func mutated(at, rule string) string {
	var out []string
	for line := range strings.Lines(everything) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case !strings.HasPrefix(line, at):
		case strings.HasPrefix(rule, "function"):
			line = rule
		default:
			line += "\n  " + rule
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// overWire examines a scripted provider with real gRPC in between.
func overWire(t *testing.T, script string, o verify.Options) *verify.Report {
	t.Helper()
	p, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	o.Provider = addr.Provider{Host: "example.com", Namespace: "verified", Type: "fake"}
	o.Open = func(context.Context) (provider.Provider, diag.List) {
		return process.InProcess(o.Provider, serve.Register(p)), nil
	}
	o.Footprint = p.Remote
	return verify.Run(t.Context(), o)
}

// TestMutants holds the examination to its promise: a mistake gives one finding,
// and that is the rule that was broken.
func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.at+" "+m.rule, func(t *testing.T) {
			r := overWire(t, mutated(m.at, m.rule), verify.Options{AllowApply: true, Tries: 3})
			if got := broken(r); got != m.want {
				t.Errorf("got %q, want %q", got, m.want)
				for _, b := range r.Breaches {
					t.Logf("%s %s%s (%s %s) at %q: %s\n%s", b.Verdict, b.Rule, b.Path, b.Kind, b.Type, b.Step, b.Saw, b.Source)
				}
			}
		})
	}
}

// TestEveryRuleHasAMutant keeps the table complete.
func TestEveryRuleHasAMutant(t *testing.T) {
	have := map[string]bool{}
	for _, m := range mutants {
		rule, _, _ := strings.Cut(m.want, ".")
		have[rule] = true
	}
	for _, r := range verify.Rules() {
		if !have[r.ID] && !r.Noted && r.ID != "verify/import-round-trip" {
			t.Errorf("no mutant breaks %s", r.ID)
		}
	}
}

// TestImportRoundTrip has a world that believes the engine, so that an import may
// bring something else.
func TestImportRoundTrip(t *testing.T) {
	believing := strings.Replace(mutated("resource disk", `on import set id = "other"`), " remote", "", 1)
	believing, _, _ = strings.Cut(believing, "data image")
	r := overWire(t, believing, verify.Options{AllowApply: true, Tries: 3})
	if got := broken(r); got != "verify/import-round-trip.id" {
		t.Errorf("%s\n%+v", got, r.Breaches)
	}
}

// TestHonestOverWire examines all kinds of an honest provider with several seeds.
func TestHonestOverWire(t *testing.T) {
	for seed := range uint64(4) {
		r := overWire(t, everything, verify.Options{AllowApply: true, Seed: seed, Tries: 6})
		if len(r.Breaches) > 0 || len(r.Left) > 0 || r.Diags.HasErrors() {
			t.Errorf("seed %d: %+v %v %v", seed, r.Breaches, r.Left, r.Diags)
		}
		for _, s := range r.Subjects {
			if s.Accepted == 0 || s.Kind != "function" && s.Applied == 0 {
				t.Errorf("seed %d: not examined: %+v", seed, s)
			}
		}
	}
}

// TestNothingTouched holds VF1: without leave nothing is read, listed or invoked.
func TestNothingTouched(t *testing.T) {
	p, err := fake.New(everything)
	if err != nil {
		t.Fatal(err)
	}
	at := addr.Provider{Host: "example.com", Namespace: "verified", Type: "fake"}
	r := verify.Run(t.Context(), verify.Options{Provider: at, Open: func(context.Context) (provider.Provider, diag.List) {
		return process.InProcess(at, serve.Register(p)), nil
	}})
	if len(r.Breaches) > 0 {
		t.Errorf("%+v", r.Breaches)
	}
	for _, call := range p.Calls() {
		switch verb, _, _ := strings.Cut(call, " "); verb {
		case "validate", "configure", "plan", "call":
		default:
			t.Errorf("%q was called without leave", call)
		}
	}
}
