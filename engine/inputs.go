package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// given are the values of root variables.
type given struct {
	values map[string]value.V
	// book is what the plan remembers of them.
	book map[string]plan.Variable
	// unfit are the errors of values that the declarations do not take. They
	// stop only what needs these variables.
	unfit map[string]diag.List
	// at are the places of values that a caller wrote down.
	at map[string]diag.Range
}

// inputPlaces are where the values stand that a caller wrote down, such as those of
// a test.
func inputPlaces(given map[string]Input) map[string]diag.Range {
	out := map[string]diag.Range{}
	for name, in := range given {
		if in.Source == FromCaller && in.Range != nil {
			out[name] = *in.Range
		}
	}
	return out
}

// inputs turns what was given for root variables into values.
func (e *Engine) inputs(ctx context.Context, prog *evaluate.Program, texts map[string]Input) (given, diag.List) {
	declared := prog.Tree.Root.Variables
	g := given{map[string]value.V{}, map[string]plan.Variable{}, map[string]diag.List{}, inputPlaces(texts)}
	diags := undeclaredInputs(declared, texts)
	for _, name := range sortedKeys(declared) {
		cfg := declared[name]
		in, has := texts[name]
		if !has && cfg.Default == cty.NilVal {
			asked, more := e.ask(ctx, cfg)
			diags = diags.With(more)
			if more.HasErrors() {
				continue
			}
			in, has = asked, true
		}
		raw, more := rawValue(cfg, in, has)
		diags = diags.With(more)
		v, unfit := fitted(cfg, in, raw)
		switch {
		case more.HasErrors() && cfg.Default == cty.NilVal:
			diags = append(diags, missing(cfg))
		case unfit.HasErrors():
			g.unfit[name] = unfit
			g.book[name] = remembered(cfg, raw, cty.NilVal)
		case !more.HasErrors():
			diags = diags.With(unfit)
			g.values[name], g.book[name] = v, remembered(cfg, raw, v)
		}
	}
	return g, diags
}

// remembered is what the plan keeps of a variable, which was given as raw; v is
// cty.NilVal when that does not fit.
func remembered(cfg *config.Variable, raw cty.Value, v value.V) plan.Variable {
	given := raw != cty.NilVal
	out := plan.Variable{Ephemeral: cfg.Ephemeral, Default: !given, Shown: cfg.Default}
	if v != cty.NilVal {
		out.Set = given && !v.IsNull()
	}
	if cfg.Ephemeral {
		return out
	}
	if v != cty.NilVal {
		out.Value = value.Strip(v).Cty()
	}
	if given {
		out.Shown = value.Strip(raw).Cty()
	}
	return out
}

// inputValue is what was given, in the declared type. What is no value at all is
// told apart from a value that does not fit.
func inputValue(cfg *config.Variable, in Input, has bool) (v value.V, unfit, diags diag.List) {
	raw, diags := rawValue(cfg, in, has)
	if diags.HasErrors() {
		return cty.DynamicVal, nil, diags
	}
	v, unfit = fitted(cfg, in, raw)
	return v, unfit, diags
}

// fitted converts what was given to the declared type; the default where nothing
// was. What does not fit is pointed at, and so shown, unless it is a secret.
func fitted(cfg *config.Variable, in Input, raw cty.Value) (v value.V, unfit diag.List) {
	v, unfit = lang.ConvertVariable(raw, cfg)
	for i, d := range unfit {
		switch {
		case in.Range == nil:
			if d.Subject == nil {
				unfit[i] = d.At(cfg.Range)
			}
		case cfg.Sensitive && !raw.IsNull():
			d.Detail += fmt.Sprintf(" The variable is sensitive, so the value is not shown; it stands at %s.", *in.Range)
			unfit[i] = d.At(cfg.Range)
		default:
			unfit[i] = d.At(*in.Range)
		}
	}
	return v, unfit
}

// rawValue is the given value before conversion, cty.NilVal for none: text is a
// literal string or an expression, as the declaration says.
func rawValue(cfg *config.Variable, in Input, has bool) (cty.Value, diag.List) {
	if !has {
		return cty.NilVal, nil
	}
	if in.Value != cty.NilVal {
		return in.Value, nil
	}
	if cfg.Literal {
		return cty.StringVal(in.Text), nil
	}
	expr, diags := lang.ParseLiteral(in.Text, "<value for var."+cfg.Name+">")
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := expr.Value(nil) // a constant: it has nothing to refer to
	return v, diags.With(hcldiag.List(more))
}

// missing says that a variable has no value.
func missing(cfg *config.Variable) diag.Diag {
	return diag.Err("No value for required variable",
		fmt.Sprintf("The root module input variable %q is not set, and has no default value. Give it one with -var, in a variables file or in the environment variable TF_VAR_%s.", cfg.Name, cfg.Name)).At(cfg.Range).By(diag.Operator)
}

// ask asks the person for a required variable, once.
func (e *Engine) ask(ctx context.Context, cfg *config.Variable) (Input, diag.List) {
	if e.options.Input == nil {
		return Input{}, diag.List{missing(cfg)}
	}
	if in, known := e.asked[cfg.Name]; known {
		return in, nil
	}
	text, err := e.options.Input(ctx, Question{ID: "var." + cfg.Name, Query: "var." + cfg.Name, Description: cfg.Description, Secret: cfg.Sensitive})
	if err != nil {
		return Input{}, diag.List{missing(cfg)}
	}
	if e.asked == nil {
		e.asked = map[string]Input{}
	}
	e.asked[cfg.Name] = Input{Text: text, Source: FromPrompt}
	return e.asked[cfg.Name], nil
}

// undeclaredInputs reports values for variables that do not exist: a mistake on
// the command line, a warning in a file, nothing in the environment. Nothing says
// whether a value in a file is a secret, so its place is told and not shown.
func undeclaredInputs(declared map[string]*config.Variable, given map[string]Input) diag.List {
	var diags diag.List
	var hidden []Input
	for _, name := range inOrder(given) {
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
				hidden = append(hidden, in)
				continue
			}
			w := diag.Warn("Value for undeclared variable",
				fmt.Sprintf("The root module does not declare a variable named %q, but a value for it stands %s.%s To silence this, declare the variable, give the value as the environment variable TF_VAR_%s, or take it out of the file.", name, inFile(in), hint, name))
			w.Group = "var." + name // not grouped with those about others
			diags = append(diags, w)
		}
	}
	if len(hidden) > 0 {
		diags = append(diags, diag.Warn("Values for undeclared variables",
			fmt.Sprintf("Besides the ones shown, there are values for other variables that the root module does not declare: %d in all. The first of them stands %s.", len(hidden), inFile(hidden[0]))))
	}
	return diags
}

// inOrder are the names in the order in which values for them were written.
func inOrder(given map[string]Input) []string {
	names := sortedKeys(given)
	slices.SortStableFunc(names, func(a, b string) int {
		var x, y diag.Range
		if r := given[a].Range; r != nil {
			x = *r
		}
		if r := given[b].Range; r != nil {
			y = *r
		}
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Start.Byte, y.Start.Byte))
	})
	return names
}

// inFile says where in a variables file a value stands.
func inFile(in Input) string {
	if in.Range == nil {
		return "in a variables file"
	}
	return "at " + in.Range.String()
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
		v, unfit, more := inputValue(cfg, in, has)
		diags = diags.With(more).With(unfit)
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
