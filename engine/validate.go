package engine

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/validate"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Validate checks the configuration on its own: references, types, schemas and
// what providers have to say of it. It needs neither state nor variables and
// touches nothing remote.
func (e *Engine) Validate(ctx context.Context) diag.List {
	e.running.Lock()
	defer e.running.Unlock()
	prog, diags := e.compile(ctx, e.options.Config, nil, uncalled)
	if prog == nil {
		return diags
	}
	if circles := cycles(prog); circles.HasErrors() {
		return diags.With(circles)
	}
	run := evaluate.NewRun(prog, e.setup(ctx, prog, evaluate.Validating, time.Time{}))
	return diags.With(validate.Run(ctx, run, validate.Options{Clients: e.clients, Evaluations: e.evaluations(), Calls: e.options.Parallelism})).Once()
}

// Check says what is wrong with the configuration, and with questions about it, as
// far as that is seen without values. No provider is asked anything but its schemas.
func (e *Engine) Check(ctx context.Context, q *Questions) diag.List {
	e.running.Lock()
	defer e.running.Unlock()
	_, diags := e.compile(ctx, e.options.Config, nil, q.ask, uncalled)
	return diags
}

// uncalled judges the root module by itself: one that others call is valid without
// the provider configurations that they pass.
func uncalled(o *evaluate.Options) { o.Alone = true }

// judged holds a function's result against its signature.
func judged(p addr.Provider, name string, sig *schema.Function, args []cty.Value, result value.Bare) (cty.Value, error) {
	known := true
	for _, a := range args {
		known = known && a.IsWhollyKnown()
	}
	answer := result.Cty()
	found := contract.Check(contract.Function, contract.Facts{Answer: answer, Return: sig.Return, Argued: known})
	if found.Refused() {
		return cty.DynamicVal, failure(found.Diags(contract.Subject{Addr: "function " + name, Provider: p}))
	}
	return answer, nil
}
