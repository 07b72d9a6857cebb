package builtin

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// function is a function of one argument.
type function struct {
	parameter      schema.Parameter
	returns        cty.Type
	summary, about string
	call           func(cty.Value) (cty.Value, error)
}

// functions are the provider's functions.
var functions = map[string]function{
	"encode_expr": {
		schema.Parameter{Name: "value", Type: cty.DynamicPseudoType, AllowUnknown: true}, cty.String,
		"Write a value as an expression",
		"Gives an expression of the configuration language whose value is the argument, as text.",
		encodeExpr,
	},
	"encode_tfvars": {
		schema.Parameter{Name: "value", Type: cty.DynamicPseudoType, AllowUnknown: true}, cty.String,
		"Write an object as a variable file",
		"Gives the content of a `.tfvars` file that sets each variable named by an attribute of the argument.",
		encodeVars,
	},
	"decode_tfvars": {
		schema.Parameter{Name: "src", Type: cty.String}, cty.DynamicPseudoType,
		"Read a variable file",
		"Gives an object with the variables that the content of a `.tfvars` file sets.",
		decodeVars,
	},
}

func (f function) signature() *schema.Function {
	return &schema.Function{Parameters: []schema.Parameter{f.parameter}, Return: f.returns, Summary: f.summary, Description: f.about}
}

// CallFunction implements provider.FunctionCaller.
func (p *Provider) CallFunction(_ context.Context, name string, args []value.Bare) provider.FunctionResult {
	f, ok := functions[name]
	if !ok {
		return provider.FunctionResult{Argument: -1, Failed: absent("function", name)}
	}
	if len(args) != 1 {
		return provider.FunctionResult{Argument: -1, Error: fmt.Sprintf("one argument is needed, and %d were given", len(args))}
	}
	if args[0].Cty().IsNull() {
		return provider.FunctionResult{Argument: 0, Error: "argument must not be null"}
	}
	v, err := f.call(args[0].Cty())
	if err != nil {
		return provider.FunctionResult{Argument: -1, Error: err.Error()}
	}
	return provider.FunctionResult{Argument: -1, Result: bare(v)}
}

// encodeExpr writes any value. Of a value not yet known the first character may
// be.
func encodeExpr(v cty.Value) (cty.Value, error) {
	if err := writable(v); err != nil {
		return cty.NilVal, err
	}
	if !v.IsWhollyKnown() {
		return cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(opening(v.Type())).NewValue(), nil
	}
	return text(hclwrite.TokensForValue(v).Bytes()), nil
}

// escapeThenMarks is an escape sequence with combining marks behind it.
var escapeThenMarks = regexp.MustCompile(`(\\(?:[nrt]|u[0-9a-f]{4}|U[0-9a-f]{8}))(\p{M}+)`)

// text is written source as a value. Values are normalised, which would join
// the last letter of an escape sequence with a combining mark behind it, so
// such marks are escaped too.
func text(src []byte) cty.Value {
	src = escapeThenMarks.ReplaceAllFunc(hclwrite.Format(src), func(found []byte) []byte {
		parts := escapeThenMarks.FindSubmatch(found)
		out := slices.Clone(parts[1])
		for _, mark := range string(parts[2]) {
			out = fmt.Appendf(out, `\U%08x`, mark)
		}
		return out
	})
	return cty.StringVal(string(src))
}

// opening is how an expression for a value that is not null begins.
func opening(t cty.Type) string {
	switch {
	case t == cty.String:
		return `"`
	case t.IsObjectType() || t.IsMapType():
		return "{"
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "["
	}
	return ""
}

// writable refuses values that no expression has.
func writable(v cty.Value) error {
	return cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if v.Type().IsCapsuleType() {
			return false, fmt.Errorf("there is no expression for a value of type %s", v.Type().FriendlyName())
		}
		return true, nil
	})
}

// encodeVars writes one line for each attribute.
func encodeVars(v cty.Value) (cty.Value, error) {
	t := v.Type()
	switch {
	case t == cty.DynamicPseudoType && !v.IsKnown():
		return cty.UnknownVal(cty.String).RefineNotNull(), nil
	case !t.IsObjectType() && !t.IsMapType():
		return cty.NilVal, fmt.Errorf("an object is needed, whose attributes are named like the variables to set")
	}
	if err := writable(v); err != nil {
		return cty.NilVal, err
	}
	if !v.IsKnown() {
		return cty.UnknownVal(cty.String).RefineNotNull(), nil
	}
	vars := v.AsValueMap()
	names := make([]string, 0, len(vars))
	for name := range vars {
		names = append(names, name)
	}
	sort.Strings(names)
	file := hclwrite.NewEmptyFile()
	for _, name := range names {
		if !variableName(name) {
			return cty.NilVal, fmt.Errorf("%q cannot be the name of a variable, which consists of letters, digits, underscores and hyphens and begins with a letter", name)
		}
		if v.IsWhollyKnown() {
			file.Body().SetAttributeValue(name, vars[name])
		}
	}
	if !v.IsWhollyKnown() {
		return cty.UnknownVal(cty.String).RefineNotNull(), nil
	}
	return text(file.Bytes()), nil
}

// variableName says whether a variable file can set a variable of that name.
func variableName(name string) bool {
	vars, _ := config.ParseVarFile("name.tfvars", []byte(name+" = 0\n"))
	_, ok := vars[name]
	return ok && len(vars) == 1
}

// decodeVars reads the content of a variable file.
func decodeVars(v cty.Value) (cty.Value, error) {
	if !v.IsKnown() {
		return cty.DynamicVal, nil
	}
	vars, diags := config.ParseVarFile("src.tfvars", []byte(v.AsString()))
	if len(diags) > 0 {
		d, at := diags[0], ""
		if d.Subject != nil {
			at = fmt.Sprintf("in line %d, column %d: ", d.Subject.Start.Line, d.Subject.Start.Column)
		}
		return cty.NilVal, fmt.Errorf("%s%s; %s", at, d.Summary, strings.TrimSuffix(d.Detail, "."))
	}
	attrs := make(map[string]cty.Value, len(vars))
	for name, of := range vars {
		attrs[name] = of.Value
	}
	return cty.ObjectVal(attrs), nil
}
