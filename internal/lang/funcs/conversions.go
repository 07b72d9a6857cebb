package funcs

import (
	"reflect"
	"strconv"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

var conversions = map[string]function.Function{
	"tobool":   to(cty.Bool),
	"tolist":   to(cty.List(cty.DynamicPseudoType)),
	"tomap":    to(cty.Map(cty.DynamicPseudoType)),
	"tonumber": to(cty.Number),
	"toset":    to(cty.Set(cty.DynamicPseudoType)),
	"tostring": to(cty.String),
}

// to makes the function that converts to a type.
func to(want cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "v", Type: cty.DynamicPseudoType, AllowNull: true, AllowMarked: true, AllowDynamicType: true}},
		Type: func(args []cty.Value) (cty.Type, error) {
			got := args[0].Type()
			if got.Equals(want) || convert.GetConversionUnsafe(got, narrowed(want, got)) != nil {
				return want, nil
			}
			return cty.NilType, function.NewArgErrorf(0, "cannot convert %s to %s", got.FriendlyName(), want.FriendlyNameForConstraint())
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			v, err := convert.Convert(args[0], narrowed(t, args[0].Type()))
			if err != nil {
				return cty.NilVal, notConvertible(args[0], want)
			}
			return v, nil
		},
	})
}

// narrowed is the collection type that want turns out to be for a tuple or an
// object whose elements are all of one type. Finding the common type of the
// elements takes the square of their number otherwise.
func narrowed(want, got cty.Type) cty.Type {
	if !want.IsCollectionType() || want.ElementType() != cty.DynamicPseudoType {
		return want
	}
	element := cty.NilType
	same := func(t cty.Type) bool {
		if element == cty.NilType {
			element = t
		}
		return element.Equals(t)
	}
	switch {
	case got.IsTupleType():
		for _, t := range got.TupleElementTypes() {
			if !same(t) {
				return want
			}
		}
	case got.IsObjectType():
		for _, t := range got.AttributeTypes() {
			if !same(t) {
				return want
			}
		}
	}
	if element == cty.NilType || element == cty.DynamicPseudoType {
		return want
	}
	switch {
	case want.IsListType():
		return cty.List(element)
	case want.IsSetType():
		return cty.Set(element)
	}
	return cty.Map(element)
}

func notConvertible(v cty.Value, want cty.Type) error {
	t := v.Type()
	switch {
	case t == cty.String && want == cty.Bool:
		return function.NewArgErrorf(0, `cannot convert %s to bool; only the strings "true" or "false" are allowed`, quoted(v))
	case t == cty.String && want == cty.Number && value.Contains(v, value.Sensitive|value.Ephemeral):
		return function.NewArgErrorf(0, "cannot convert %s to number", quoted(v))
	case t == cty.String && want == cty.Number:
		return function.NewArgErrorf(0, "cannot convert %s to number; given string must be a decimal representation of a number", quoted(v))
	}
	return function.NewArgErrorf(0, "cannot convert %s to %s", t.FriendlyName(), want.FriendlyNameForConstraint())
}

// quoted is a string for use in an error message.
func quoted(v cty.Value) string {
	switch kinds := value.DeepMarks(v); {
	case kinds&value.Ephemeral != 0:
		return "this ephemeral string"
	case kinds&value.Sensitive != 0:
		return "this sensitive string"
	}
	v, _ = value.PeelDeep(v)
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "the value"
	}
	return strconv.Quote(v.AsString())
}

// TypeInfo is the type of what the function type returns: a description of a
// type that only the console can show.
var TypeInfo = cty.Capsule("type", reflect.TypeOf(cty.NilType))

var typeFunc = function.New(&function.Spec{
	Params: []function.Parameter{anyParam("value")},
	Type:   function.StaticReturnType(TypeInfo),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		t := args[0].Type()
		return cty.CapsuleVal(TypeInfo, &t), nil
	},
})
