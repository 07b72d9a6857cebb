package funcs

import (
	"errors"
	"fmt"
	"sort"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var collections = map[string]function.Function{
	"alltrue":   allTrue,
	"anytrue":   anyTrue,
	"coalesce":  coalesce,
	"contains":  contains,
	"index":     index,
	"length":    length,
	"list":      removed("list", "tolist([ ... ])"),
	"lookup":    lookup,
	"map":       removed("map", "tomap({ ... })"),
	"matchkeys": matchKeys,
	"one":       one,
	"sum":       sum,
	"transpose": transpose,
}

// anyParam is a parameter that takes every value as it is.
func anyParam(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true}
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// removed is a function that only says what to write instead.
func removed(name, instead string) function.Function {
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "vals", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
		Type: func([]cty.Value) (cty.Type, error) {
			return cty.DynamicPseudoType, fmt.Errorf("the %q function is no longer available; use %s syntax to write a literal %s", name, instead, name)
		},
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) {
			return cty.DynamicVal, fmt.Errorf("the %q function is no longer available; use %s", name, instead)
		},
	})
}

var allTrue = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		result := cty.True
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			if v.IsNull() {
				return cty.False, nil
			}
			if !v.IsKnown() {
				return cty.UnknownVal(cty.Bool), nil
			}
			result = result.And(v)
			if result.IsKnown() && result.False() {
				return cty.False, nil
			}
		}
		return result, nil
	},
})

var anyTrue = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		known, result := true, cty.False
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			if v.IsNull() {
				continue
			}
			if !v.IsKnown() {
				known = false
				continue
			}
			result = result.Or(v)
			if result.True() {
				return cty.True, nil
			}
		}
		if !known {
			return cty.UnknownVal(cty.Bool), nil
		}
		return result, nil
	},
})

var coalesce = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "vals", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		types := make([]cty.Type, len(args))
		for i, v := range args {
			types[i] = v.Type()
		}
		t, _ := convert.UnifyUnsafe(types)
		if t == cty.NilType {
			return cty.NilType, errors.New("all arguments must have the same type")
		}
		return t, nil
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
		for _, v := range args {
			if !v.IsKnown() {
				return cty.UnknownVal(want), nil
			}
			if v.IsNull() {
				continue
			}
			v, err := convert.Convert(v, want)
			if err != nil {
				return cty.NilVal, err
			}
			if want == cty.String && v.AsString() == "" {
				continue
			}
			return v, nil
		}
		return cty.NilVal, errors.New("no non-null, non-empty-string arguments")
	},
})

// contains is the library's but for null: a bare null has no type, and the
// library finds out nothing about such a value.
var contains = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "list", Type: cty.DynamicPseudoType},
		{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
	},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[1].IsNull() || !args[0].CanIterateElements() {
			return stdlib.ContainsFunc.Call(args)
		}
		unknown := false
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			null := v.Equals(cty.NullVal(v.Type()))
			if null.IsKnown() && null.True() {
				return cty.True, nil
			}
			unknown = unknown || !null.IsKnown()
		}
		if unknown {
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.False, nil
	},
})

var index = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		if t := args[0].Type(); !t.IsListType() && !t.IsTupleType() {
			return cty.NilType, errors.New("argument must be a list or tuple")
		}
		return cty.Number, nil
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if args[0].LengthInt() == 0 {
			return cty.NilVal, errors.New("cannot search an empty list")
		}
		for it := args[0].ElementIterator(); it.Next(); {
			i, v := it.Element()
			same := v.Equals(args[1])
			if !same.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			if same.True() {
				return i, nil
			}
		}
		return cty.NilVal, errors.New("item not found")
	},
})

var length = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true, AllowMarked: true}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		if t == cty.String || t.IsTupleType() || t.IsObjectType() || t.IsCollectionType() || t == cty.DynamicPseudoType {
			return cty.Number, nil
		}
		return cty.Number, errors.New("argument must be a string, a collection type, or a structural type")
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, skin := value.Peel(args[0])
		n, err := lengthOf(v)
		return skin.On(n), err
	},
})

func lengthOf(v cty.Value) (cty.Value, error) {
	t := v.Type()
	switch {
	case t.IsTupleType():
		return cty.NumberIntVal(int64(t.Length())), nil
	case t.IsObjectType():
		return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
	case t == cty.String:
		return stdlib.Strlen(v)
	case t.IsCollectionType():
		return v.Length(), nil
	}
	return cty.UnknownVal(cty.Number), nil
}

var lookup = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "inputMap", Type: cty.DynamicPseudoType, AllowMarked: true},
		{Name: "key", Type: cty.String, AllowMarked: true},
	},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true},
	Type:     lookupType,
	Impl:     lookupValue,
})

func lookupType(args []cty.Value) (cty.Type, error) {
	if len(args) > 3 {
		return cty.NilType, fmt.Errorf("lookup() takes two or three arguments, got %d", len(args))
	}
	t := args[0].Type()
	switch {
	case t.IsObjectType():
		key, _ := value.Peel(args[1])
		if !key.IsKnown() {
			return cty.DynamicPseudoType, nil
		}
		if t.HasAttribute(key.AsString()) {
			return t.AttributeType(key.AsString()), nil
		}
		if len(args) == 3 {
			return args[2].Type(), nil
		}
		return cty.DynamicPseudoType, function.NewArgErrorf(0, "the given object has no attribute %s", quoted(args[1]))
	case t.IsMapType():
		if len(args) == 3 {
			if _, err := convert.Convert(args[2], t.ElementType()); err != nil {
				return cty.NilType, function.NewArgErrorf(2, "the default value must have the same type as the map elements")
			}
		}
		return t.ElementType(), nil
	}
	return cty.NilType, function.NewArgErrorf(0, "lookup() requires a map as the first argument")
}

