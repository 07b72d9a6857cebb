package value

import (
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TypeFromJSON reads a type in the JSON form that go-cty gives it. Its errors are
// those of go-cty's own reader.
//
// As with [FromJSON], what the reader here does not know (optional attributes), and
// everything that is wrong, is left to go-cty, which decodes every part of a type
// by itself.
func TypeFromJSON(src []byte) (cty.Type, error) {
	r := reader{src: src}
	if t, err := r.typ(); err == nil && r.atEnd() {
		return t, nil
	}
	return ctyjson.UnmarshalType(src)
}

// simple are the types that are written as a word.
var simple = map[string]cty.Type{
	"string": cty.String, "number": cty.Number, "bool": cty.Bool, "dynamic": cty.DynamicPseudoType,
}

func (r *reader) typ() (cty.Type, error) {
	if r.next() == '"' {
		word, err := r.text()
		if t, ok := simple[string(word)]; ok && err == nil {
			return t, nil
		}
		return cty.NilType, errOther
	}
	if !r.take('[') {
		return cty.NilType, errOther
	}
	r.next()
	kind, err := r.text()
	if err != nil || !r.take(',') {
		return cty.NilType, errOther
	}
	t, err := r.parts(string(kind))
	if err != nil || !r.take(']') {
		return cty.NilType, errOther
	}
	return t, nil
}

// parts reads what belongs to a type that is made from others.
func (r *reader) parts(kind string) (cty.Type, error) {
	switch kind {
	case "object":
		attrs := map[string]cty.Type{}
		err := r.members(func(name []byte) (err error) {
			attrs[string(name)], err = r.typ()
			return err
		})
		return cty.Object(attrs), err
	case "tuple":
		elems := []cty.Type{}
		err := r.elements(func() error {
			t, err := r.typ()
			elems = append(elems, t)
			return err
		})
		return cty.Tuple(elems), err
	}
	of, err := r.typ()
	switch {
	case err != nil:
	case kind == "list":
		return cty.List(of), nil
	case kind == "set":
		return cty.Set(of), nil
	case kind == "map":
		return cty.Map(of), nil
	}
	return cty.NilType, errOther
}
