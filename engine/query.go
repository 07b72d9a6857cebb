package engine

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/query"
)

// Listing is the search of one list block's instance, with what it found.
type Listing = query.List

// Listed is a remote object that a search found.
type Listed = query.Object

// QueryWatcher hears what a search finds as soon as it does, one thing at a
// time.
type QueryWatcher = query.Watcher

// QueryOptions configure a search.
type QueryOptions struct {
	Variables map[string]Input
	// Generate writes a resource and an import block for each object.
	Generate bool
	Watcher  QueryWatcher
}

// Query searches remote objects by the list blocks of the configuration, which
// has to be loaded with its query files. It looks at no state and changes
// nothing.
func (e *Engine) Query(ctx context.Context, o QueryOptions) ([]*Listing, diag.List) {
	e.running.Lock()
	defer e.running.Unlock()
	prog, diags := e.compile(ctx, e.options.Config, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	inputs, more := e.inputs(ctx, prog, o.Variables)
	if diags = diags.With(cycles(prog)).With(more); diags.HasErrors() {
		return nil, diags
	}
	setup := e.setup(ctx, prog, evaluate.Planning, e.options.Now().UTC())
	setup.Inputs, setup.Unfit = inputs.values, inputs.unfit
	lists, more := query.Run(ctx, evaluate.NewRun(prog, setup), query.Options{
		Clients: e.clients, Watcher: o.Watcher, Generate: o.Generate, Emit: e.emitter.emit, Halted: e.halted.Load,
		Parallelism: e.options.Parallelism, Evaluations: e.evaluations(), Clock: e.clock(),
	})
	return lists, diags.With(more)
}
