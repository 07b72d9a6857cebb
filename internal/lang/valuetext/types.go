package valuetext

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// TypeText writes a type the way the function type shows it.
func TypeText(t cty.Type) string {
	var w writer
	w.typ(t, 0)
	return w.String()
}

func (w *writer) typ(t cty.Type, indent int) {
	switch {
	case t.IsListType():
		w.collection("list", t.ElementType(), indent)
	case t.IsSetType():
		w.collection("set", t.ElementType(), indent)
	case t.IsMapType():
		w.collection("map", t.ElementType(), indent)
	case t.IsTupleType():
		w.tuple(t, indent)
	case t.IsObjectType():
		w.object(t, indent)
	case t == cty.DynamicPseudoType:
		w.WriteString("dynamic")
	default:
		w.WriteString(t.FriendlyName())
	}
}

// collection puts an element type that takes several lines on lines of its own.
func (w *writer) collection(kind string, element cty.Type, indent int) {
	w.WriteString(kind + "(")
	if !element.IsTupleType() && !element.IsObjectType() && !multiline(element) {
		w.typ(element, indent)
		w.WriteByte(')')
		return
	}
	w.newline(indent + 4)
	w.typ(element, indent+4)
	w.WriteByte(',')
	w.newline(indent)
	w.WriteByte(')')
}

func multiline(t cty.Type) bool { return strings.Contains(TypeText(t), "\n") }

func (w *writer) tuple(t cty.Type, indent int) {
	w.WriteString("tuple([")
	for _, e := range t.TupleElementTypes() {
		w.newline(indent + 4)
		w.typ(e, indent+4)
		w.WriteByte(',')
	}
	if t.Length() > 0 {
		w.newline(indent)
	}
	w.WriteString("])")
}

func (w *writer) object(t cty.Type, indent int) {
	w.WriteString("object({")
	types := t.AttributeTypes()
	names := slices.Sorted(maps.Keys(types))
	for _, name := range names {
		w.newline(indent + 4)
		if hclsyntax.ValidIdentifier(name) {
			w.WriteString(name)
		} else {
			w.text(name, indent)
		}
		w.WriteString(": ")
		w.typ(types[name], indent+4)
		w.WriteByte(',')
	}
	if len(names) > 0 {
		w.newline(indent)
	}
	w.WriteString("})")
}
