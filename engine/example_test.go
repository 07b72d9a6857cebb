package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/state"
)

// Example plans, applies and plans again from Go: the configuration is in
// memory, the provider runs in this process, and an observer sees what happens.
func Example() {
	ctx := context.Background()
	tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(`
		variable "names" { default = ["ada", "grace"] }

		resource "terraform_data" "person" {
		  for_each = toset(var.names)
		  input    = upper(each.key)
		}

		output "shouted" { value = [for p in terraform_data.person : p.output] }
	`)}}}, ".", config.LoadOptions{})
	show(diags)

	e := engine.New(engine.Options{
		Config:      tree,
		Providers:   inProcess{},
		Parallelism: 1,
		Observer: event.Func(func(ev event.Event) {
			if ev, ok := ev.(event.Ended); ok && ev.Op == event.Create {
				fmt.Println("created", ev.Object)
			}
		}),
	})
	defer e.Close()

	kept := &store{}
	for range 2 {
		doc, diags := e.Plan(ctx, engine.PlanOptions{State: kept.last})
		show(diags)
		fmt.Println("applyable:", doc.Applyable)
		for _, c := range doc.Changes {
			if c.Action != plan.NoOp {
				fmt.Println("will", c.Action.Names(), c.Addr)
			}
		}
		if doc.Applyable {
			_, diags = e.Apply(ctx, doc, engine.ApplyOptions{Store: kept})
			show(diags)
		}
	}
	out, _ := kept.last.Output("shouted")
	fmt.Println(out.Value.LengthInt(), "names shouted")

	// Output:
	// applyable: true
	// will [create] terraform_data.person["ada"]
	// will [create] terraform_data.person["grace"]
	// created terraform_data.person["ada"]
	// created terraform_data.person["grace"]
	// applyable: false
	// 2 names shouted
}

// inProcess opens the one provider that this program brings.
type inProcess struct{}

func (inProcess) Open(_ context.Context, p addr.Provider) (provider.Provider, diag.List) {
	if p != addr.Builtin("terraform") {
		return nil, diag.Errs("Provider not available", p.String()+" is not part of this program.")
	}
	n := 0
	return builtin.New(builtin.Options{NewID: func() string { n++; return fmt.Sprint("id-", n) }}), nil
}

func (i inProcess) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	opened, diags := i.Open(ctx, p)
	if diags.HasErrors() {
		return nil, diags
	}
	return opened.Schemas(ctx)
}

// store keeps the state in memory.
type store struct{ last *state.Snapshot }

func (s *store) Write(_ context.Context, next *state.Snapshot) error { s.last = next; return nil }

// memory is a directory that exists in this program only.
type memory struct{ fstest.MapFS }

func (m memory) ReadDir(name string) ([]fs.DirEntry, error) { return m.MapFS.ReadDir(name) }

func show(diags diag.List) {
	for _, d := range diags {
		fmt.Println(d.Severity, d.Summary)
	}
}
