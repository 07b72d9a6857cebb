package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

// clients keeps one configured provider a configuration for the whole command.
type clients struct {
	providers Providers

	mu         sync.Mutex
	configured map[addr.ProviderConfig]configured
	// bare are instances that were never configured: they validate and call
	// functions.
	bare map[addr.Provider]provider.Provider
	all  []provider.Provider
}

type configured struct {
	config value.Bare
	client provider.Provider
}

func newClients(p Providers) *clients {
	return &clients{providers: p, configured: map[addr.ProviderConfig]configured{}, bare: map[addr.Provider]provider.Provider{}}
}

// Configured gives the provider instance for a configuration. With other
// values than before it is a new instance; the old one stays until the end,
// because somebody may still be using it.
func (c *clients) Configured(ctx context.Context, at addr.ProviderConfig, config value.Bare) (provider.Provider, diag.List) {
	c.mu.Lock()
	known, ok := c.configured[at]
	c.mu.Unlock()
	if ok && known.config.Cty().RawEquals(config.Cty()) {
		return known.client, nil
	}
	client, diags := c.open(ctx, at.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	prepared, more := client.ValidateProvider(ctx, config)
	diags = diags.With(more)
	if more.HasErrors() {
		return nil, diags
	}
	if prepared.IsZero() {
		prepared = config
	}
	more = client.Configure(ctx, provider.ConfigureRequest{Config: prepared, LanguageVersion: LanguageVersion})
	diags = diags.With(more)
	if more.HasErrors() {
		return nil, diags
	}
	c.mu.Lock()
	c.configured[at] = configured{config, client}
	c.mu.Unlock()
	return client, diags
}

// Unconfigured gives an instance that only validates and calls functions.
func (c *clients) Unconfigured(ctx context.Context, p addr.Provider) (provider.Provider, diag.List) {
	c.mu.Lock()
	client := c.bare[p]
	c.mu.Unlock()
	if client != nil {
		return client, nil
	}
	client, diags := c.open(ctx, p)
	if diags.HasErrors() {
		return nil, diags
	}
	c.mu.Lock()
	c.bare[p] = client
	c.mu.Unlock()
	return client, diags
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

func (c *clients) stop() {
	for _, p := range c.list() {
		_ = p.Stop(context.Background()) // a provider that cannot stop ends on its own
	}
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
