package plantest

import (
	"encoding/json"
	"fmt"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func parseValue(text json.RawMessage, t cty.Type) (value.V, error) {
	if len(text) == 0 {
		return cty.NullVal(t), nil
	}
	var in any
	if err := decode(text, &in); err != nil {
		return cty.NilVal, err
	}
	return build(in, t)
}

// build makes a value of type t, or of the type that it shows where t is not
// known.
func build(in any, t cty.Type) (value.V, error) {
	switch in := in.(type) {
	case nil:
		return cty.NullVal(t), nil
	case string:
		return convert.Convert(cty.StringVal(in), t)
	case bool:
		return convert.Convert(cty.BoolVal(in), t)
	case json.Number:
		n, err := cty.ParseNumberVal(in.String())
		if err != nil {
			return n, err
		}
		return convert.Convert(n, t)
	case []any:
		return buildList(in, t)
	case map[string]any:
		return buildObject(in, t)
	}
	return cty.NilVal, fmt.Errorf("unexpected %T", in)
}

func buildList(in []any, t cty.Type) (value.V, error) {
	element := cty.DynamicPseudoType
	if t.IsListType() || t.IsSetType() {
		element = t.ElementType()
	}
	parts := make([]cty.Value, len(in))
	for i, e := range in {
		v, err := build(e, element)
		if err != nil {
			return v, err
		}
		parts[i] = v
	}
	switch {
	case t.IsListType() && len(parts) > 0:
		return cty.ListVal(parts), nil
	case t.IsSetType() && len(parts) > 0:
		return cty.SetVal(parts), nil
	case t.IsListType():
		return cty.ListValEmpty(element), nil
	case t.IsSetType():
		return cty.SetValEmpty(element), nil
	}
	return cty.TupleVal(parts), nil
}

func buildObject(in map[string]any, t cty.Type) (value.V, error) {
	if _, ok := in["?"]; ok {
		return cty.UnknownVal(t), nil
	}
	if inner, ok := in["!"]; ok {
		v, err := build(inner, t)
		return value.Mark(v, value.Sensitive), err
	}
	parts := make(map[string]cty.Value, len(in))
	of := func(name string) cty.Type { return cty.DynamicPseudoType }
	if t.IsMapType() {
		of = func(string) cty.Type { return t.ElementType() }
	}
	if t.IsObjectType() {
		of = t.AttributeType
		for name, at := range t.AttributeTypes() {
			parts[name] = absent(at)
		}
	}
	for name, e := range in {
		if t.IsObjectType() && !t.HasAttribute(name) {
			return cty.NilVal, fmt.Errorf("there is no attribute %q", name)
		}
		v, err := build(e, of(name))
		if err != nil {
			return v, fmt.Errorf("%s: %w", name, err)
		}
		parts[name] = v
	}
	switch {
	case t.IsMapType() && len(parts) > 0:
		return cty.MapVal(parts), nil
	case t.IsMapType():
		return cty.MapValEmpty(t.ElementType()), nil
	}
	return cty.ObjectVal(parts), nil
}

// absent is what an argument that is not written has: blocks of objects are
// empty collections, anything else is null.
func absent(t cty.Type) cty.Value {
	switch {
	case t.IsListType() && t.ElementType().IsObjectType():
		return cty.ListValEmpty(t.ElementType())
	case t.IsSetType() && t.ElementType().IsObjectType():
		return cty.SetValEmpty(t.ElementType())
	case t.IsMapType() && t.ElementType().IsObjectType():
		return cty.MapValEmpty(t.ElementType())
	}
	return cty.NullVal(t)
}
