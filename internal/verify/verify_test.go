package verify_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/verify"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/provider/fake"
)

const honest = `
capabilities plan_destroy
resource disk version=2
  name   string required
  id     string computed
  size   number optional replace
  label  string optional computed
  state  string computed
  tags   map(string) optional
  secret string optional sensitive
  token  string optional write_only
  spec   nested(list) optional
    cpu  number required
    mode string optional
  block rule set max=3
    port number required
`

func examine(t *testing.T, script string, o verify.Options) *verify.Report {
	t.Helper()
	p, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	o.Provider = addr.Provider{Host: "example.com", Namespace: "verified", Type: "fake"}
	o.Open = func(context.Context) (provider.Provider, diag.List) { return p, nil }
	r := verify.Run(t.Context(), o)
	if r.Diags.HasErrors() {
		t.Fatal(r.Diags)
	}
	if remote := p.Remote(); len(r.Left) == 0 && strings.TrimSpace(remote) != "" {
		t.Errorf("objects were left behind and not reported:\n%s", remote)
	}
	if !o.AllowApply {
		for _, call := range p.Calls() {
			verb, _, _ := strings.Cut(call, " ")
			switch verb {
			case "create", "update", "delete", "read", "import", "open", "apply":
				t.Errorf("%s was called without leave", call)
			}
		}
	}
	return r
}

func broken(r *verify.Report) string {
	var out []string
	for _, b := range r.Breaches {
		if b.Verdict == contract.Refused {
			out = append(out, b.Rule+b.Path)
		}
	}
	return strings.Join(out, " ")
}

func TestHonestProvider(t *testing.T) {
	for _, apply := range []bool{false, true} {
		r := examine(t, honest, verify.Options{AllowApply: apply, Tries: 6})
		if got := broken(r); got != "" {
			t.Errorf("apply %v: broken: %s\n%+v", apply, got, r.Breaches)
		}
		if s := r.Subjects[0]; s.Accepted != 6 || (s.Applied > 0) != apply {
			t.Errorf("apply %v: %+v", apply, s)
		}
	}
}

func TestBrokenRules(t *testing.T) {
	for _, c := range []struct {
		rule    string
		planned bool
		want    string
		source  string
	}{
		{`on plan set label = "other"`, true, "plan/configured-kept.label", "label = \"a\"\n  name  = \"a\""},
		{`on plan set secret = "other"`, true, "plan/uncomputed-null.secret", ""},
		{`on plan gone`, true, "plan/present", "  name = \"a\"\n}"},
		{`on plan crash`, true, "", ""},
		{`on create set label = "other"`, false, "apply/value-kept.label", ""},
		{`on create unknown state`, false, "apply/known.state", ""},
		{`on create gone`, false, "apply/stays-present", ""},
		{`on read set state = "drifted"`, false, "verify/read-after-apply.state", "  name = \"a\"\n}"},
		{`on read gone`, false, "verify/read-after-apply", ""},
		{`on upgrade set state = "lost"`, false, "verify/upgrade-own.state", ""},
		{`on upgrade fail "cannot"`, false, "verify/upgrade-own", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for _, apply := range []bool{false, true} {
				r := examine(t, honest+"  "+c.rule+"\n", verify.Options{AllowApply: apply})
				got := broken(r)
				if !apply && !c.planned {
					if got != "" {
						t.Errorf("found without applying: %s", got)
					}
					continue
				}
				if c.want == "" {
					continue
				}
				if first, _, _ := strings.Cut(got, " "); first != c.want {
					t.Errorf("apply %v: got %q, want %q first\n%+v", apply, got, c.want, r.Breaches)
				} else if !strings.Contains(r.Breaches[0].Source, c.source) {
					t.Errorf("reproduction is\n%s", r.Breaches[0].Source)
				}
			}
		})
	}
}

// The provider's own refusals are no findings, and lead to other values.
func TestRefusals(t *testing.T) {
	r := examine(t, honest+"  on create fail \"no quota\"\n", verify.Options{AllowApply: true})
	if broken(r) != "" || r.Subjects[0].Applied != 0 || !strings.Contains(r.Subjects[0].Refused, "no quota") {
		t.Errorf("%+v", r)
	}
	r = examine(t, honest+"  on delete fail \"locked\"\n", verify.Options{AllowApply: true, Tries: 1})
	if len(r.Left) == 0 || !strings.Contains(r.Left[0], "locked") {
		t.Errorf("left: %v", r.Left)
	}
}

