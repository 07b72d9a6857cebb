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

func disks(t *testing.T, n int, c *crowd, parallelism int) *engine.Engine {
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
