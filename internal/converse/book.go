package converse

import (
	"context"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

// Clients gives configured providers: the same one for the same configuration.
type Clients interface {
	// deferral offers the provider to put its answers off.
	Configured(ctx context.Context, at addr.ProviderConfig, config value.Bare, deferral bool) (provider.Provider, diag.List)
}

// Book keeps the providers that a walk has configured. The zero Book is empty.
type Book struct {
	mu   sync.Mutex
	open map[entry]provider.Provider
}

// entry is an instance of a provider configuration.
type entry struct {
	site *evaluate.Site
	key  addr.InstanceKey
}

// Open evaluates and configures an instance of the provider of a site,
// reporting to the run.
func (b *Book) Open(ctx context.Context, run *evaluate.Run, clients Clients, s *evaluate.Site, key addr.InstanceKey, deferral bool) {
	config, diags := run.ProviderConfig(s, key)
	if diags.HasErrors() {
		run.Report(diags)
		return
	}
	at := s.Provider.Addr
	at.Key = key
	client, more := clients.Configured(ctx, at, value.Strip(config), deferral)
	run.Report(diags.With(evaluate.Locate(more, s.Provider.Body, s.Provider.Range, at.String())))
	if more.HasErrors() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[entry]provider.Provider{}
	}
	b.open[entry{s, key}] = client
}

// Client is the provider of a site, or of one of its instances; nil when it was
// not opened.
func (b *Book) Client(s *evaluate.Site, key addr.InstanceKey) provider.Provider {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open[entry{s, key}]
}

// Complete says whether every instance of a site's provider can be used.
func (b *Book) Complete(run *evaluate.Run, s *evaluate.Site) bool {
	for key := range run.ProviderKeys(s).All() {
		if b.Client(s, key) == nil {
			return false
		}
	}
	return true
}
