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
	Configured(ctx context.Context, at addr.ProviderConfig, config value.Bare) (provider.Provider, diag.List)
}

// Book keeps the providers that a walk has configured. The zero Book is empty.
type Book struct {
	mu   sync.Mutex
	open map[*evaluate.Site]provider.Provider
}

// Open evaluates and configures the provider of a site, reporting to the run.
// It says whether the provider can be used.
func (b *Book) Open(ctx context.Context, run *evaluate.Run, clients Clients, s *evaluate.Site) bool {
	config, diags := run.ProviderConfig(s)
	if diags.HasErrors() {
		run.Report(diags)
		return false
	}
	client, more := clients.Configured(ctx, s.Provider.Addr, value.Strip(config))
	run.Report(diags.With(evaluate.Locate(more, s.Provider.Body, s.Provider.Range, s.Provider.Addr.String())))
	if more.HasErrors() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[*evaluate.Site]provider.Provider{}
	}
	b.open[s] = client
	return true
}

// Client is the provider of a site, nil when it was not opened.
func (b *Book) Client(s *evaluate.Site) provider.Provider {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open[s]
}
