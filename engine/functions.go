package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/graph"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// providerFunction makes functions that call a provider's. They run on an
// instance that is not configured.
func (e *Engine) providerFunction(ctx context.Context) func(addr.ProviderConfig, string) (function.Function, diag.List) {
	return func(at addr.ProviderConfig, name string) (function.Function, diag.List) {
		schemas, diags := e.Schemas(ctx, at.Provider)
		if diags.HasErrors() {
			return function.Function{}, diags
		}
		sig := schemas.Functions()[name]
		if sig == nil {
			return function.Function{}, diag.Errs("Unknown provider function", fmt.Sprintf("The provider %s has no function %q.", at.Provider.Display(), name))
		}
		return e.callable(ctx, at.Provider, name, sig), nil
	}
}

func (e *Engine) callable(ctx context.Context, p addr.Provider, name string, sig *schema.Function) function.Function {
	spec := &function.Spec{Description: sig.Summary, Type: function.StaticReturnType(sig.Return)}
	for _, par := range sig.Parameters {
		spec.Params = append(spec.Params, parameter(par))
	}
	if sig.Variadic != nil {
		par := parameter(*sig.Variadic)
		spec.VarParam = &par
	}
	spec.Impl = func(args []cty.Value, ret cty.Type) (cty.Value, error) {
		for i, a := range args {
			if !a.IsWhollyKnown() && !allowsUnknown(sig, i) {
				return cty.UnknownVal(ret), nil
			}
		}
		client, diags := e.clients.Unconfigured(ctx, p)
		if diags.HasErrors() {
			return cty.DynamicVal, failure(diags)
		}
		bare := make([]value.Bare, len(args))
		for i, a := range args {
			bare[i] = value.Strip(a)
		}
		res := client.CallFunction(ctx, name, bare)
		switch {
		case res.Failed.HasErrors():
			return cty.DynamicVal, failure(res.Failed)
		case res.Error != "" && res.Argument >= 0 && res.Argument < len(args):
			return cty.DynamicVal, function.NewArgErrorf(res.Argument, "%s", res.Error)
		case res.Error != "":
			return cty.DynamicVal, fmt.Errorf("%s", res.Error)
		}
		return judged(p, name, sig, args, res.Result)
	}
	return function.New(spec)
}

func parameter(p schema.Parameter) function.Parameter {
	return function.Parameter{Name: p.Name, Type: p.Type, AllowNull: p.AllowNull, AllowUnknown: true, Description: p.Description,
		AllowDynamicType: p.Type == cty.DynamicPseudoType}
}

func allowsUnknown(sig *schema.Function, i int) bool {
	if i < len(sig.Parameters) {
		return sig.Parameters[i].AllowUnknown
	}
	return sig.Variadic != nil && sig.Variadic.AllowUnknown
}

func failure(l diag.List) error {
	d := l.Errors()[0]
	return fmt.Errorf("%s: %s", strings.TrimSuffix(d.Summary, "."), d.Detail)
}

// circles are the declarations whose references lead in a circle, in the order in
// which each needs the next one.
func circles(prog *evaluate.Program) [][]string {
	var edges []graph.Edge
	for _, s := range prog.Sites() {
		for _, id := range s.Reads {
			edges = append(edges, graph.Edge{From: graph.ID(s.ID), To: graph.ID(id)})
		}
	}
	var out [][]string
	for _, c := range graph.Build(len(prog.Sites()), edges).Cycles() {
		names := make([]string, len(c))
		for i, id := range c {
			names[i] = prog.Sites()[id].Title()
		}
		out = append(out, names)
	}
	return out
}

// cycles reports references that lead in a circle.
func cycles(prog *evaluate.Program) diag.List { return cyclic(circles(prog)) }

func cyclic(circles [][]string) diag.List {
	var diags diag.List
	for _, names := range circles {
		diags = append(diags, diag.Err("Cycle:\n  "+strings.Join(names, "\n  "),
			"Each of these needs the next one first, and the last needs the first one, so none can be evaluated:\n    "+strings.Join(append(names, names[0]), "\n    needs ")+"\nTake one of the references away."))
	}
	return diags
}
