package engine_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
)

// crowd counts how many plans of a provider are under way at the same time.
type crowd struct {
	while     time.Duration // how long each takes
	now, most atomic.Int64
}

func (c *crowd) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	made, err := fake.New("resource fake_disk\n  id string computed\n")
	if err != nil {
		return nil, diag.Errs("the script is wrong", err.Error())
	}
	return counting{made, c}, nil
}

func (c *crowd) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	opened, diags := c.Open(ctx, p)
	if diags.HasErrors() {
		return nil, diags
	}
	return opened.Schemas(ctx)
}

type counting struct {
	provider.Provider
	in *crowd
}

func (c counting) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	n := c.in.now.Add(1)
	defer c.in.now.Add(-1)
	for most := c.in.most.Load(); n > most && !c.in.most.CompareAndSwap(most, n); {
		most = c.in.most.Load()
	}
	time.Sleep(c.in.while)
	return c.Provider.Plan(ctx, req)
}

func disks(t *testing.T, n int, c engine.Providers, parallelism int) *engine.Engine {
	t.Helper()
	tree, diags := config.Load(memory{fstest.MapFS{"main.tf": &fstest.MapFile{Data: fmt.Appendf(nil, `
		resource "fake_disk" "a" { count = %d }
	`, n)}}}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return engine.New(engine.Options{Config: tree, Providers: c, Parallelism: parallelism})
}

// TestParallelism counts the calls that are made at the same time: ten, if nothing
// else is said.
func TestParallelism(t *testing.T) {
	for given, want := range map[int]int64{0: 10, 1: 1, 16: 16} {
		synctest.Test(t, func(t *testing.T) {
			c := &crowd{while: time.Second}
			e := disks(t, 40, c, given)
			defer e.Close()
			if _, diags := e.Plan(t.Context(), engine.PlanOptions{}); diags.HasErrors() {
				t.Fatal(diags)
			}
			if got := c.most.Load(); got != want {
				t.Errorf("parallelism %d: %d calls at the same time, want %d", given, got, want)
			}
		})
	}
}

// TestOneAtATime is invariant N1.
func TestOneAtATime(t *testing.T) {
	c := &crowd{while: 20 * time.Millisecond}
	e := disks(t, 1, c, 10)
	defer e.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, diags := e.Plan(t.Context(), engine.PlanOptions{}); diags.HasErrors() {
				t.Error(diags)
			}
		})
	}
	wg.Wait()
	if got := c.most.Load(); got != 1 {
		t.Errorf("%d operations at the same time", got)
	}
}

// waiting is a journal that takes nothing, once it is told so, before goOn is closed.
type waiting struct {
	told atomic.Bool
	goOn chan struct{}
}

func (w *waiting) Append(...[]byte) error {
	if w.told.Load() {
		<-w.goOn
	}
	return nil
}

func (w *waiting) Reset(...[]byte) error { return nil }

// heard is a provider of which one hears when it is asked for a plan, and when it has
// made an object.
type heard struct {
	crowd
	plans, made func()
}

func (h *heard) Open(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	opened, diags := h.crowd.Open(ctx, p)
	return hearing{opened, h}, diags
}

type hearing struct {
	provider.Provider
	by *heard
}

func (h hearing) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	h.by.plans()
	return h.Provider.Plan(ctx, req)
}

func (h hearing) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	defer h.by.made()
	return h.Provider.Apply(ctx, req)
}

// An object that waits for its result to become durable holds up no other one's calls:
// with two at a time, the third is asked about before the first is on record.
func TestDurableResultsHoldUpNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const objects = 6
		journal := &waiting{goOn: make(chan struct{})}
		var plans, made atomic.Int64
		p := &heard{
			plans: func() {
				if plans.Add(1) == objects+3 { // all of them were planned before the apply
					close(journal.goOn)
				}
			},
			made: func() {
				made.Add(1)
				journal.told.Store(true)
			},
		}
		e := disks(t, objects, p, 2)
		defer e.Close()
		doc, diags := e.Plan(t.Context(), engine.PlanOptions{})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		// Without the third plan the journal would never go on.
		if _, diags = e.Apply(t.Context(), doc, engine.ApplyOptions{Store: &store{}, Journal: journal}); diags.HasErrors() || made.Load() != objects {
			t.Errorf("%d objects were made: %v", made.Load(), diags)
		}
	})
}