func lookupValue(args []cty.Value, want cty.Type) (cty.Value, error) {
	coll, collSkin := value.Peel(args[0])
	key, keySkin := value.Peel(args[1])
	skin := collSkin.Plus(keySkin)
	if !coll.IsKnown() || !key.IsKnown() {
		return skin.On(cty.UnknownVal(want)), nil
	}
	name := key.AsString()
	if coll.Type().IsObjectType() {
		if coll.Type().HasAttribute(name) {
			return skin.On(coll.GetAttr(name)), nil
		}
	} else if coll.HasIndex(key).True() {
		return skin.On(coll.Index(key)), nil
	}
	if len(args) == 3 {
		def, err := convert.Convert(args[2], want)
		return skin.On(def), err
	}
	return cty.UnknownVal(cty.DynamicPseudoType), fmt.Errorf("lookup failed to find key %s", quoted(args[1]))
}

var matchKeys = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "values", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "keys", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "searchset", Type: cty.List(cty.DynamicPseudoType)},
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		if t, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()}); t == cty.NilType {
			return cty.NilType, errors.New("keys and searchset must be of the same type")
		}
		return args[0].Type(), nil
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
		if args[0].LengthInt() != args[1].LengthInt() {
			return cty.ListValEmpty(want.ElementType()), errors.New("length of keys and values should be equal")
		}
		t, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()})
		keys, err := convert.Convert(args[1], t)
		if err != nil {
			return cty.NilVal, err
		}
		wanted, err := convert.Convert(args[2], t)
		if err != nil {
			return cty.NilVal, err
		}
		return selectByKeys(args[0].AsValueSlice(), keys.AsValueSlice(), wanted.AsValueSlice(), want)
	},
})

func selectByKeys(vals, keys, wanted []cty.Value, want cty.Type) (cty.Value, error) {
	var out []cty.Value
	for i, k := range keys {
		for _, w := range wanted {
			same := k.Equals(w)
			if !same.IsKnown() {
				return cty.UnknownVal(want), nil
			}
			if same.True() {
				out = append(out, vals[i])
				break
			}
		}
	}
	if len(out) == 0 {
		return cty.ListValEmpty(want.ElementType()), nil
	}
	return cty.ListVal(out), nil
}

const oneNeeds = "must be a list, set, or tuple value with either zero or one elements"

var one = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		switch {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType() && t.Length() == 0:
			return cty.DynamicPseudoType, nil
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		}
		return cty.NilType, function.NewArgErrorf(0, oneNeeds)
	},
	Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
		n := args[0].Length()
		if !n.IsKnown() {
			return cty.UnknownVal(want), nil
		}
		switch args[0].LengthInt() {
		case 0:
			return cty.NullVal(want), nil
		case 1:
			it := args[0].ElementIterator()
			it.Next()
			_, v := it.Element()
			return v, nil
		}
		return cty.NilVal, function.NewArgErrorf(0, oneNeeds)
	},
})

var sum = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type:         function.StaticReturnType(cty.Number),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		t := args[0].Type()
		switch {
		case !args[0].CanIterateElements():
			return cty.NilVal, function.NewArgErrorf(0, "cannot sum noniterable")
		case args[0].LengthInt() == 0:
			return cty.NilVal, function.NewArgErrorf(0, "cannot sum an empty list")
		case !t.IsListType() && !t.IsSetType() && !t.IsTupleType():
			return cty.NilVal, function.NewArgErrorf(0, "argument must be list, set, or tuple. Received %s", t.FriendlyName())
		}
		total := cty.Zero
		for _, v := range args[0].AsValueSlice() {
			n, err := convert.Convert(v, cty.Number)
			if err != nil || n.IsNull() {
				return cty.NilVal, function.NewArgErrorf(0, "argument must be list, set, or tuple of number values")
			}
			if total, err = stdlib.Add(total, n); err != nil {
				return cty.NilVal, errors.New("can't compute sum of opposing infinities")
			}
		}
		return total, nil
	},
})

var transpose = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "values", Type: cty.Map(cty.List(cty.String))}},
	Type:         function.StaticReturnType(cty.Map(cty.List(cty.String))),
	RefineResult: notNull,
	Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(want), nil
		}
		holders := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); {
			k, list := it.Element()
			if list.IsNull() {
				return cty.NilVal, function.NewArgErrorf(0, "the list for key %q must not be null", k.AsString())
			}
			for _, v := range list.AsValueSlice() {
				if v.IsNull() {
					return cty.NilVal, function.NewArgErrorf(0, "the list for key %q must not have null elements", k.AsString())
				}
				holders[v.AsString()] = append(holders[v.AsString()], k)
			}
		}
		return listsByName(holders), nil
	},
})

func listsByName(lists map[string][]cty.Value) cty.Value {
	if len(lists) == 0 {
		return cty.MapValEmpty(cty.List(cty.String))
	}
	out := make(map[string]cty.Value, len(lists))
	for name, l := range lists {
		sort.Slice(l, func(i, j int) bool { return l[i].AsString() < l[j].AsString() })
		out[name] = cty.ListVal(l)
	}
	return cty.MapVal(out)
}
