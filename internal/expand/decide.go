package expand

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// The summaries, which people and tools search for.
const (
	badCount   = "Invalid count argument"
	badEach    = "Invalid for_each argument"
	badEachSet = "Invalid for_each set argument"
	badEnabled = "Invalid enabled argument"
)

// finding is what is wrong with a repetition; zero when nothing is.
type finding struct {
	summary, detail    string
	unknown, sensitive bool
}

func (f finding) at(r diag.Range) diag.List {
	if f.summary == "" {
		return nil
	}
	d := diag.Err(f.summary, f.detail).At(r)
	d.Unknown, d.Sensitive = f.unknown, f.sensitive
	return diag.List{d}
}

// Count gives the keys for the value of a count argument.
func Count(v value.V, at diag.Range) (Keys, diag.List) {
	k, f := count(v)
	return k, f.at(at)
}

// ForEach gives the keys for the value of a for_each argument.
func ForEach(v value.V, at diag.Range) (Keys, diag.List) {
	k, f := forEach(v)
	return k, f.at(at)
}

// ForImport gives the keys for the value of a for_each argument of an import
// block, which may also be a list, a tuple, or a set of anything.
func ForImport(v value.V, at diag.Range) (Keys, diag.List) {
	coll, skin := value.Peel(v)
	if t := coll.Type(); skin.Kinds() == 0 && coll.IsKnown() && !coll.IsNull() && (t.IsListType() || t.IsTupleType() || t.IsSetType()) {
		if !t.IsSetType() || coll.IsWhollyKnown() {
			return Listed(coll), nil
		}
	}
	return ForEach(v, at)
}

// Enabled gives the keys for the value of an enabled argument.
func Enabled(v value.V, at diag.Range) (Keys, diag.List) {
	k, f := enabled(v)
	return k, f.at(at)
}

func count(v cty.Value) (Keys, finding) {
	n, err := convert.Convert(v, cty.Number)
	if err != nil {
		return Keys{}, finding{summary: "Incorrect value type", detail: fmt.Sprintf("Invalid expression value: %s.", value.ErrorText(err))}
	}
	n, skin := value.Peel(n)
	unsuitable := func(why string) (Keys, finding) {
		return Keys{}, finding{summary: badCount, detail: fmt.Sprintf("The given \"count\" argument value is unsuitable: %s.", why)}
	}
	switch {
	case skin.Kinds()&value.Ephemeral != 0:
		return unsuitable("it comes from an ephemeral value, and the number of instances has to be the same at plan and apply")
	case n.IsNull():
		return Keys{}, finding{summary: badCount, detail: `The given "count" argument value is null. An integer is required.`}
	case !n.IsKnown():
		return Unknown(n, true, false), finding{summary: badCount, unknown: true, detail: "The \"count\" value depends on resource attributes that cannot be determined until apply, so the number of instances cannot be predicted.\n\n" + workaround}
	}
	num := n.AsBigFloat()
	i, acc := num.Int64()
	switch {
	case acc != 0 || int64(int(i)) != i:
		return unsuitable("value must be a whole number, between -9223372036854775808 and 9223372036854775807")
	case i < 0:
		return unsuitable("must be greater than or equal to zero")
	}
	return Counted(int(i)), finding{}
}

const workaround = "Apply in two steps: first without this object, with the -exclude planning option, or only what the value depends on, with the -target planning option; then everything. With -allow-deferral plumb does that by itself, in rounds."

func forEach(v cty.Value) (Keys, finding) {
	coll, skin := value.Peel(v)
	if f := readable(coll, skin); f.summary != "" {
		return Keys{}, f
	}
	t := coll.Type()
	if !coll.IsKnown() {
		return Unknown(coll, false, true), unknownEachOf(t)
	}
	if coll.LengthInt() == 0 {
		return Each(nil), finding{}
	}
	if !t.IsSetType() {
		return Each(coll.AsValueMap()), finding{}
	}
	return fromSet(coll, t)
}

