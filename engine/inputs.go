package engine

import (
	"context"
	"fmt"
	"sort"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// inputs turns what was given for root variables into values, and into what the
// plan remembers of them.
func (e *Engine) inputs(ctx context.Context, prog *evaluate.Program, given map[string]Input) (map[string]value.V, map[string]plan.Variable, diag.List) {
	declared := prog.Tree.Root.Variables
	values, book := map[string]value.V{}, map[string]plan.Variable{}
	diags := undeclaredInputs(declared, given)
	for _, name := range sortedKeys(declared) {
		cfg := declared[name]
		in, has := given[name]
		if !has && cfg.Default == cty.NilVal {
			asked, more := e.ask(ctx, cfg)
			diags = diags.With(more)
			if more.HasErrors() {
				continue
			}
			in, has = asked, true
		}
		v, more := inputValue(cfg, in, has)
		diags = diags.With(more)
		if more.HasErrors() {
			continue
		}
		values[name] = v
		book[name] = remembered(cfg, v, has)
	}
	return values, book, diags
}

// remembered is what the plan keeps of a variable.
func remembered(cfg *config.Variable, v value.V, given bool) plan.Variable {
	out := plan.Variable{Ephemeral: cfg.Ephemeral, Set: given && !v.IsNull(), Default: !given}
	if !cfg.Ephemeral {
		out.Value = value.Strip(v).Cty()
	}
	return out
}

// inputValue converts what was given to the declared type.
func inputValue(cfg *config.Variable, in Input, given bool) (value.V, diag.List) {
	raw := cty.NilVal
	var diags diag.List
	if given {
		raw, diags = rawValue(cfg, in)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
	}
	v, more := lang.ConvertVariable(raw, cfg)
	for i := range more {
		if in.Range != nil {
			more[i] = more[i].At(*in.Range)
		} else if more[i].Subject == nil {
			more[i] = more[i].At(cfg.Range)
		}
	}
	return v, diags.With(more)
}

// rawValue is the given value before conversion: text is a literal string or an
// expression, as the declaration says.
func rawValue(cfg *config.Variable, in Input) (cty.Value, diag.List) {
	if in.Value != cty.NilVal {
		return in.Value, nil
	}
	if cfg.Literal {
		return cty.StringVal(in.Text), nil
	}
	name := map[InputSource]string{FromEnv: "<value for var." + cfg.Name + " from environment>", FromPrompt: "<value for var." + cfg.Name + ">"}[in.Source]
	if name == "" {
		name = "<value for var." + cfg.Name + " from -var>"
	}
	expr, diags := lang.ParseLiteral(in.Text, name)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	x, more := lang.Compile(expr)
	diags = diags.With(more)
	if more.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := x.Eval(lang.NewScope(nil, nil), cty.DynamicPseudoType)
	return v, diags.With(more)
}

// ask asks the person for a required variable.
func (e *Engine) ask(ctx context.Context, cfg *config.Variable) (Input, diag.List) {
	missing := diag.Err("No value for required variable",
		fmt.Sprintf("The root module's input variable %q has no default and was given no value. Give one with -var, in a variables file or in the environment variable TF_VAR_%s.", cfg.Name, cfg.Name)).At(cfg.Range).By(diag.Operator)
	if e.options.Input == nil {
		return Input{}, diag.List{missing}
	}
	text, err := e.options.Input(ctx, Question{ID: "var." + cfg.Name, Query: "var." + cfg.Name, Description: cfg.Description, Secret: cfg.Sensitive})
	if err != nil {
		return Input{}, diag.List{missing}
	}
	return Input{Text: text, Source: FromPrompt}, nil
}

// undeclaredInputs reports values for variables that do not exist: a mistake on
// the command line, a warning in a file, nothing in the environment.
func undeclaredInputs(declared map[string]*config.Variable, given map[string]Input) diag.List {
	var diags diag.List
	hidden := 0
	for _, name := range sortedKeys(given) {
		if declared[name] != nil {
			continue
		}
		hint := lang.DidYouMean(name, sortedKeys(declared))
		switch in := given[name]; in.Source {
		case FromFlag, FromCaller:
			diags = append(diags, located(diag.Err("Value for undeclared variable",
				fmt.Sprintf("A variable named %q was assigned on the command line, but the root module does not declare it.%s To use this value, add a variable %q block to the configuration.", name, hint, name)), in))
		case FromAutoFile, FromNamedFile:
			if len(diags.Warnings()) >= 2 {
				hidden++
				continue
			}
			diags = append(diags, located(diag.Warn("Value for undeclared variable",
				fmt.Sprintf("The root module does not declare a variable named %q, but a value for it stands in a variables file.%s To silence this, declare the variable, give the value as the environment variable TF_VAR_%s, or take it out of the file.", name, hint, name)), in))
		}
	}
	if hidden > 0 {
		diags = append(diags, diag.Warn("Values for undeclared variables",
			fmt.Sprintf("Besides the ones shown, %d more values in variables files are for variables that the root module does not declare.", hidden)))
	}
	return diags
}

func located(d diag.Diag, in Input) diag.Diag {
	if in.Range != nil {
		return d.At(*in.Range)
	}
	return d
}

// applyInputs are the inputs of the apply: those of the plan when this engine
// made it, else what the plan remembers and the ephemeral ones, which have to
// be given again.
func (e *Engine) applyInputs(ctx context.Context, prog *evaluate.Program, doc *plan.Document, given map[string]Input) (map[string]value.V, diag.List) {
	if doc == e.latest.doc {
		return e.latest.inputs, nil
	}
	values := map[string]value.V{}
	var diags diag.List
	for _, name := range sortedKeys(prog.Tree.Root.Variables) {
		cfg := prog.Tree.Root.Variables[name]
		was, planned := doc.Variables[name]
		if planned && !was.Ephemeral && was.Value != cty.NilVal {
			values[name] = was.Value
			continue
		}
		in, has := given[name]
		switch {
		case planned && was.Ephemeral && was.Set && !has:
			diags = append(diags, diag.Err("No value for required variable",
				fmt.Sprintf("The ephemeral input variable %q was set when the plan was made. Plans do not keep ephemeral values, so it has to be given again when the plan is applied.", name)).At(cfg.Range))
			continue
		case planned && was.Ephemeral && !was.Set && has:
			diags = append(diags, diag.Err("Ephemeral variable was not set during planning",
				fmt.Sprintf("The ephemeral input variable %q was not set when the plan was made, so it must not be set when the plan is applied.", name)).At(cfg.Range))
			continue
		}
		v, more := inputValue(cfg, in, has)
		diags = diags.With(more)
		values[name] = v
	}
	return values, diags
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
