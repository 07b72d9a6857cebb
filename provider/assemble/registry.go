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
	"github.com/plumb-iac/plumb/provider/replay"
)

// Options say where providers come from.
type Options struct {
	// Embedded are part of the program.
	Embedded map[addr.Provider]embedded.Open
	// Attached run already.
	Attached []process.Reattach
	// Programs are the installed programs, Overrides those of a developer.
	Programs, Overrides map[addr.Provider]string
	// Environ is the environment of programs, Dir where they start; "" is the
	// directory of the process.
	Environ []string
	Dir     string
	Logger  *slog.Logger
	// CacheDir keeps schemas between runs; "" keeps none.
	CacheDir string
	// SchemasOnly lets the cache answer without starting programs, for
	// commands that need schemas and nothing else.
	SchemasOnly bool
	// Recording is told every conversation; nil for none. Replay is the
	// directory of a recording that answers instead of all providers; "" for
	// none.
	Recording *replay.Recording
	Replay    string
}

// Registry opens providers by their address. It is safe for concurrent use.
type Registry struct {
	opts     Options
	cache    *process.Cache
	attached map[addr.Provider]process.Reattach

	mu      sync.Mutex
	idle    map[addr.Provider]provider.Provider
	players map[addr.Provider]*replay.Player
}

// New makes a registry.
func New(o Options) *Registry {
	r := &Registry{opts: o, cache: process.NewCache(o.CacheDir), attached: map[addr.Provider]process.Reattach{}, idle: map[addr.Provider]provider.Provider{}, players: map[addr.Provider]*replay.Player{}}
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

// Recorded ends the recording and says what went wrong with it.
func (r *Registry) Recorded() diag.List {
	if r.opts.Recording == nil {
		return nil
	}
	if err := r.opts.Recording.Close(); err != nil {
		return diag.List{diag.Err("Incomplete recording", "The conversation with the providers could not be recorded: "+err.Error()+". The run itself was not disturbed.").By(diag.Operator)}
	}
	return nil
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
	if r.opts.Replay != "" {
		return r.play(p)
	}
	instance, diags := r.start(p)
	if instance != nil && r.opts.Recording != nil {
		return r.opts.Recording.Around(p, instance), diags
	}
	return instance, diags
}

// play gives the player of a provider's recorded conversation.
func (r *Registry) play(p addr.Provider) (provider.Provider, diag.List) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if player := r.players[p]; player != nil {
		return player, nil
	}
	player, diags := replay.NewPlayer(r.opts.Replay, p)
	if diags.HasErrors() {
		return nil, diags
	}
	r.players[p] = player
	return player, diags
}

func (r *Registry) start(p addr.Provider) (provider.Provider, diag.List) {
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
		Provider: p, Path: path, Environ: r.opts.Environ, Dir: r.opts.Dir, Logger: r.opts.Logger,
		Cache: r.cache, TrustCache: r.opts.SchemasOnly,
	}), nil
}

func missing(p addr.Provider) diag.List {
	if p.IsBuiltin() {
		return diag.List{diag.Err("Invalid dependency on built-in provider",
			fmt.Sprintf("The provider %s would be part of the program, and there is none of the name %q. Mend its source.", p, p.Type)).By(diag.Author)}
	}
	return diag.List{diag.Err("Required plugins are not installed",
		fmt.Sprintf("The provider %s is needed and not installed in this directory. Run \"plumb init\".", p.Display())).By(diag.Operator)}
}
