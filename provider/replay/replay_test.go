package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/provider/replay"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

const script = `
capabilities plan_destroy
provider
  token string optional sensitive
resource disk version=2
  name   string required
  id     string computed
  size   number optional replace
  echo   string optional
  secret string optional sensitive
  spec   nested(list) optional
    cpu  number required
  block rule set max=3
    port number required
  identity id
  on update fail "refused: hunter2-hunter2"
function shout(string) string returns "LOUD"
`

var name = addr.Provider{Host: "example.com", Namespace: "test", Type: "fake"}

// conversation has a fixed conversation with a provider and tells it.
func conversation(t *testing.T, p provider.Provider, secret string) string {
	t.Helper()
	var told []string
	tell := func(what string, x cty.Value) { told = append(told, what+" "+x.GoString()) }
	schemas, diags := p.Schemas(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	s, diags := schemas.Type(addr.Managed, "disk")
	if diags.HasErrors() || s == nil {
		t.Fatal(diags)
	}
	told = append(told, strings.Join(schemas.TypeNames(addr.Managed), ","), s.Block.Type().GoString())
	if !s.Block.Attributes["secret"].Sensitive || s.Identity == nil || s.Version != 2 || !schemas.Capabilities().PlanDestroy {
		t.Error("the schema lost something")
	}
	config := cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal("a"), "id": cty.NullVal(cty.String), "size": cty.UnknownVal(cty.Number),
		"echo": cty.StringVal("it is " + secret + "!"), "secret": cty.StringVal(secret),
		"spec": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"cpu": cty.NumberIntVal(2)})}),
		"rule": cty.SetVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(80)})}),
	})
	bare := value.MustBare(config)
	null := value.Null(s.Block.Type())
	for _, d := range p.ValidateResource(t.Context(), "disk", bare) {
		told = append(told, d.Summary)
	}
	plan, diags := p.Plan(t.Context(), provider.PlanRequest{TypeName: "disk", Prior: null, Proposed: bare, Config: bare})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	tell("planned", plan.Planned.Cty())
	known := value.MustBare(cty.ObjectVal(with(config, "size", cty.NumberIntVal(7))))
	final, _ := p.Plan(t.Context(), provider.PlanRequest{TypeName: "disk", Prior: null, Proposed: known, Config: known, PlannedPrivate: plan.Private})
	made, diags := p.Apply(t.Context(), provider.ApplyRequest{TypeName: "disk", Prior: null, Planned: final.Planned, Config: known, Private: final.Private})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	tell("made", made.New.Cty())
	tell("identity", made.Identity.Cty())
	_, diags = p.Apply(t.Context(), provider.ApplyRequest{TypeName: "disk", Prior: made.New, Planned: made.New, Config: known})
	told = append(told, diags[0].Summary)
	res := p.CallFunction(t.Context(), "shout", []value.Bare{value.MustBare(cty.StringVal("x"))})
	tell(res.Error, res.Result.Cty())
	return strings.Join(told, "\n")
}

func with(v cty.Value, name string, to cty.Value) map[string]cty.Value {
	m := v.AsValueMap()
	m[name] = to
	return m
}

func record(t *testing.T, dir, secret string) string {
	t.Helper()
	inner, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	r := replay.NewRecording(dir, replay.NewSecrets("hunter2-hunter2"))
	told := conversation(t, r.Around(name, inner), secret)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return told
}

func TestReplay(t *testing.T) {
	dir := t.TempDir()
	told := record(t, dir, "s3cr3t-of-mine")
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("files: %v", files)
	}
	src, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"s3cr3t-of-mine", "hunter2"} {
		if strings.Contains(string(src), secret) {
			t.Errorf("the secret %s is in the recording:\n%s", secret, src)
		}
	}
	for _, want := range []string{`it is $secret(2)!`, `"secret":"$secret(2)"`, `refused: $secret(1)`, `{"$unknown":true}`} {
		if !strings.Contains(string(src), want) {
			t.Errorf("%s is not in the recording:\n%s", want, src)
		}
	}
	for _, secret := range []string{"s3cr3t-of-mine", "another"} {
		p, diags := replay.NewPlayer(dir, name)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		want := strings.ReplaceAll(told, "s3cr3t-of-mine", secret)
		want = strings.ReplaceAll(want, "hunter2-hunter2", "$secret(1)")
		if got := conversation(t, p, secret); got != want {
			t.Errorf("replayed with %s:\n%s\nwant:\n%s", secret, got, want)
		}
	}
}

// Recording is invisible: what the run sees is what it sees without.
func TestRecordingChangesNothing(t *testing.T) {
	inner, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := record(t, t.TempDir(), "x"), conversation(t, inner, "x"); got != want {
		t.Errorf("recorded:\n%s\nwant:\n%s", got, want)
	}
}

func TestUnrecordedCall(t *testing.T) {
	dir := t.TempDir()
	record(t, dir, "x")
	record(t, dir, "y") // a second run goes behind the first
	p, diags := replay.NewPlayer(dir, name)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	null := value.MustBare(cty.NullVal(cty.EmptyObject))
	_, diags = p.Read(t.Context(), provider.ReadRequest{TypeName: "disk", Prior: null})
	if !diags.HasErrors() || diags[0].Summary != "Call was not recorded" || !strings.Contains(diags[0].Detail, "read disk") {
		t.Errorf("%v", diags)
	}
	if _, diags := replay.NewPlayer(t.TempDir(), name); !diags.HasErrors() {
		t.Error("a recording that does not exist was read")
	}
}

// A run may make its calls in another order than the recorded one. A call that
// was recorded with a secret in it can be like many others, and must not answer
// for one that was recorded as it is.
func TestOtherOrder(t *testing.T) {
	dir := t.TempDir()
	inner, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	r := replay.NewRecording(dir, replay.NewSecrets("hunter2-hunter2", "a-second-secret"))
	create := func(p provider.Provider, named string) {
		t.Helper()
		schemas, _ := p.Schemas(t.Context())
		s, diags := schemas.Type(addr.Managed, "disk")
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		attrs := map[string]cty.Value{}
		for a, at := range s.Block.Type().AttributeTypes() {
			attrs[a] = cty.NullVal(at)
		}
		attrs["name"], attrs["rule"] = cty.StringVal(named), cty.SetValEmpty(s.Block.Type().AttributeType("rule").ElementType())
		config := value.MustBare(cty.ObjectVal(attrs))
		planned := value.MustBare(cty.ObjectVal(with(config.Cty(), "id", cty.UnknownVal(cty.String))))
		made, diags := p.Apply(t.Context(), provider.ApplyRequest{TypeName: "disk", Prior: value.Null(s.Block.Type()), Planned: planned, Config: config})
		if diags.HasErrors() {
			t.Fatalf("%s: %v", named, diags)
		}
		if got := made.New.Cty().GetAttr("name").AsString(); got != named {
			t.Errorf("%s was made as %s", named, got)
		}
	}
	p := r.Around(name, inner)
	for _, named := range []string{"hunter2-hunter2", "a-second-secret", "plain", "plainer"} {
		create(p, named)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again, diags := replay.NewPlayer(dir, name)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, named := range []string{"plainer", "plain", "of-now", "another-of-now"} {
		create(again, named)
	}
}
