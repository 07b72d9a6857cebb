package mock

import (
	"hash/fnv"
	"io"
	"maps"
	"math/rand"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Strings says how texts are generated.
type Strings struct {
	// Length is how many characters they have; 0 means 8.
	Length int
	// Random is where they come from; it is read by several goroutines. Nil lets them follow from the type's name,
	// so that they are the same for all objects of a type and in every run.
	Random io.Reader
}

const (
	lower    = "abcdefghijklmnopqrstuvwxyz0123456789"
	anyCased = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + lower
)

// seedSize is the length of a seed.
const seedSize = 8

// seed is what the texts of one object follow from: of its type, or new.
func (s Strings) seed(typeName string) []byte {
	if s.Random == nil {
		h := fnv.New64a()
		_, _ = io.WriteString(h, typeName) // never fails
		return h.Sum(nil)
	}
	b := make([]byte, seedSize)
	if _, err := io.ReadFull(s.Random, b); err != nil {
		clear(b) // no text has to be another one
	}
	return b
}

// source gives the texts that follow from a seed.
func (s Strings) source(seed []byte) func() string {
	n, from := s.Length, lower
	if n <= 0 {
		n = 8
	}
	if s.Random == nil {
		from = anyCased
	}
	h := fnv.New64a()
	_, _ = h.Write(seed) // never fails
	r := rand.New(rand.NewSource(int64(h.Sum64())))
	return func() string {
		out := make([]byte, n)
		for i := range out {
			out[i] = from[r.Intn(len(from))]
		}
		return string(out)
	}
}

// generate makes up a value of a type: a text, 0, false, an empty collection, an
// object of such values, or null where any type would do.
func (f *filler) generate(t cty.Type) cty.Value {
	switch {
	case t == cty.String:
		return cty.StringVal(f.text())
	case t == cty.Number:
		return cty.NumberIntVal(0)
	case t == cty.Bool:
		return cty.False
	case t.IsListType():
		return cty.ListValEmpty(t.ElementType())
	case t.IsSetType():
		return cty.SetValEmpty(t.ElementType())
	case t.IsMapType():
		return cty.MapValEmpty(t.ElementType())
	case t.IsObjectType():
		out := map[string]cty.Value{}
		for _, name := range sortedNames(t.AttributeTypes()) {
			out[name] = f.generate(t.AttributeType(name))
		}
		return cty.ObjectVal(out)
	case t.IsTupleType():
		var out []cty.Value
		for _, e := range t.TupleElementTypes() {
			out = append(out, f.generate(e))
		}
		return cty.TupleVal(out)
	}
	return cty.NullVal(t)
}

func sortedNames(m map[string]cty.Type) []string { return slices.Sorted(maps.Keys(m)) }
