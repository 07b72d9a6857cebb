package value

import (
	"slices"
	"sort"

	"github.com/zclconf/go-cty/cty"
)

// V is a value that may carry marks.
type V = cty.Value

// Kind is what a mark says of a value.
type Kind uint8

// The kinds of marks. Poison means "already reported": whatever comes of it
// is not reported again, and it may never be stored.
const (
	Sensitive Kind = 1 << iota
	Ephemeral
	Deprecated
	Poison
)

// mark is the cty mark itself. Note carries the deprecation message.
type mark struct {
	kind Kind
	note string
}

// Bare is a value proved free of marks. The zero Bare is not a value.
type Bare struct{ v cty.Value }

// Cty is the value.
func (b Bare) Cty() cty.Value { return b.v }

// IsZero says whether b holds no value at all (not even null).
func (b Bare) IsZero() bool { return b.v == cty.NilVal }

// PathMark says that the value at Path carries Kinds.
type PathMark struct {
	Path  cty.Path
	Kinds Kind
	// Note is the message of a deprecation.
	Note string
}

// Marks are the marks of a value with their places.
type Marks []PathMark

// Split takes a value and its marks apart.
func Split(v V) (Bare, Marks) {
	if !marked(v) {
		return Bare{v}, nil
	}
	bare, pvms := v.UnmarkDeepWithPaths()
	var out Marks
	for _, pvm := range pvms {
		pm := PathMark{Path: pvm.Path}
		for m := range pvm.Marks {
			if mk, ok := m.(mark); ok {
				pm.Kinds |= mk.kind
				if mk.kind == Deprecated && (pm.Note == "" || mk.note < pm.Note) {
					pm.Note = mk.note
				}
			}
		}
		out = append(out, pm)
	}
	sort.SliceStable(out, func(i, j int) bool { return PathLess(out[i].Path, out[j].Path) })
	return Bare{bare}, out
}

// marked says whether v carries a mark at any depth. It is asked several times for
// every object, and go-cty's ContainsMarked makes a path and a sorted iterator
// for each part. Marks of the elements of a set are marks of the set.
func marked(v cty.Value) bool {
	t := v.Type()
	switch {
	case v.IsMarked():
		return true
	case v == cty.NilVal, t.IsPrimitiveType(), t.IsSetType(), v.IsNull(), !v.IsKnown():
		return false
	case t.IsObjectType():
		for name := range t.AttributeTypes() {
			if marked(v.GetAttr(name)) {
				return true
			}
		}
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			if _, part := it.Element(); marked(part) {
				return true
			}
		}
	}
	return false
}

func toCty(m PathMark) cty.ValueMarks {
	var out []any
	for k := Sensitive; k <= Poison; k <<= 1 {
		if m.Kinds&k == 0 {
			continue
		}
		mk := mark{kind: k}
		if k == Deprecated {
			mk.note = m.Note
		}
		out = append(out, mk)
	}
	return cty.NewValueMarks(out...)
}

// Mark gives v with the marks of kinds at its top.
func Mark(v V, kinds Kind) V {
	if kinds == 0 {
		return v
	}
	return v.WithMarks(toCty(PathMark{Kinds: kinds}))
}

// MarkDeprecated gives v with a deprecation message.
func MarkDeprecated(v V, message string) V {
	return v.WithMarks(toCty(PathMark{Kinds: Deprecated, Note: message}))
}

// Unmark gives v without marks of kinds at its top; deeper ones stay.
func Unmark(v V, kinds Kind) V {
	if !v.IsMarked() {
		return v
	}
	bare, marks := v.Unmark()
	keep := make([]any, 0, len(marks))
	for m := range marks {
		if mk, ok := m.(mark); !ok || mk.kind&kinds == 0 {
			keep = append(keep, m)
		}
	}
	if len(keep) == 0 {
		return bare
	}
	return bare.WithMarks(cty.NewValueMarks(keep...))
}

// Has says whether v itself, not its parts, carries any of kinds.
func Has(v V, kinds Kind) bool { return TopMarks(v)&kinds != 0 }

// TopMarks are the kinds of marks on v itself.
func TopMarks(v V) Kind {
	var out Kind
	if !v.IsMarked() {
		return 0
	}
	for m := range v.Marks() {
		if mk, ok := m.(mark); ok {
			out |= mk.kind
		}
	}
	return out
}

// Contains says whether v or any part of it carries any of kinds.
func Contains(v V, kinds Kind) bool { return DeepMarks(v)&kinds != 0 }

// DeepMarks are the kinds of marks on v and all its parts.
func DeepMarks(v V) Kind {
	if !marked(v) {
		return 0
	}
	_, pvms := v.UnmarkDeepWithPaths()
	var out Kind
	for _, pvm := range pvms {
		for m := range pvm.Marks {
			if mk, ok := m.(mark); ok {
				out |= mk.kind
			}
		}
	}
	return out
}

// Strip is the value without its marks. Use Split where the marks matter.
func Strip(v V) Bare {
	b, _ := v.UnmarkDeep()
	return Bare{b}
}

// MustBare wraps a value that cannot carry marks because it was just decoded
// or built from unmarked parts. It panics on invariant V1.
func MustBare(v cty.Value) Bare {
	if marked(v) {
		panic("V1: a value that was to be bare carries marks")
	}
	return Bare{v}
}

// Null is the null of a type.
func Null(t cty.Type) Bare { return Bare{cty.NullVal(t)} }

// Only are the marks that have any of kinds, reduced to these.
func (m Marks) Only(kinds Kind) Marks {
	var out Marks
	for _, pm := range m {
		if pm.Kinds&kinds != 0 {
			pm.Kinds &= kinds
			out = append(out, pm)
		}
	}
	return out
}

// Paths are the places whose marks have any of kinds.
func (m Marks) Paths(kinds Kind) []cty.Path {
	var out []cty.Path
	for _, pm := range m {
		if pm.Kinds&kinds != 0 {
			out = append(out, pm.Path)
		}
	}
	return out
}

// Plus is the union of two sets of marks, sorted by path.
func (m Marks) Plus(o Marks) Marks {
	if len(o) == 0 {
		return m
	}
	all := slices.Concat(m, o).sorted()
	out := all[:0]
	for _, pm := range all {
		i := out.last(pm.Path)
		if i < 0 {
			out = append(out, pm)
			continue
		}
		out[i].Kinds |= pm.Kinds
		if out[i].Note == "" {
			out[i].Note = pm.Note
		}
	}
	return out
}

// Equal says whether two sets of marks are the same.
func (m Marks) Equal(o Marks) bool {
	if len(m) != len(o) {
		return false
	}
	o = o.sorted()
	for _, pm := range m {
		upTo := sort.Search(len(o), func(i int) bool { return PathLess(pm.Path, o[i].Path) })
		i := o[:upTo].last(pm.Path)
		if i < 0 || o[i].Kinds != pm.Kinds {
			return false
		}
	}
	return true
}

// sorted are the marks by path.
func (m Marks) sorted() Marks {
	less := func(of Marks) func(i, j int) bool {
		return func(i, j int) bool { return PathLess(of[i].Path, of[j].Path) }
	}
	if sort.SliceIsSorted(m, less(m)) {
		return m
	}
	out := slices.Clone(m)
	sort.SliceStable(out, less(out))
	return out
}

// last finds the mark at p among sorted ones that end where p would stand; -1 when
// there is none. Elements of sets stand at one place.
func (m Marks) last(p cty.Path) int {
	for i := len(m) - 1; i >= 0 && !PathLess(m[i].Path, p); i-- {
		if m[i].Path.Equals(p) {
			return i
		}
	}
	return -1
}
