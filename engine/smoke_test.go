package engine_test

import (
	"context"
	"os"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/state"
)

type one struct{ p *fake.Provider }

func (o one) Open(context.Context, addr.Provider) (provider.Provider, diag.List) { return o.p, nil }
func (o one) Schemas(ctx context.Context, _ addr.Provider) (provider.Schemas, diag.List) {
	return o.p.Schemas(ctx)
}

type memory struct{ s *state.Snapshot }

func (m *memory) Write(_ context.Context, s *state.Snapshot) error { m.s = s; return nil }

type osfs struct{}

func (osfs) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (osfs) ReadDir(name string) ([]os.DirEntry, error) { return os.ReadDir(name) }

func TestSmoke(t *testing.T) {
	p, err := fake.New(`
resource thing
  id string computed
  name string required replace
  size number optional
`)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	os.WriteFile(dir+"/main.tf", []byte(`
terraform { 
  required_providers { 
    fake = { source = "x/fake" } 
  } 
}
variable "n" { default = 3 }
locals { names = [for i in range(var.n) : "n${i}"] }
resource "thing" "a" {
  provider = fake
  count = var.n
  name = local.names[count.index]
}
resource "thing" "b" {
  provider = fake
  for_each = toset(["x", "y"])
  name = "${each.key}-${thing.a[0].id}"
}
output "ids" { value = thing.a[*].id }
`), 0o644)
	tree, diags := config.Load(osfs{}, dir, config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	m := &memory{s: state.New("lineage")}
	e := engine.New(engine.Options{Config: tree, Providers: one{p}})
	for _, mode := range []plan.Mode{plan.Normal, plan.Normal, plan.Destroy} {
		doc, diags := e.Plan(context.Background(), engine.PlanOptions{State: m.s, Mode: mode})
		for _, d := range diags {
			t.Log("plan:", d.Summary, d.Detail, d.Subject)
		}
		if doc == nil {
			t.Fatal("no plan")
		}
		for _, c := range doc.Changes {
			t.Log(c.Addr, c.Action.Names(), c.Reason)
		}
		for _, c := range doc.Outputs {
			t.Log(c.Name, c.Action.Names())
		}
		_, diags = e.Apply(context.Background(), doc, engine.ApplyOptions{Store: m})
		for _, d := range diags {
			t.Log("apply:", d.Summary, d.Detail, d.Subject)
		}
		for o := range m.s.Objects() {
			t.Log("state", o)
		}
	}
	for _, c := range p.Calls() {
		t.Log(c)
	}
}
