package engine

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Doubles stand in for providers and for single objects in tests.
type Doubles interface {
	// Provider gives what stands in for a configuration of a provider, made around
	// an instance that is not configured; nil where nothing does.
	Provider(at addr.ProviderConfig, around provider.Provider) provider.Provider
	// Object gives what answers for one object: what stands in for it, or the
	// provider that serves it.
	Object(at addr.AbsInstance, served provider.Provider) provider.Provider
	// Stands says whether Provider would give something.
	Stands(at addr.ProviderConfig) bool
}

// For makes an engine for another configuration that shares the provider
// instances which this one has started. It is not closed by itself; closing this
// one closes them.
func (e *Engine) For(tree *config.Tree, d Doubles) *Engine {
	o := e.options
	o.Config, o.Doubles = tree, d
	return with(o, e.clients)
}

// configured gives configured providers, or what stands in for them.
func (e *Engine) configured() converse.Clients {
	if e.options.Doubles == nil {
		return e.clients
	}
	return doubled{e.clients, e.options.Doubles}
}

func (e *Engine) instead() func(addr.AbsInstance, provider.Provider) provider.Provider {
	if e.options.Doubles == nil {
		return nil
	}
	return e.options.Doubles.Object
}

// doubled are clients that doubles stand in for.
type doubled struct {
	*clients
	doubles Doubles
}

// Configured implements converse.Clients. There is nothing to configure of what
// stands in for a provider.
func (d doubled) Configured(ctx context.Context, at addr.ProviderConfig, config value.Bare, deferral bool) (provider.Provider, diag.List) {
	if !d.doubles.Stands(at) {
		return d.clients.Configured(ctx, at, config, deferral)
	}
	around, diags := d.Unconfigured(ctx, at.Provider)
	if diags.HasErrors() {
		return nil, diags
	}
	return d.doubles.Provider(at, around), diags
}

// Questions are conditions of the root module that are not part of it, such as
// the assertions of a test.
type Questions struct {
	Asked
	// Answers are filled in, one for each condition, unless the operation did not
	// come to them. So are Outputs, the values of the root module's outputs as far
	// as they were evaluated.
	Answers []Answer
	Outputs map[string]cty.Value
}

// Asked is what is asked, and what it may refer to besides the module.
type Asked = evaluate.Asked

// Answer is what became of a condition.
type Answer = evaluate.Answer

// ask adds the questions to what is compiled.
func (q *Questions) ask(o *evaluate.Options) {
	if q != nil {
		o.Asked = &q.Asked
	}
}

func (q *Questions) answer(run *evaluate.Run) {
	if q != nil {
		q.Answers, q.Outputs = run.Answers(), run.RootOutputs()
	}
}
