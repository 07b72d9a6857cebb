package engine_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// rogue is a provider that does in each method what it is told, and where it comes
// back from that with true, gives its answer, whatever was asked.
type rogue struct {
	provider.Provider
	answer value.Bare
	do     func(method string) bool
}

func (r rogue) Schemas(ctx context.Context) (provider.Schemas, diag.List) {
	if r.do("Schemas") {
		return nil, nil
	}
	all, diags := r.Provider.Schemas(ctx)
	return careless{all, r.do}, diags
}

func (r rogue) ValidateProvider(ctx context.Context, v value.Bare) (value.Bare, diag.List) {
	if r.do("ValidateProvider") {
		return r.answer, nil
	}
	return r.Provider.ValidateProvider(ctx, v)
}

func (r rogue) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	if r.do("Configure") {
		return nil
	}
	return r.Provider.Configure(ctx, req)
}

func (r rogue) Stop(ctx context.Context) error {
	r.do("Stop")
	return r.Provider.Stop(ctx)
}

func (r rogue) Close() error {
	r.do("Close")
	return r.Provider.Close()
}

func (r rogue) ValidateResource(ctx context.Context, name string, v value.Bare) diag.List {
	if r.do("ValidateResource") {
		return nil
	}
	return r.Provider.ValidateResource(ctx, name, v)
}

func (r rogue) UpgradeState(ctx context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	if r.do("UpgradeState") {
		return provider.UpgradeResponse{Upgraded: r.answer}, nil
	}
	return r.Provider.UpgradeState(ctx, req)
}

func (r rogue) Read(ctx context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	if r.do("Read") {
		return provider.ReadResponse{New: r.answer}, nil
	}
	return r.Provider.Read(ctx, req)
}

func (r rogue) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	if r.do("Plan") {
		return provider.PlanResponse{Planned: r.answer}, nil
	}
	time.Sleep(2 * time.Second) // so that what is open is renewed
	return r.Provider.Plan(ctx, req)
}

func (r rogue) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	if r.do("Apply") {
		return provider.ApplyResponse{New: r.answer}, nil
	}
	return r.Provider.Apply(ctx, req)
}

func (r rogue) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	if r.do("Import") {
		return provider.ImportResponse{Imported: []provider.Imported{{TypeName: "fake_disk", State: r.answer, Identity: r.answer}}}, nil
	}
	return r.Provider.Import(ctx, req)
}

func (r rogue) Move(ctx context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	if r.do("Move") {
		return provider.MoveResponse{Target: r.answer}, nil
	}
	return r.Provider.Move(ctx, req)
}

func (r rogue) UpgradeIdentity(ctx context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	if r.do("UpgradeIdentity") {
		return r.answer, nil
	}
	return r.Provider.UpgradeIdentity(ctx, req)
}

func (r rogue) GenerateConfig(ctx context.Context, name string, v value.Bare) (value.Bare, diag.List) {
	if r.do("GenerateConfig") {
		return r.answer, nil
	}
	return r.Provider.GenerateConfig(ctx, name, v)
}

func (r rogue) ValidateData(ctx context.Context, name string, v value.Bare) diag.List {
	if r.do("ValidateData") {
		return nil
	}
	return r.Provider.ValidateData(ctx, name, v)
}

func (r rogue) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	if r.do("ReadData") {
		return provider.ReadDataResponse{State: r.answer}, nil
	}
	return r.Provider.ReadData(ctx, req)
}

func (r rogue) ValidateEphemeral(ctx context.Context, name string, v value.Bare) diag.List {
	if r.do("ValidateEphemeral") {
		return nil
	}
	return r.Provider.ValidateEphemeral(ctx, name, v)
}

// Open wants to be asked for a renewal soon.
func (r rogue) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	if r.do("Open") {
		return provider.OpenResponse{Result: r.answer}, nil
	}
	res, diags := r.Provider.Open(ctx, req)
	res.RenewAt = time.Now().Add(time.Second)
	return res, diags
}

func (r rogue) Renew(ctx context.Context, name string, private []byte) (provider.RenewResponse, diag.List) {
	if r.do("Renew") {
		return provider.RenewResponse{}, nil
	}
	return r.Provider.Renew(ctx, name, private)
}