// readable says whether a for_each value is of a kind that can be used at all.
func readable(coll cty.Value, skin value.Skin) finding {
	bad := func(why string) finding {
		return finding{summary: badEach, detail: fmt.Sprintf("The given \"for_each\" argument value is unsuitable: %s.", why)}
	}
	t := coll.Type()
	switch {
	case skin.Kinds()&value.Sensitive != 0:
		return finding{summary: badEach, sensitive: true, detail: "Values that are sensitive, or come from sensitive ones, cannot be for_each arguments: they would show up in the keys of the instances."}
	case skin.Kinds()&value.Ephemeral != 0:
		return bad("it comes from an ephemeral value, and the keys of the instances have to be the same at plan and apply")
	case coll.IsNull():
		return bad(`the given "for_each" argument value is null. A map, or set of strings is allowed`)
	case t == cty.DynamicPseudoType, t.IsMapType(), t.IsObjectType(), t.IsSetType():
		return finding{}
	}
	return bad(fmt.Sprintf(`the "for_each" argument must be a map, or set of strings, and you have provided a value of type %s`, t.FriendlyName()))
}

func unknownEachOf(t cty.Type) finding {
	what, instead := "map includes keys", "Write the keys of the map as constants, and put what is only known after apply into its values."
	if t.IsSetType() {
		what, instead = "set includes values", "Use a map whose keys are constants, and put what is only known after apply into its values."
	}
	return finding{summary: badEach, unknown: true, detail: fmt.Sprintf(
		"The \"for_each\" %s derived from resource attributes that cannot be determined until apply, so the keys of the instances are not known.\n\n%s\n\n%s", what, instead, workaround)}
}

func fromSet(set cty.Value, t cty.Type) (Keys, finding) {
	bad := func(why string) (Keys, finding) {
		return Keys{}, finding{summary: badEachSet, detail: fmt.Sprintf("The given \"for_each\" argument value is unsuitable: %s.", why)}
	}
	if !set.IsWhollyKnown() {
		return Unknown(set, false, true), unknownEachOf(t)
	}
	if t.ElementType() != cty.String {
		return bad(fmt.Sprintf(`"for_each" supports maps and sets of strings, but you have provided a set containing type %s`, t.ElementType().FriendlyName()))
	}
	entries := make(map[string]cty.Value, set.LengthInt())
	for it := set.ElementIterator(); it.Next(); {
		_, v := it.Element()
		if v.IsNull() {
			return bad(`"for_each" sets must not contain null values`)
		}
		entries[v.AsString()] = v
	}
	return Each(entries), finding{}
}

func enabled(v cty.Value) (Keys, finding) {
	b, err := convert.Convert(v, cty.Bool)
	if err != nil {
		return Keys{}, finding{summary: badEnabled, detail: fmt.Sprintf("The given \"enabled\" argument value is unsuitable: %s.", value.ErrorText(err))}
	}
	b, skin := value.Peel(b)
	bad := func(why string) (Keys, finding) {
		return Keys{}, finding{summary: badEnabled, detail: fmt.Sprintf("The given \"enabled\" argument value is unsuitable: %s.", why), sensitive: skin.Kinds()&value.Sensitive != 0}
	}
	switch {
	case skin.Kinds()&value.Sensitive != 0:
		return bad("it is sensitive, or comes from a sensitive value, and the presence of the object would reveal it")
	case skin.Kinds()&value.Ephemeral != 0:
		return bad("it comes from an ephemeral value, and has to be the same at plan and apply")
	case b.IsNull():
		return bad("it is null; true or false is required")
	case !b.IsKnown():
		return Keys{kind: unknownEnabled}, finding{summary: badEnabled, unknown: true, detail: "The \"enabled\" value depends on resource attributes that cannot be determined until apply, so whether there is an object cannot be predicted.\n\n" + workaround}
	case b.True():
		return Single(), finding{}
	}
	return Keys{kind: disabled}, finding{}
}
