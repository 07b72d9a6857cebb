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

// defaulting fills in what is not set when it validates, as providers of protocol 5 do.
type defaulting struct {
	provider.Provider
	got []value.Bare
}

// single opens one provider, whichever is asked for.
type single struct{ only provider.Provider }

func (s single) Open(context.Context, addr.Provider) (provider.Provider, diag.List) {
	return s.only, nil
}
func (single) Schemas(context.Context, addr.Provider) (provider.Schemas, diag.List) { return nil, nil }

func (d *defaulting) ValidateProvider(context.Context, value.Bare) (value.Bare, diag.List) {
	return region("default"), nil
}
func (d *defaulting) Configure(_ context.Context, req provider.ConfigureRequest) diag.List {
	d.got = append(d.got, req.Config)
	return nil
}

// A provider is configured with what was written, so that it can tell what was not.
func TestConfiguredAsWritten(t *testing.T) {
	d := &defaulting{}
	p := addr.Provider{Host: "registry.example.com", Namespace: "a", Type: "b"}
	unset := value.MustBare(cty.ObjectVal(map[string]cty.Value{"region": cty.NullVal(cty.String)}))
	if _, diags := newClients(single{d}).Configured(context.Background(), addr.ProviderConfig{Provider: p}, unset, false); diags.HasErrors() {
		t.Fatal(diags)
	}
	if len(d.got) != 1 || !d.got[0].Cty().RawEquals(unset.Cty()) {
		t.Errorf("configured with %#v", d.got)
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
