package inputs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/zclconf/go-cty/cty"
)

// Given is what the sources say, by variable name. The last word is kept.
type Given struct{ values map[string]engine.Input }

func newGiven() *Given { return &Given{values: map[string]engine.Input{}} }

func (g *Given) put(name string, in engine.Input) { g.values[name] = in }

// Early are the values for what has to be known while the configuration is
// loaded, such as module sources.
func (g *Given) Early() map[string]cty.Value {
	out := make(map[string]cty.Value, len(g.values))
	for name, in := range g.values {
		if in.Value != cty.NilVal {
			out[name] = in.Value
			continue
		}
		out[name] = cty.StringVal(in.Text)
	}
	return out
}

// All are the values as given, for variables that exist or not.
func (g *Given) All() map[string]engine.Input { return g.values }

// For is what the engine is told of the variables that exist. People are asked
// for those that have neither value nor default.
func (g *Given) For(ctx context.Context, s *session.Session, vars map[string]*config.Variable) (map[string]engine.Input, diag.List) {
	diags := g.undeclared(vars)
	out := make(map[string]engine.Input, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if in, given := g.values[name]; given {
			out[name] = in
			continue
		}
		if vars[name].Default != cty.NilVal || !s.InputAllowed() || diags.HasErrors() {
			continue
		}
		if in, answered := ask(ctx, s, vars[name]); answered {
			out[name] = in
		}
	}
	return out, diags
}

func ask(ctx context.Context, s *session.Session, v *config.Variable) (engine.Input, bool) {
	text, err := s.Ask(ctx, session.Question{Query: "var." + v.Name, Description: v.Description, Secret: v.Sensitive})
	if err != nil {
		return engine.Input{}, false
	}
	return engine.Input{Text: text, Source: engine.FromPrompt}, true
}

// shownUndeclared is how many warnings about value files are shown in full.
const shownUndeclared = 2

func (g *Given) undeclared(vars map[string]*config.Variable) diag.List {
	var diags diag.List
	inFiles := 0
	for _, name := range slices.Sorted(maps.Keys(g.values)) {
		if vars[name] != nil {
			continue
		}
		switch in := g.values[name]; in.Source {
		case engine.FromFlag, engine.FromCaller:
			diags = diags.Append(diag.Err("Value for undeclared variable",
				"A value was given on the command line for a variable named \""+name+"\", and the root module has no such variable. Declare it with a variable block, or leave the option out.").By(diag.Operator))
		case engine.FromAutoFile, engine.FromNamedFile:
			if inFiles++; inFiles <= shownUndeclared {
				diags = diags.Append(diag.Warn("Value for undeclared variable",
					"The file \""+in.Range.Filename+"\" has a value for a variable named \""+name+"\", and the root module has no such variable. Declare it with a variable block, or remove the line.\n\nSettings shared by many configurations can be TF_VAR_... environment variables, which are ignored where nothing declares them."))
			}
		}
	}
	if more := inFiles - shownUndeclared; more > 0 {
		diags = diags.Append(diag.Warn("Values for undeclared variables",
			fmt.Sprintf("Value files set %d more variables that the root module does not declare.", more)))
	}
	return diags
}
