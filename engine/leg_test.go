package engine_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/provider/fake"
)

// bomb panics when an operation on an object begins.
type bomb struct{ op event.Op }

func (b bomb) Observe(ev event.Event) event.Verdict {
	if ev, ok := ev.(event.Begun); ok && ev.Op == b.op {
		panic("boom")
	}
	return event.Continue
}

// TestCrashedLeg has the first leg of a replacement end in a crash: the second one is
// left out, and no object is lost.
func TestCrashedLeg(t *testing.T) {
	for order, at := range map[string]event.Op{"false": event.Delete, "true": event.Create} {
		made, err := fake.New("resource fake_disk\n  id string computed\n  name string required\n  size number optional replace\n")
		if err != nil {
			t.Fatal(err)
		}
		kept := &store{}
		run := func(size string, o event.Observer) {
			t.Helper()
			tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: []byte(
				"resource \"fake_disk\" \"a\" {\n  name = \"a\"\n  size = " + size + "\n  lifecycle {\n    create_before_destroy = " + order + "\n  }\n}\n")}}}, ".", config.LoadOptions{})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			e := engine.New(engine.Options{Config: tree, Providers: only{made}, Observer: o})
			defer e.Close()
			doc, diags := e.Plan(t.Context(), engine.PlanOptions{State: kept.last})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			made.TakeCalls()
			if _, diags = e.Apply(t.Context(), doc, engine.ApplyOptions{Store: kept}); diags.HasErrors() != (o != nil) {
				t.Fatal(diags)
			}
		}
		run("1", nil)
		run("2", bomb{at})
		if calls := made.TakeCalls(); strings.Contains(calls, "apply") {
			t.Errorf("create first %s: the second leg ran:\n%s", order, calls)
		}
		var left []string
		for at, o := range kept.last.Objects() {
			left = append(left, at.String()+" "+string(o.Attrs))
		}
		if len(left) != 1 || !strings.Contains(left[0], `"id":"a-1"`) {
			t.Errorf("create first %s: the state has %s", order, left)
		}
	}
}
