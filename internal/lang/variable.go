package lang

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

var errNotNull = errors.New("required variable may not be set to null")

// ConvertVariable makes the value given for an input variable, cty.NilVal when
// none is given, into the variable's own: the default steps in, defaults of
// optional attributes are filled in, and the type is converted. Diagnostics
// have no subject; the caller knows where the value came from.
func ConvertVariable(v value.V, decl *config.Variable) (value.V, diag.List) {
	out, err := VariableValue(v, decl)
	if err == nil {
		return out, nil
	}
	d := diag.Err("Invalid value for input variable",
		fmt.Sprintf("The given value is not suitable for var.%s declared at %s: %s.", decl.Name, decl.Range, err))
	switch {
	case v == cty.NilVal:
		d = diag.Err("No value for required variable", fmt.Sprintf("The input variable %q is not set, and has no default value.", decl.Name))
	case errors.Is(err, errNotNull):
		d = diag.Err("Required variable not set",
			fmt.Sprintf("The given value is not suitable for var.%s defined at %s: %s.", decl.Name, decl.Range, err))
	}
	return cty.UnknownVal(plain(variableType(decl))), diag.List{d}
}

// VariableValue is [ConvertVariable] with an error that only says why.
func VariableValue(v value.V, decl *config.Variable) (value.V, error) {
	t := variableType(decl)
	if v == cty.NilVal {
		if decl.Default == cty.NilVal {
			return cty.NilVal, errors.New("no value is given")
		}
		v = decl.Default
	}
	bare, _ := value.Peel(v)
	if bare.IsNull() && !decl.Nullable {
		if decl.Default == cty.NilVal || decl.Default.IsNull() {
			return cty.NilVal, errNotNull
		}
		v = decl.Default
	}
	return convertWith(v, t, decl.Defaults)
}

// ConvertOutput converts the value of an output to its declared type.
func ConvertOutput(v value.V, decl *config.Output) (value.V, error) {
	if decl.Type == cty.NilType {
		return v, nil
	}
	return convertWith(v, decl.Type, decl.Defaults)
}

func convertWith(v cty.Value, t cty.Type, defaults *config.TypeDefaults) (cty.Value, error) {
	if defaults != nil {
		if bare, _ := value.Peel(v); !bare.IsNull() {
			v = defaults.Apply(v)
		}
	}
	out, err := convert.Convert(v, t)
	if err != nil {
		return cty.NilVal, errors.New(value.ErrorText(err))
	}
	return out, nil
}

func variableType(decl *config.Variable) cty.Type {
	if decl.Type == cty.NilType {
		return cty.DynamicPseudoType
	}
	return decl.Type
}

// ParseLiteral parses an expression given outside of configuration, such as
// the value of a -var argument for a variable of a complex type, or a line of
// the console.
func ParseLiteral(text, filename string) (hcl.Expression, diag.List) {
	if hd := config.TooDeep([]byte(text), filename); hd.HasErrors() {
		return nil, Diags(hd)
	}
	e, hd := hclsyntax.ParseExpression([]byte(text), filename, hcl.InitialPos)
	return e, Diags(hd)
}

// AsText reads a bare value as text, "" while it is unknown; problem says why it
// is none.
func AsText(bare cty.Value) (text, problem string) {
	s, err := convert.Convert(bare, cty.String)
	switch {
	case err != nil:
		return "", value.ErrorText(err)
	case s.IsNull():
		return "", "the value is null"
	case !s.IsKnown():
		return "", ""
	}
	return s.AsString(), ""
}

// AsBool reads a bare, known value as true or false; problem says why it is
// neither. An unknown value of a suitable type has no problem.
func AsBool(bare cty.Value) (result bool, problem string) {
	b, err := convert.Convert(bare, cty.Bool)
	switch {
	case err != nil:
		return false, value.ErrorText(err)
	case b.IsNull():
		return false, "the value is null"
	case !b.IsKnown():
		return false, ""
	}
	return b.True(), ""
}