func (r rogue) CloseEphemeral(ctx context.Context, name string, private []byte) diag.List {
	if r.do("CloseEphemeral") {
		return nil
	}
	return r.Provider.CloseEphemeral(ctx, name, private)
}

func (r rogue) CallFunction(ctx context.Context, name string, args []value.Bare) provider.FunctionResult {
	if r.do("CallFunction") {
		return provider.FunctionResult{Result: r.answer}
	}
	return r.Provider.CallFunction(ctx, name, args)
}

func (r rogue) ValidateList(ctx context.Context, req provider.ListRequest) diag.List {
	if r.do("ValidateList") {
		return nil
	}
	return r.Provider.ValidateList(ctx, req)
}

func (r rogue) ListResources(ctx context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	if r.do("ListResources") {
		each(provider.Listed{Identity: r.answer, Object: r.answer})
		return nil
	}
	return r.Provider.ListResources(ctx, req, each)
}

func (r rogue) ValidateAction(ctx context.Context, name string, v value.Bare) diag.List {
	if r.do("ValidateAction") {
		return nil
	}
	return r.Provider.ValidateAction(ctx, name, v)
}

func (r rogue) PlanAction(ctx context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	if r.do("PlanAction") {
		return nil, nil
	}
	return r.Provider.PlanAction(ctx, req)
}

func (r rogue) InvokeAction(ctx context.Context, name string, v value.Bare, progress func(string)) diag.List {
	if r.do("InvokeAction") {
		return nil
	}
	return r.Provider.InvokeAction(ctx, name, v, progress)
}

const rogueScript = `
capabilities plan_destroy move generate_config
provider
  region string optional
resource fake_old
  id   string computed
  name string required
resource fake_disk version=1
  id     string computed
  name   string required
  size   number optional
  secret string optional write_only
  identity id
data fake_image
  name string required
  id   string computed
ephemeral fake_session
  name  string required
  token string computed
action fake_note
  text string required
list fake_disk
  filter string optional
function shout(string) string returns "LOUD"
`

const rogueConfig = `
terraform {
  required_providers {
    fake = { source = "hashicorp/fake" }
  }
}
provider "fake" {
  region = "here"
}
ephemeral "fake_session" "s" {
  name = "s"
}
data "fake_image" "i" {
  name = "i"
}
resource "fake_disk" "stored" {
  name   = "stored"
  size   = 2
  secret = ephemeral.fake_session.s.token
}
resource "fake_disk" "moved" {
  name = "moved"
}
moved {
  from = fake_old.moved
  to   = fake_disk.moved
}
resource "fake_disk" "new" {
  name = data.fake_image.i.name
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.fake_note.n]
    }
  }
}
resource "fake_disk" "imported" {
  name = "other"
}
import {
  to = fake_disk.imported
  id = "other-1"
}
import {
  to = fake_disk.generated
  id = "another-1"
}
action "fake_note" "n" {
  config {
    text = "n"
  }
}
output "loud" {
  value = provider::fake::shout("x")
}
`

const rogueQuery = `
list "fake_disk" "all" {
  provider = fake
  config {
    filter = "x"
  }
}
`

const rogueState = `{"version": 4, "terraform_version": "1.14.0", "serial": 3, "lineage": "l", "outputs": {}, "resources": [
	{"mode": "managed", "type": "fake_disk", "name": "stored", "provider": "provider[\"registry.terraform.io/hashicorp/fake\"]", "instances": [
		{"schema_version": 1, "identity_schema_version": 1, "attributes": {"id": "stored-1", "name": "stored", "size": 1, "secret": null}, "identity": {"id": "stored-1"}}]},
	{"mode": "managed", "type": "fake_old", "name": "moved", "provider": "provider[\"registry.terraform.io/hashicorp/fake\"]", "instances": [
		{"schema_version": 0, "attributes": {"id": "moved-1", "name": "moved"}}]},
	{"mode": "managed", "type": "fake_disk", "name": "gone", "provider": "provider[\"registry.terraform.io/hashicorp/fake\"]", "instances": [
		{"schema_version": 1, "attributes": {"id": "gone-1", "name": "gone", "size": 1, "secret": null}}]}
]}`

// watching does in the program's own code what it is told.
type watching struct{ do func(string) bool }

