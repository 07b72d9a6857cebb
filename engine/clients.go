package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/guard"
	"github.com/plumb-iac/plumb/value"
)

// clients keeps one configured provider a configuration for the whole command.
type clients struct {
	providers Providers

	mu         sync.Mutex
	configured map[addr.ProviderConfig]configured
	// bare are instances that validate and call functions, for which it does
	// not matter whether they are configured.
	bare map[addr.Provider]*bare
	all  []provider.Provider

	schemaLock sync.Mutex
	schemas    map[addr.Provider]described
	// stopped is closed when the run is asked to stop.
	stopped chan struct{}
}

// described remembers a provider's schemas, or why they cannot be had.
type described struct {
	schemas provider.Schemas
	diags   diag.List
}

// bare is an instance that is opened once, whoever asks first. When it is taken
// it is configured or about to be.
type bare struct {
	open   sync.Once
	client provider.Provider
	diags  diag.List
	taken  bool
}

type configured struct {
	config value.Bare
	client provider.Provider
}

func newClients(p Providers) *clients {
	return &clients{providers: guard.Source{Behind: p}, configured: map[addr.ProviderConfig]configured{}, bare: map[addr.Provider]*bare{}, schemas: map[addr.Provider]described{}, stopped: make(chan struct{})}
}

// Schemas gives a provider's schemas. They are fetched once, and given up when the
// run is asked to stop: nothing is under way yet that would have to end.
func (c *clients) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	c.schemaLock.Lock()
	defer c.schemaLock.Unlock()
	d, ok := c.schemas[p]
	if !ok {
		ctx, done := c.untilStopped(ctx)
		defer done()
		d.schemas, d.diags = c.providers.Schemas(ctx, p)
		c.schemas[p] = d
	}
	return d.schemas, d.diags
}

// Configured gives the provider instance for a configuration. With other
// values than before it is a new instance; the old one stays until the end,
// because somebody may still be using it.
func (c *clients) Configured(ctx context.Context, at addr.ProviderConfig, config value.Bare, deferral bool) (provider.Provider, diag.List) {
	c.mu.Lock()
	known, ok := c.configured[at]
	c.mu.Unlock()
	if ok && known.config.Cty().RawEquals(config.Cty()) {
		return known.client, nil
	}
	client, diags := c.unused(ctx, at.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	_, more := client.ValidateProvider(ctx, config)
	diags = diags.With(more)
	if more.HasErrors() {
		return nil, diags
	}
	more = client.Configure(ctx, provider.ConfigureRequest{Config: config, LanguageVersion: LanguageVersion, DeferralAllowed: deferral})
	diags = diags.With(more)
	if more.HasErrors() {
		return nil, diags
	}
	c.mu.Lock()
	c.configured[at] = configured{config, client}
	c.mu.Unlock()
	return client, diags
}

// renew lets every configuration be made anew when it is next asked for. What a
// provider was configured with may have been all right, and what it found with
// it not.
func (c *clients) renew() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.configured)
}

// unused gives an instance to configure: the one that validated, where there is
// one, since a process more is expensive.
func (c *clients) unused(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	c.mu.Lock()
	b := c.bare[p]
	take := b != nil && b.client != nil && !b.taken
	if take {
		b.taken = true
	}
	c.mu.Unlock()
	if take {
		return b.client, nil
	}
	return c.open(ctx, p)
}

// Unconfigured gives an instance that validates and calls functions.
func (c *clients) Unconfigured(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	c.mu.Lock()
	b := c.bare[p]
	if b == nil {
		b = &bare{}
		c.bare[p] = b
	}
	c.mu.Unlock()
	var told diag.List // warnings are for whoever asked first
	b.open.Do(func() {
		client, diags := c.open(ctx, p)
		told = diags
		c.mu.Lock()
		defer c.mu.Unlock()
		b.client, b.diags = client, diags
	})
	if b.diags.HasErrors() {
		return nil, b.diags
	}
	return b.client, told
}

func (c *clients) open(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	client, diags := c.providers.Open(ctx, p)
	if client != nil {
		c.mu.Lock()
		c.all = append(c.all, client)
		c.mu.Unlock()
	}
	return client, diags
}

// stop tells all providers at once, since one that hangs does not answer.
func (c *clients) stop() {
	close(c.stopped)
	for _, p := range c.list() {
		go func() {
			_ = p.Stop(context.Background()) // a provider that cannot stop ends on its own
		}()
	}
}

// untilStopped is a context that ends with the stop of the run, too.
func (c *clients) untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (c *clients) close() error {
	var errs []error
	for _, p := range c.list() {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

func (c *clients) list() []provider.Provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]provider.Provider(nil), c.all...)
}
