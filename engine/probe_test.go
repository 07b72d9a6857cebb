package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/state"
)

// full is a store without room.
type full struct{ store }

func (*full) Probe(context.Context) error { return errors.New("the disk is full") }

// TestProbe: nothing is begun when what comes of it could not be stored.
func TestProbe(t *testing.T) {
	tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{
		Data: []byte(`resource "terraform_data" "a" {}`)}}}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	e := engine.New(engine.Options{Config: tree, Providers: inProcess{}, Observer: event.Func(func(ev event.Event) {
		if ev, is := ev.(event.Begun); is {
			t.Errorf("%s was begun", ev.Object)
		}
	})})
	defer e.Close()
	stored := state.New("l").WithSerial(1)
	doc, diags := e.Plan(t.Context(), engine.PlanOptions{State: stored})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	s := &full{}
	after, diags := e.Apply(t.Context(), doc, engine.ApplyOptions{Store: s, Stored: stored})
	if len(diags) != 1 || diags[0].Summary != "The state cannot be written" || !after.Equal(stored) || s.last != nil {
		t.Errorf("%v, %v", diags, s.last)
	}
}
