package engine

import (
	"context"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// counted counts the instances that are opened.
type counted struct {
	mu     sync.Mutex
	opened int
}

func (c *counted) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened++
	made, err := fake.New("provider\n  region string optional\n")
	if err != nil {
		return nil, diag.Errs("the script is wrong", err.Error())
	}
	return made, nil
}

func (c *counted) Schemas(context.Context, addr.Provider) (provider.Schemas, diag.List) {
	return nil, nil
}

func region(name string) value.Bare {
	return value.MustBare(cty.ObjectVal(map[string]cty.Value{"region": cty.StringVal(name)}))
}

// The instance that validates is opened once, and it is the one that is
// configured; another configuration has its own.
func TestOneProcess(t *testing.T) {
	ctx, p := context.Background(), addr.Provider{Host: "registry.example.com", Namespace: "a", Type: "b"}
	providers := &counted{}
	c := newClients(providers)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, diags := c.Unconfigured(ctx, p); diags.HasErrors() {
				t.Error(diags)
			}
		})
	}
	wg.Wait()
	bare, _ := c.Unconfigured(ctx, p)
	one, diags := c.Configured(ctx, addr.ProviderConfig{Provider: p}, region("one"), false)
	if diags.HasErrors() || one != bare || providers.opened != 1 {
		t.Errorf("%d instances opened, %v", providers.opened, diags)
	}
	again, _ := c.Configured(ctx, addr.ProviderConfig{Provider: p}, region("one"), false)
	two, _ := c.Configured(ctx, addr.ProviderConfig{Provider: p, Alias: "two"}, region("two"), false)
	if again != one || two == one || providers.opened != 2 {
		t.Errorf("%d instances opened", providers.opened)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

// stuck answers nothing before its context ends.
type stuck struct{ counted }

func (s *stuck) Schemas(ctx context.Context, _ addr.Provider) (provider.Schemas, diag.List) {
	<-ctx.Done()
	return nil, diag.Errs("Request cancelled", ctx.Err().Error())
}

// deaf does not come back from Stop.
type deaf struct {
	provider.Provider
	asked chan struct{}
}

func (d deaf) Stop(context.Context) error {
	d.asked <- struct{}{}
	select {}
}

// A run that is asked to stop does not wait for a provider that does not start,
// and tells all providers although one does not hear.
func TestStop(t *testing.T) {
	c := newClients(&stuck{})
	asked := make(chan struct{})
	c.all = []provider.Provider{deaf{nil, asked}, deaf{nil, asked}}
	told := make(chan diag.List)
	go func() {
		_, diags := c.Schemas(context.Background(), addr.Provider{Host: "registry.example.com", Namespace: "a", Type: "b"})
		told <- diags
	}()
	c.stop()
	<-asked
	<-asked
	if diags := <-told; !diags.HasErrors() {
		t.Error("there are schemas")
	}
}
