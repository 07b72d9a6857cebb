package funcs

import (
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

var marking = map[string]function.Function{
	"ephemeralasnull": same("value", func(v cty.Value) cty.Value { return value.NullWhere(v, value.Ephemeral) }),
	"issensitive":     isSensitive,
	"nonsensitive":    same("value", func(v cty.Value) cty.Value { return value.Unmark(v, value.Sensitive) }),
	"sensitive":       same("value", func(v cty.Value) cty.Value { return value.Mark(v, value.Sensitive) }),
}

// same makes a function that changes only the marks, or makes parts null.
func same(name string, change func(cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{anyParam(name)},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return change(args[0]), nil },
	})
}

var isSensitive = function.New(&function.Spec{
	Params:       []function.Parameter{anyParam("value")},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch {
		case value.Has(args[0], value.Sensitive):
			return cty.True, nil
		case !args[0].IsKnown():
			// An unknown value may turn out to be sensitive.
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.False, nil
	},
})
