package value

import "github.com/zclconf/go-cty/cty"

// Skin is the marks taken off the top of one value. The zero Skin is none.
type Skin struct{ marks cty.ValueMarks }

// Peel takes the marks off the top of v; deeper ones stay. What is made from
// the parts of v must get the skin back with On.
func Peel(v V) (V, Skin) {
	if !v.IsMarked() {
		return v, Skin{}
	}
	bare, marks := v.Unmark()
	return bare, Skin{marks}
}

// PeelDeep takes all marks off v and gathers them into one skin.
func PeelDeep(v V) (V, Skin) {
	if !marked(v) {
		return v, Skin{}
	}
	bare, marks := v.UnmarkDeep()
	return bare, Skin{marks}
}

// On puts the skin on v.
func (s Skin) On(v V) V {
	if len(s.marks) == 0 {
		return v
	}
	return v.WithMarks(s.marks)
}

// Plus is both skins together.
func (s Skin) Plus(o Skin) Skin {
	switch {
	case len(s.marks) == 0:
		return o
	case len(o.marks) == 0:
		return s
	}
	return Skin{cty.NewValueMarks(s.marks, o.marks)}
}

// Kinds are the kinds of marks in the skin.
func (s Skin) Kinds() Kind {
	var out Kind
	for m := range s.marks {
		if mk, ok := m.(mark); ok {
			out |= mk.kind
		}
	}
	return out
}

// Empty says whether the skin has no marks.
func (s Skin) Empty() bool { return len(s.marks) == 0 }

// NullWhere replaces the parts of v that carry any of kinds by null. Other
// marks stay.
func NullWhere(v V, kinds Kind) V {
	if !Contains(v, kinds) {
		return v
	}
	out, err := cty.TransformWithTransformer(v, nuller(kinds))
	if err != nil {
		return cty.NullVal(v.Type())
	}
	return out
}

type nuller Kind

// Enter implements cty.Transformer: it works from the top, so that what is
// below a marked value is not looked at.
func (n nuller) Enter(_ cty.Path, v cty.Value) (cty.Value, error) {
	if !Has(v, Kind(n)) {
		return v, nil
	}
	_, skin := Peel(Unmark(v, Kind(n)))
	return skin.On(cty.NullVal(v.Type())), nil
}

// Exit implements cty.Transformer.
func (n nuller) Exit(_ cty.Path, v cty.Value) (cty.Value, error) { return v, nil }