func (w watching) Observe(ev event.Event) event.Verdict {
	if ev, ok := ev.(event.Begun); ok {
		w.do("observing " + ev.Op.String())
	}
	return event.Continue
}
func (w watching) Began(*engine.Listing)               { w.do("watching") }
func (watching) Found(*engine.Listing, *engine.Listed) {}
func (watching) Ended(*engine.Listing)                 {}

// careless is an index of schemas that does what it is told when it is looked up in.
type careless struct {
	provider.Schemas
	do func(string) bool
}

func (c careless) Functions() map[string]*schema.Function {
	c.do("looking up")
	return c.Schemas.Functions()
}

// outing is what came of running everything with a rogue.
type outing struct {
	diags diag.List
	store *store
	calls map[string]int
}

// lone gives the rogue whoever is asked for.
type lone struct{ rogue }

func (l lone) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	return l.rogue, nil
}
func (l lone) Schemas(ctx context.Context, _ addr.Provider) (provider.Schemas, diag.List) {
	return l.rogue.Schemas(ctx)
}

// abroad validates, plans, applies and searches with a provider that does in each
// method what it is told. The plan is made honestly where it is the apply that
// matters.
func abroad(t *testing.T, ctx context.Context, phase string, answer value.Bare, do func(method string) bool) outing {
	t.Helper()
	made, err := fake.New(rogueScript)
	if err != nil {
		t.Fatal(err)
	}
	was, diags := v4.Parse([]byte(rogueState))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	files := memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(rogueConfig)}, "q.tfquery.hcl": &fstest.MapFile{Data: []byte(rogueQuery)}}}
	tree, diags := config.Load(files, ".", config.LoadOptions{Query: phase == "query"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	out := outing{store: &store{last: was}, calls: map[string]int{}}
	var mu sync.Mutex
	now := ""
	p := lone{rogue{made, answer, func(method string) bool {
		mu.Lock()
		its := now == phase
		if its {
			out.calls[method]++
		}
		mu.Unlock()
		return its && do(method)
	}}}
	enter := func(name string) { mu.Lock(); now = name; mu.Unlock() }
	e := engine.New(engine.Options{Config: tree, Providers: p, Observer: watching{do}})
	if phase == "validate" || phase == "query" {
		enter(phase)
	}
	switch phase {
	case "validate":
		out.diags = e.Validate(ctx)
	case "query":
		_, out.diags = e.Query(ctx, engine.QueryOptions{Generate: true, Watcher: watching{do}})
	default:
		if phase == "plan" {
			enter(phase)
		}
		var doc *plan.Document
		doc, out.diags = e.Plan(ctx, engine.PlanOptions{State: was, GenerateConfig: true})
		if phase == "apply" {
			if out.diags.HasErrors() {
				t.Fatal(out.diags)
			}
			enter(phase)
			var last *state.Snapshot
			last, out.diags = e.Apply(ctx, doc, engine.ApplyOptions{Store: out.store})
			if last != out.store.last {
				t.Error("Apply gives another state than what is stored")
			}
		}
	}
	if err := e.Close(); err != nil {
		out.diags = out.diags.Append(diag.Err("Close failed", err.Error()).By(diag.Provider))
	}
	mu.Lock()
	defer mu.Unlock()
	return out
}

// phases are what is run, with the methods that each asks for.
var phases = map[string][]string{
	"validate": {"CallFunction", "Schemas", "ValidateAction", "ValidateData", "ValidateEphemeral", "ValidateProvider", "ValidateResource"},
	"plan": {"CallFunction", "CloseEphemeral", "Configure", "GenerateConfig", "Import", "Move", "Open", "Plan", "PlanAction", "Read", "ReadData", "Renew", "Schemas",
		"UpgradeIdentity", "UpgradeState", "ValidateData", "ValidateEphemeral", "ValidateProvider", "ValidateResource", "Close"},
	"apply": {"Apply", "CallFunction", "CloseEphemeral", "InvokeAction", "Open", "Plan", "Renew", "ValidateEphemeral", "ValidateResource"},
	"query": {"Configure", "ListResources", "Schemas", "ValidateList", "ValidateProvider"},
}

// everywhere tells of each method in each phase.
func everywhere(t *testing.T, test func(t *testing.T, phase, method string)) {
	for phase, methods := range phases {
		for _, method := range methods {
			t.Run(phase+"/"+method, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { test(t, phase, method) })
			})
		}
	}
}

