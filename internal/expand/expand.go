package expand

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Count turns the value of a count argument into keys.
func Count(v value.V, at diag.Range) (Keys, diag.List) {
	if l := Check(v, at, true, false); l.HasErrors() {
		return Keys{}, l
	}
	bare := value.Strip(v).Cty()
	n, err := convert.Convert(bare, cty.Number)
	if err != nil || !n.IsKnown() {
		return Keys{}, unknownCount(at)
	}
	i, _ := n.AsBigFloat().Int64()
	return Keys{mode: counted, count: int(i)}, nil
}

// ForEach turns the value of a for_each argument into keys.
func ForEach(v value.V, at diag.Range) (Keys, diag.List) {
	if l := Check(v, at, false, true); l.HasErrors() {
		return Keys{}, l
	}
	v = value.Unmark(v, value.Deprecated)
	bare := value.Strip(v).Cty()
	if !bare.IsKnown() {
		return Keys{}, unknownForEach(at, bare.Type())
	}
	if bare.Type().IsSetType() {
		if !bare.IsWhollyKnown() {
			return Keys{}, unknownForEach(at, bare.Type())
		}
		names := make([]string, 0, bare.LengthInt())
		for _, e := range bare.AsValueSlice() {
			names = append(names, e.AsString())
		}
		slices.Sort(names)
		return Keys{mode: mapped, names: names}, nil
	}
	elems := v.AsValueMap()
	return Keys{mode: mapped, names: slices.Sorted(maps.Keys(elems)), elems: elems}, nil
}

// Enabled turns the value of an enabled argument into one instance or none.
func Enabled(v value.V, at diag.Range) (Keys, diag.List) {
	const summary = "Invalid enabled argument"
	bare := value.Strip(v).Cty()
	switch {
	case value.Contains(v, value.Sensitive):
		return Keys{}, invalid(summary, "A sensitive value cannot decide whether an object exists, because that would show in the plan.", at)
	case value.Contains(v, value.Ephemeral):
		return Keys{}, invalid(summary, "An ephemeral value cannot decide whether an object exists, because it is not the same in the next run.", at)
	case bare.IsNull():
		return Keys{}, invalid(summary, "The value of enabled is null; true or false is needed.", at)
	case !bare.IsKnown():
		return Keys{}, cause(invalid(summary, "The value of enabled depends on something that is known only after apply, so it is not known whether there will be an object. Give it a value that is known when planning, or leave what it depends on to a first run with -target.", at), true, false)
	}
	b, err := convert.Convert(bare, cty.Bool)
	if err != nil {
		return Keys{}, invalid(summary, "The value of enabled must be true or false: "+err.Error()+".", at)
	}
	if b.True() {
		return Keys{mode: enabled, count: 1}, nil
	}
	return Keys{mode: enabled}, nil
}

// Check reports what is wrong with a repetition's value as far as it is known.
func Check(v value.V, at diag.Range, count, forEach bool) diag.List {
	switch {
	case count:
		return checkCount(v, at)
	case forEach:
		return checkForEach(v, at)
	}
	return nil
}

func checkCount(v value.V, at diag.Range) diag.List {
	const summary = "Invalid count argument"
	bare := value.Strip(v).Cty()
	switch {
	case value.Contains(v, value.Sensitive):
		return cause(invalid(summary, "Sensitive values, or values derived from them, cannot be used as count arguments: the number of instances shows in every plan.", at), false, true)
	case value.Contains(v, value.Ephemeral):
		return invalid(summary, `The given "count" is ephemeral: it would not be the same in the next run, so it cannot decide how many instances there are.`, at)
	case bare.IsNull():
		return invalid(summary, `The given "count" argument value is null. An integer is required.`, at)
	}
	n, err := convert.Convert(bare, cty.Number)
	switch {
	case err != nil:
		return invalid(summary, fmt.Sprintf(`The given "count" argument value is unsuitable: %s.`, err), at)
	case !n.IsKnown():
		return nil
	}
	f := n.AsBigFloat()
	i, exact := f.Int64()
	switch {
	case exact != big.Exact:
		return invalid(summary, `The given "count" argument value is unsuitable: value must be a whole number, between -9223372036854775808 and 9223372036854775807.`, at)
	case i < 0:
		return invalid(summary, `The given "count" argument value is unsuitable: must be greater than or equal to zero.`, at)
	}
	return nil
}

func checkForEach(v value.V, at diag.Range) diag.List {
	const summary = "Invalid for_each argument"
	bare := value.Strip(v).Cty()
	t := bare.Type()
	switch {
	case value.Has(v, value.Sensitive) || t.IsSetType() && value.Contains(v, value.Sensitive):
		return cause(invalid(summary, "Sensitive values, or values derived from them, cannot be used as for_each arguments: the keys show in every plan. Values of a map may be sensitive, its keys and the map as a whole may not.", at), false, true)
	case value.Has(v, value.Ephemeral) || t.IsSetType() && value.Contains(v, value.Ephemeral):
		return invalid(summary, "Ephemeral values, or values derived from them, cannot be used as for_each arguments: the keys would not be the same in the next run.", at)
	case bare.IsNull():
		return invalid(summary, `The given "for_each" argument value is unsuitable: the given "for_each" argument value is null. A map, or set of strings is allowed.`, at)
	case t == cty.DynamicPseudoType && !bare.IsKnown():
		return nil
	case !t.IsMapType() && !t.IsObjectType() && !t.IsSetType():
		return invalid(summary, fmt.Sprintf(`The given "for_each" argument value is unsuitable: the "for_each" argument must be a map, or set of strings, and you have provided a value of type %s.`, t.FriendlyName()), at)
	case t.IsSetType():
		return checkSet(bare, at)
	}
	return nil
}

func checkSet(bare cty.Value, at diag.Range) diag.List {
	const summary = "Invalid for_each set argument"
	t := bare.Type()
	if !bare.IsKnown() || bare.LengthInt() == 0 && bare.IsWhollyKnown() {
		return nil
	}
	if t.ElementType() != cty.String {
		if !bare.IsWhollyKnown() {
			return nil
		}
		return invalid(summary, fmt.Sprintf(`The given "for_each" argument value is unsuitable: "for_each" supports maps and sets of strings, but you have provided a set containing type %s.`, t.ElementType().FriendlyName()), at)
	}
	for it := bare.ElementIterator(); it.Next(); {
		if _, e := it.Element(); e.IsNull() {
			return invalid(summary, `The given "for_each" argument value is unsuitable: "for_each" sets must not contain null values.`, at)
		}
	}
	return nil
}

func unknownCount(at diag.Range) diag.List {
	return cause(invalid("Invalid count argument",
		`The "count" value depends on attributes that are known only after apply, so it is not known how many instances there will be. Apply what it depends on first, with -target, or make the number depend on something that is known when planning.`, at), true, false)
}

func unknownForEach(at diag.Range, t cty.Type) diag.List {
	what := `The "for_each" map has keys that`
	if t.IsSetType() {
		what = `The "for_each" set has elements that`
	}
	return cause(invalid("Invalid for_each argument",
		what+` are derived from attributes that are known only after apply, so the instances cannot be named. Use keys that stand in the configuration and put what is known only after apply into the values, or apply what the keys depend on first, with -target.`, at), true, false)
}

func invalid(summary, detail string, at diag.Range) diag.List {
	return diag.List{diag.Err(summary, detail).At(at)}
}

func cause(l diag.List, unknown, sensitive bool) diag.List {
	for i := range l {
		l[i].Unknown, l[i].Sensitive = unknown, sensitive
	}
	return l
}
