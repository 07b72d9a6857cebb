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

// keeping is f with marks where the library answers for it: it does not ask a
// function that has to know an argument, or its type, and leaves out the marks of
// the arguments that the function looks at itself.
func keeping(f function.Function) function.Function {
	params, variadic := f.Params(), f.VarParam()
	parameter := func(i int) *function.Parameter {
		if i < len(params) {
			return &params[i]
		}
		return variadic
	}
	spec := function.Spec{Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues}
	closed := false
	for i := range spec.Params {
		closed = open(&spec.Params[i]) || closed
	}
	if spec.VarParam != nil {
		closed = open(spec.VarParam) || closed
	}
	if !closed {
		return f
	}
	spec.Impl = func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, err := f.Call(args)
		if err != nil || v.IsKnown() {
			return v, err
		}
		asked, skin := true, value.Skin{}
		for i, a := range args {
			p := parameter(i)
			bare, own := value.Peel(a)
			asked = asked && (p.AllowUnknown || bare.IsKnown()) && (p.AllowDynamicType || bare.Type() != cty.DynamicPseudoType)
			if !p.AllowUnknown || !p.AllowDynamicType {
				skin = skin.Plus(own)
			}
		}
		if asked {
			return v, nil
		}
		return skin.On(v), nil
	}
	return function.New(&spec)
}

// open lets values into a parameter of which nothing is known, and says whether
// the function looks at its marks and was not to get these.
func open(p *function.Parameter) bool {
	closed := p.AllowMarked && (!p.AllowUnknown || !p.AllowDynamicType)
	p.AllowUnknown, p.AllowDynamicType = true, true
	return closed
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