// TestHonest holds the table against what is really asked.
func TestHonest(t *testing.T) {
	everywhere(t, func(t *testing.T, phase, method string) {
		out := abroad(t, t.Context(), phase, value.Bare{}, func(string) bool { return false })
		if out.diags.HasErrors() || out.calls[method] == 0 {
			t.Errorf("%v, asked: %v", out.diags, out.calls)
		}
	})
}

// TestPanics has each method panic: the error blames the provider, and names it and
// the method.
func TestPanics(t *testing.T) {
	everywhere(t, func(t *testing.T, phase, method string) {
		out := abroad(t, t.Context(), phase, value.Bare{}, func(at string) bool {
			if at == method {
				panic("at " + method)
			}
			return false
		})
		told(t, out, phase, method, "at "+method)
	})
}

// TestBlocks has each method block while the run is cancelled: the engine comes back,
// and says which call it gave up.
func TestBlocks(t *testing.T) {
	everywhere(t, func(t *testing.T, phase, method string) {
		if method == "Close" {
			return // there is no context that could end it
		}
		ctx, cancel := context.WithCancel(t.Context())
		never := make(chan struct{})
		defer time.Sleep(time.Minute) // the bubble has to be empty by then
		defer close(never)
		began := time.Now()
		out := abroad(t, ctx, phase, value.Bare{}, func(at string) bool {
			if at == method {
				cancel()
				<-never
			}
			return false
		})
		told(t, out, phase, method, "given up because the run was cancelled")
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// told looks for the error that names the provider and the method, and says the words.
func told(t *testing.T, out outing, phase, method, words string) {
	t.Helper()
	for _, d := range out.diags {
		if !strings.Contains(d.Detail, words) || !strings.Contains(d.Detail, method) {
			continue
		}
		if d.Severity != diag.Error || d.Blame == diag.Engine || !strings.Contains(d.Detail, "hashicorp/fake") {
			t.Errorf("%s: %s\n%s", d.Blame, d.Summary, d.Detail)
		}
		return
	}
	t.Errorf("nobody tells: %v", out.diags)
}

// TestNonsense has each method answer nothing, and a value of no type that anybody asked
// for: that is the provider's fault where it is one, and breaks nothing of the engine's.
func TestNonsense(t *testing.T) {
	for name, answer := range map[string]value.Bare{"nothing": {}, "a number": value.MustBare(cty.NumberIntVal(1))} {
		everywhere(t, func(t *testing.T, phase, method string) {
			out := abroad(t, t.Context(), phase, answer, func(at string) bool { return at == method })
			for _, d := range out.diags {
				if d.Blame == diag.Engine || strings.Contains(d.Detail, "panic") {
					t.Errorf("%s: %s\n%s", name, d.Summary, d.Detail)
				}
			}
		})
	}
}

// TestCrash has code panic that runs in the midst of the engine's: that ends the work on
// one thing, and what is told is no fault of the provider's.
func TestCrash(t *testing.T) {
	for _, c := range []struct{ phase, at, about string }{
		{"validate", "looking up", "the configuration"},
		{"plan", "looking up", "the configuration"},
		{"plan", "observing " + event.Open.String(), "ephemeral.fake_session.s"},
		{"plan", "observing " + event.Renew.String(), "ephemeral.fake_session.s"},
		{"plan", "observing " + event.CloseEphemeral.String(), "ephemeral.fake_session.s"},
		{"plan", "observing " + event.Refresh.String(), "fake_disk.stored"},
		{"apply", "observing " + event.Update.String(), "fake_disk.stored"},
		{"query", "watching", "list.fake_disk.all"},
	} {
		synctest.Test(t, func(t *testing.T) {
			out := abroad(t, t.Context(), c.phase, value.Bare{}, func(at string) bool {
				if at == c.at {
					panic("at " + at)
				}
				return false
			})
			for _, d := range out.diags {
				if d.Summary == "Plumb crashed" && strings.Contains(d.Detail, "While working on "+c.about) && strings.Contains(d.Detail, "at "+c.at) {
					return
				}
			}
			t.Errorf("%s, %s: nobody tells: %v", c.phase, c.at, out.diags)
		})
	}
}
