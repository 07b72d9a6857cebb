package engine_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
)

// timed is a provider that notes in private data what it was configured with, and what
// came with deletions.
type timed struct {
	*fake.Provider
	deleted []string
}

func (p *timed) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	res, diags := p.Provider.Plan(ctx, req)
	if c := req.Config.Cty(); !c.IsNull() {
		res.Private = []byte(c.GetAttr("wait").AsString())
	}
	return res, diags
}

func (p *timed) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	if req.Planned.Cty().IsNull() {
		p.deleted = append(p.deleted, string(req.Private))
	}
	return p.Provider.Apply(ctx, req)
}

// TestTimeoutOfADeletion: which private data the deletion of a replacement is sent. With
// the older type system it has the timeouts of the present configuration, whatever
// else is the object's own.
func TestTimeoutOfADeletion(t *testing.T) {
	for _, c := range []struct {
		name, system, lifecycle, want string
	}{
		{"older type system", " legacy", "", "long"},
		{"older type system, create-first", " legacy", "lifecycle {\n create_before_destroy = true\n}\n", "short"},
		{"present type system", "", "", "short"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made, err := fake.New("resource fake_disk" + c.system + "\n  id string computed\n  size number required replace\n  wait string required\n")
			if err != nil {
				t.Fatal(err)
			}
			p := &timed{Provider: made}
			kept := &store{}
			for _, arguments := range []string{"size = 1\n wait = \"short\"\n", "size = 2\n wait = \"long\"\n"} {
				tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(
					"resource \"fake_disk\" \"a\" {\n" + arguments + c.lifecycle + "}\n")}}}, ".", config.LoadOptions{})
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				e := engine.New(engine.Options{Config: tree, Providers: only{p}})
				doc, diags := e.Plan(t.Context(), engine.PlanOptions{State: kept.last})
				if diags.HasErrors() {
					t.Fatal(diags)
				}
				if _, diags = e.Apply(t.Context(), doc, engine.ApplyOptions{Store: kept}); diags.HasErrors() {
					t.Fatal(diags)
				}
				e.Close()
			}
			if !slices.Equal(p.deleted, []string{c.want}) {
				t.Errorf("deleted with %q, want %q", p.deleted, c.want)
			}
		})
	}
}