func TestGivenArguments(t *testing.T) {
	o := verify.Options{Given: map[string]map[string]string{"disk": {"label": "mine", "tags": `{"a":"b"}`}}}
	r := examine(t, honest+"  on plan set secret = \"x\"\n", o)
	if len(r.Breaches) == 0 || !strings.Contains(r.Breaches[0].Source, `label = "mine"`) {
		t.Errorf("%+v", r.Breaches)
	}
}

// TestGivenSecrets: a report is shown to others, and has no secret that was given.
func TestGivenSecrets(t *testing.T) {
	o := verify.Options{AllowApply: true, Given: map[string]map[string]string{
		"":     {"region": "here", "password": "so-secret"},
		"disk": {"secret": "so-secret", "token": "so-secret"},
	}}
	r := examine(t, "provider\n  region string optional\n  password string optional sensitive\n"+honest+"  on plan set label = \"x\"\n", o)
	if len(r.Breaches) == 0 || !strings.Contains(r.Breaches[0].Source, "password = var.password") || !strings.Contains(r.Breaches[0].Source, "= var.secret") || !strings.Contains(r.Breaches[0].Source, `"here"`) {
		t.Errorf("%+v", r.Breaches)
	}
	for _, b := range r.Breaches {
		if strings.Contains(b.Source+b.Saw, "so-secret") {
			t.Errorf("%+v", b)
		}
	}
}

// enough is a provider during whose first apply somebody has had enough.
type enough struct {
	provider.Provider
	applied func()
}

func (p enough) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	p.applied()
	return p.Provider.Apply(ctx, req)
}

// TestInterrupted holds VF4: what the trial has made is destroyed, and nothing more
// is made.
func TestInterrupted(t *testing.T) {
	p, err := fake.New(honest)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	r := verify.Run(t.Context(), verify.Options{AllowApply: true, Enough: stop,
		Provider: addr.Provider{Host: "example.com", Namespace: "verified", Type: "fake"},
		Open: func(context.Context) (provider.Provider, diag.List) {
			return enough{p, sync.OnceFunc(func() { close(stop) })}, nil
		}})
	if left := p.Remote(); strings.TrimSpace(left) != "" || len(r.Left) > 0 {
		t.Errorf("left behind: %s %v", left, r.Left)
	}
	created := 0
	for _, call := range p.Calls() {
		if strings.HasPrefix(call, "apply ") && strings.Contains(call, " create ") {
			created++
		}
	}
	if created != 1 {
		t.Errorf("%d objects were created", created)
	}
	if !r.Diags.HasErrors() || r.Diags.Errors()[0].Summary != "Examination interrupted" {
		t.Errorf("%v", r.Diags)
	}
}

func TestSameSeedSameReport(t *testing.T) {
	script := honest + "  on create set label = \"other\"\n"
	a := examine(t, script, verify.Options{AllowApply: true, Seed: 7})
	b := examine(t, script, verify.Options{AllowApply: true, Seed: 7})
	if x, y := fmt.Sprint(a.Subjects, broken(a)), fmt.Sprint(b.Subjects, broken(b)); x != y {
		t.Errorf("%s\n%s", x, y)
	}
}

// The provider that is part of the program keeps every rule.
func TestStandardProvider(t *testing.T) {
	t.Chdir(t.TempDir())
	std := addr.Builtin("std")
	r := verify.Run(t.Context(), verify.Options{
		Provider: std, AllowApply: true, Tries: 2,
		Types: []string{"std_file", "std_random_id", "std_random_pet", "std_random_uuid", "slug", "shell_quote"},
		Open: func(context.Context) (provider.Provider, diag.List) {
			return embedded.Providers("1.0.0", builtin.Options{})[std](), nil
		},
	})
	if got := broken(r); got != "" || r.Diags.HasErrors() {
		t.Errorf("%s %v\n%+v", got, r.Diags, r.Breaches)
	}
}
