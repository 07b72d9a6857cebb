package engine

import (
	"context"
	"crypto/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/ephemeral"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// Engine plans and applies one configuration. Close it when it is done with.
type Engine struct {
	options Options
	clients *clients
	// running is held by the operation under way.
	running sync.Mutex
	halted  atomic.Bool
	emitter emitter
	// latest is the plan made last with its inputs: applied by the same engine, it
	// needs no ephemeral variables again.
	latest struct {
		doc    *plan.Document
		inputs map[string]value.V
	}
	// asked are the values that a person was asked for.
	asked map[string]Input
}

// New makes an engine for a loaded configuration. It starts nothing.
func New(o Options) *Engine { return with(o, nil) }

func with(o Options, share *clients) *Engine {
	if o.Parallelism <= 0 {
		o.Parallelism = 10
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Workspace == "" {
		o.Workspace = "default"
	}
	e := &Engine{options: o}
	e.emitter = emitter{running: stopwatch{}, observer: o.Observer, now: o.Now, halt: e.Stop}
	e.clients = share
	if share == nil {
		e.clients = newClients(o.Providers)
	}
	return e
}

// Close ends all providers.
func (e *Engine) Close() error { return e.clients.close() }

// Stop asks for a graceful end: nothing new is started, and providers are told
// to stop what they are doing. It returns at once.
func (e *Engine) Stop() {
	if e.halted.Swap(true) {
		return
	}
	e.clients.stop()
}

// Schemas gives a provider's schemas. They are fetched once.
func (e *Engine) Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List) {
	return e.clients.Schemas(ctx, p)
}

// compile turns the configuration into a program that also serves what the
// state holds. With errors it has what could be compiled; there is none after a crash.
func (e *Engine) compile(ctx context.Context, tree *config.Tree, s *state.Snapshot, more ...func(*evaluate.Options)) (prog *evaluate.Program, diags diag.List) {
	defer func() {
		if p := recover(); p != nil {
			prog, diags = nil, diag.List{evaluate.Crash("the configuration", p)}
		}
	}()
	o := evaluate.Options{
		Schemas:      func(p addr.Provider) (provider.Schemas, diag.List) { return e.Schemas(ctx, p) },
		Provisioners: e.provisionerSchema, Judge: e.judge,
		Stored:       storedProviders(s),
		Deprecations: e.options.Deprecations,
		// Modules that others call may have them, and tests run these by themselves.
		EphemeralOutputs: e.options.Doubles != nil,
		TellsIgnored:     e.options.Dialect.Yes(settings.IgnoredAttributesTold),
	}
	for _, m := range more {
		m(&o)
	}
	return evaluate.Compile(tree, o)
}

func (e *Engine) provisionerSchema(name string) *schema.Block {
	if p := e.options.Provisioners[name]; p != nil {
		return p.Schema()
	}
	return nil
}

func (e *Engine) judge(name string, written func(string) bool) diag.List {
	if p, ok := e.options.Provisioners[name].(Judge); ok {
		return p.Judge(written)
	}
	return nil
}

// storedProviders are the provider configurations that a state names.
func storedProviders(s *state.Snapshot) []addr.ProviderConfig {
	if s == nil {
		return nil
	}
	seen := map[addr.ProviderConfig]bool{}
	var out []addr.ProviderConfig
	for r := range s.Resources() {
		for i := range r.Instances() {
			if p := i.Provider(); !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// setup is what every run shares.
func (e *Engine) setup(ctx context.Context, p *evaluate.Program, phase evaluate.Phase, stamp time.Time) evaluate.Setup {
	return evaluate.Setup{
		Phase:            phase,
		Functions:        lang.Functions(e.functionOptions(phase, stamp)),
		ProviderFunction: e.providerFunction(ctx),
		RootDir:          p.Tree.Root.Dir,
		WorkDir:          e.options.WorkDir,
		Workspace:        e.options.Workspace,
	}
}

// clock is what ephemeral objects are renewed by.
func (e *Engine) clock() ephemeral.Clock {
	return ephemeral.Clock{Now: e.options.Now, After: time.After}
}

// evaluations is the size of the evaluation pool. One call at a time is asked
// for to have one order of everything, so then there is one evaluation, too.
func (e *Engine) evaluations() int {
	if e.options.Parallelism == 1 {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// functionOptions say what the functions of a phase may do: those that are not
// pure wait for the apply.
func (e *Engine) functionOptions(phase evaluate.Phase, stamp time.Time) lang.FuncOptions {
	o := lang.FuncOptions{BaseDir: ".", Files: e.options.Files, Pure: phase != evaluate.Applying, PlanTimestamp: stamp,
		Clock: e.options.Now, Random: rand.Reader}
	if e.options.Dialect.Yes(settings.TemplateStringAnything) {
		o.AnyTemplate, o.TemplateDepth = true, templateDepth
	}
	return o
}

// templateDepth is how deep templates may call themselves where they may.
const templateDepth = 1024

// emitter gives events their place in the one order.
type emitter struct {
	mu       sync.Mutex
	observer event.Observer
	now      func() time.Time
	halt     func()
	seq      uint64
	running  stopwatch
}

func (m *emitter) emit(ev event.Event) {
	if m.observer == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seq++
	now := m.now()
	if m.observer.Observe(event.Stamp(m.running.time(ev, now), event.Header{Seq: m.seq, Time: now})) == event.Halt {
		m.halt()
	}
}
