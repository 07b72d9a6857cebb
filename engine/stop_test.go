package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
)

// slow is a provider that calls planned each time it has planned something.
type slow struct {
	*fake.Provider
	planned func()
}

func (s slow) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	res, diags := s.Provider.Plan(ctx, req)
	s.planned()
	return res, diags
}

// only opens one provider.
type only struct{ provider.Provider }

func (o only) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	return o.Provider, nil
}

func (o only) Schemas(ctx context.Context, _ addr.Provider) (provider.Schemas, diag.List) {
	return o.Provider.Schemas(ctx)
}

// TestStopBeforeTheCall asks for a stop while an object is planned for the last
// time: what has not begun is not begun, and an object put aside is taken back.
func TestStopBeforeTheCall(t *testing.T) {
	made, err := fake.New("resource fake_disk\n  id string computed\n  name string required\n  size number optional replace\n")
	if err != nil {
		t.Fatal(err)
	}
	var e *engine.Engine
	stop := false
	p := only{slow{made, func() {
		if stop {
			e.Stop()
		}
	}}}
	kept := &store{}
	run := func(lines string) diag.List {
		t.Helper()
		tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(
			"resource \"fake_disk\" \"a\" {\n  name = \"a\"\n" + lines + "\n}\n")}}}, ".", config.LoadOptions{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		e = engine.New(engine.Options{Config: tree, Providers: p})
		defer e.Close()
		late := stop
		stop = false
		doc, diags := e.Plan(t.Context(), engine.PlanOptions{State: kept.last})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		stop = late
		made.TakeCalls()
		_, diags = e.Apply(t.Context(), doc, engine.ApplyOptions{Store: kept})
		return diags
	}
	refuse := func(diags diag.List) {
		t.Helper()
		if len(diags) != 1 || diags[0].Summary != "execution halted" {
			t.Errorf("diagnostics: %v", diags)
		}
		if calls := made.TakeCalls(); strings.Contains(calls, "apply fake_disk") {
			t.Errorf("something was begun:\n%s", calls)
		}
	}

	stop = true
	refuse(run("size = 1"))
	if kept.last != nil && !kept.last.Empty() {
		t.Error("something is in the state of a run that made nothing")
	}
	stop = false
	if diags := run("size = 1"); diags.HasErrors() {
		t.Fatal(diags)
	}
	stop = true
	refuse(run("size = 2\n  lifecycle {\n    create_before_destroy = true\n  }"))
	a, err := addr.ParseInstance("fake_disk.a")
	if err != nil {
		t.Fatal(err)
	}
	if i := kept.last.Instance(a); i.HasDeposed() || string(i.Current().Attrs) != `{"id":"a-1","name":"a","size":1}` {
		t.Errorf("the object is not what it was: %s", i.Current().Attrs)
	}
}
