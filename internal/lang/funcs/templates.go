package funcs

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

var start = hcl.Pos{Line: 1, Column: 1}

// templateFile makes the function templatefile that is nested depth deep in
// other templates. All are the functions that templates may call.
func (o Options) templateFile(all map[string]function.Function, depth int) function.Function {
	render := func(args []cty.Value) (cty.Value, error) {
		name, skin := value.Peel(args[0])
		raw, err := o.load(args[0], 0)
		if err != nil {
			return cty.DynamicVal, err
		}
		if _, err := fileText(raw, shown(args[0])); err != nil {
			return cty.DynamicVal, err
		}
		expr, hd := hclsyntax.ParseTemplate(raw, name.AsString(), start)
		if hd.HasErrors() {
			return cty.DynamicVal, hd
		}
		v, err := renderTemplate(expr, args[1], o.inside(all, depth), 1)
		return skin.On(v), err
	}
	return o.observed("templatefile", &function.Spec{
		Params: []function.Parameter{
			{Name: "path", Type: cty.String, AllowMarked: true},
			{Name: "vars", Type: cty.DynamicPseudoType},
		},
		// Not the type of the result: finding it would render once more at each
		// depth, and the time double with it.
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return render(args) },
	})
}

// inside is the scope inside a template: all functions, but the template
// functions know how deep they are.
func (o Options) inside(all map[string]function.Function, depth int) *hcl.EvalContext {
	over := make(map[string]function.Function, 4)
	set := func(name string, f function.Function) { over[name], over["core::"+name] = f, f }
	if depth >= o.TemplateDepth {
		set("templatefile", tooDeep("templatefile", o.TemplateDepth))
	} else {
		set("templatefile", o.templateFile(all, depth+1))
	}
	if o.TemplateDepth == 0 {
		set("templatestring", tooDeep("templatestring", 0))
	}
	ctx := (&hcl.EvalContext{Functions: all}).NewChild()
	ctx.Functions = over
	return ctx
}

func tooDeep(name string, limit int) function.Function {
	err := fmt.Errorf("cannot recursively call %s from inside another template function", name)
	if limit > 0 {
		err = fmt.Errorf("maximum recursion depth %d reached", limit)
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{anyParam("template"), anyParam("vars")},
		Type:   func([]cty.Value) (cty.Type, error) { return cty.NilType, err },
		Impl:   func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, err },
	})
}

// renderTemplate evaluates a template with the variables in vars, the argument
// numbered arg, in a child of scope.
func renderTemplate(expr hcl.Expression, vars cty.Value, scope *hcl.EvalContext, arg int) (cty.Value, error) {
	vars, skin := value.Peel(vars)
	if t := vars.Type(); !t.IsMapType() && !t.IsObjectType() {
		return cty.DynamicVal, function.NewArgErrorf(arg, "invalid vars value: must be a map")
	}
	ctx := scope.NewChild()
	ctx.Variables = vars.AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(ctx.Variables)) {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.DynamicVal, function.NewArgErrorf(arg, "invalid template variable name %q: must start with a letter, followed by zero or more letters, digits, and underscores", name)
		}
	}
	for _, t := range expr.Variables() {
		if _, ok := ctx.Variables[t.RootName()]; !ok {
			return cty.DynamicVal, function.NewArgErrorf(arg, "vars map does not contain key %q, referenced at %s", t.RootName(), t[0].SourceRange())
		}
	}
	v, hd := expr.Value(ctx)
	if hd.HasErrors() {
		return cty.DynamicVal, hd
	}
	return skin.On(v), nil
}

// templateString makes the function templatestring.
func (o Options) templateString(all map[string]function.Function) function.Function {
	if o.AnyTemplate {
		return o.anyTemplateString(all)
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "template", Type: customdecode.ExpressionClosureType},
			{Name: "vars", Type: cty.DynamicPseudoType},
		},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := referredTemplate(customdecode.ExpressionClosureFromVal(args[0]))
			if err != nil {
				return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "%s", err)
			}
			out, err := renderString(v, args[1], o.inside(all, 0))
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			text, err := convert.Convert(out, cty.String)
			switch {
			case err != nil:
				err = fmt.Errorf("invalid template result: %w", err)
			case text.IsNull():
				err = errors.New("invalid template result: must not be null")
			default:
				return text, nil
			}
			return cty.UnknownVal(cty.String), err
		},
	})
}

// anyTemplateString makes the templatestring that takes any template and, like
// templatefile, gives what a template of a single interpolation holds.
func (o Options) anyTemplateString(all map[string]function.Function) function.Function {
	render := func(args []cty.Value) (cty.Value, error) { return renderString(args[0], args[1], o.inside(all, 0)) }
	return function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "data", Type: cty.String, AllowMarked: true},
			{Name: "vars", Type: cty.DynamicPseudoType},
		},
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return render(args) },
	})
}

// referredTemplate is the template that a reference leads to.
func referredTemplate(closure *customdecode.ExpressionClosure) (cty.Value, error) {
	switch closure.Expression.(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr, *hclsyntax.IndexExpr:
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return cty.NilVal, errors.New("invalid template expression: templatestring renders templates that come from elsewhere; for a template known here write a template string directly")
	default:
		return cty.NilVal, errors.New("invalid template expression: must be a direct reference to a single string from elsewhere")
	}
	v, hd := closure.Value()
	if hd.HasErrors() {
		return cty.NilVal, fmt.Errorf("invalid template expression: %w", hd)
	}
	bare, _ := value.Peel(v)
	if bare.IsNull() {
		return cty.NilVal, errors.New("invalid template value: must not be null")
	}
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return cty.NilVal, fmt.Errorf("invalid template value: %w", err)
	}
	return v, nil
}

// renderString evaluates a template that is a string.
func renderString(template, vars cty.Value, scope *hcl.EvalContext) (cty.Value, error) {
	template, skin := value.Peel(template)
	if !template.IsKnown() {
		return skin.On(cty.UnknownVal(cty.String)), nil
	}
	expr, hd := hclsyntax.ParseTemplate([]byte(template.AsString()), "<templatestring argument>", start)
	if hd.HasErrors() {
		return cty.DynamicVal, function.NewArgErrorf(0, "invalid template: %s", hd)
	}
	v, err := renderTemplate(expr, vars, scope, 1)
	return skin.On(v), err
}
