package assemble

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/provider/process"
)

// Options say where providers come from.
type Options struct {
	// Embedded are part of the program.
	Embedded map[addr.Provider]embedded.Open
	// Attached run already.
	Attached []process.Reattach
	// Programs are the installed programs, Overrides those of a developer.
	Programs, Overrides map[addr.Provider]string
	Environ             []string
	Logger              *slog.Logger
	// CacheDir keeps schemas between runs; "" keeps none.
	CacheDir string
	// SchemasOnly lets the cache answer without starting programs, for
	// commands that need schemas and nothing else.
	SchemasOnly bool
}

// Registry opens providers by their address. It is safe for concurrent use.
type Registry struct {
	opts     Options
	cache    *process.Cache
	attached map[addr.Provider]process.Reattach

	mu   sync.Mutex
	idle map[addr.Provider]provider.Provider
}

// New makes a registry.
func New(o Options) *Registry {
	r := &Registry{opts: o, cache: process.NewCache(o.CacheDir), attached: map[addr.Provider]process.Reattach{}, idle: map[addr.Provider]provider.Provider{}}
	for _, a := range o.Attached {
		r.attached[a.Provider] = a
	}
	return r
}

// Open gives a new instance.
func (r *Registry) Open(_ context.Context, p addr.Provider) (provider.Provider, diag.List) {
	if waiting := r.take(p); waiting != nil {
		return waiting, nil
	}
	return r.open(p)
}

// Schemas gives a provider's schemas. An instance that had to be started for
// it waits for the next Open.
func (r *Registry) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	instance := r.take(p)
	if instance == nil {
		opened, diags := r.open(p)
		if diags.HasErrors() {
			return nil, diags
		}
		instance = opened
	}
	schemas, diags := instance.Schemas(ctx)
	r.keep(p, instance)
	return schemas, diags
}

// Close ends what is waiting for an Open that never came.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, instance := range r.idle {
		instance.Close()
	}
	clear(r.idle)
}

// Has says whether a provider needs no installation: it is embedded, attached
// or overridden.
func (r *Registry) Has(p addr.Provider) bool {
	_, attached := r.attached[p]
	return attached || r.opts.Embedded[p] != nil || r.opts.Overrides[p] != ""
}

func (r *Registry) take(p addr.Provider) provider.Provider {
	r.mu.Lock()
	defer r.mu.Unlock()
	instance := r.idle[p]
	delete(r.idle, p)
	return instance
}

func (r *Registry) keep(p addr.Provider, instance provider.Provider) {
	r.mu.Lock()
	other := r.idle[p]
	if other == nil {
		r.idle[p] = instance
	}
	r.mu.Unlock()
	if other != nil {
		instance.Close()
	}
}

func (r *Registry) open(p addr.Provider) (provider.Provider, diag.List) {
	if a, ok := r.attached[p]; ok {
		return process.Attach(a, r.opts.Logger), nil
	}
	if open := r.opts.Embedded[p]; open != nil {
		return open(), nil
	}
	path := r.opts.Overrides[p]
	if path == "" {
		path = r.opts.Programs[p]
	}
	if path == "" {
		return nil, missing(p)
	}
	return process.New(process.Launch{
		Provider: p, Path: path, Environ: r.opts.Environ, Logger: r.opts.Logger,
		Cache: r.cache, TrustCache: r.opts.SchemasOnly,
	}), nil
}

func missing(p addr.Provider) diag.List {
	return diag.List{diag.Err("Required plugins are not installed",
		fmt.Sprintf("The provider %s is needed and not installed in this directory. Run \"plumb init\".", p.Display())).By(diag.Operator)}
}
