package valuetext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/funcs"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Format writes a value; its continuation lines are indented by indent spaces.
func Format(v value.V, indent int) string {
	var w writer
	w.value(v, indent)
	return w.String()
}

type writer struct{ strings.Builder }

func (w *writer) value(v cty.Value, indent int) {
	if v == cty.NilVal {
		w.WriteString("null")
		return
	}
	switch kinds := value.TopMarks(v); {
	case kinds&value.Ephemeral != 0:
		w.WriteString("(ephemeral value)")
		return
	case kinds&value.Sensitive != 0:
		w.WriteString("(sensitive value)")
		return
	}
	v, _ = value.Peel(v)
	switch {
	case !v.IsKnown():
		w.WriteString("(known after apply)")
	case v.IsNull():
		w.WriteString(null(v.Type()))
	default:
		w.known(v, indent)
	}
}

func (w *writer) known(v cty.Value, indent int) {
	t := v.Type()
	switch {
	case t == cty.Bool:
		w.WriteString(strconv.FormatBool(v.True()))
	case t == cty.Number:
		w.WriteString(Number(v))
	case t == cty.String:
		w.text(v.AsString(), indent)
	case t.IsObjectType():
		w.pairs(v, "{", "}", indent)
	case t.IsMapType():
		w.pairs(v, "tomap({", "})", indent)
	case t.IsListType():
		w.elements(v, "tolist([", "])", indent)
	case t.IsSetType():
		w.elements(v, "toset([", "])", indent)
	case t.IsTupleType():
		w.elements(v, "[", "]", indent)
	case t.Equals(funcs.TypeInfo):
		w.WriteString(TypeText(*v.EncapsulatedValue().(*cty.Type)))
	default:
		w.WriteString("(" + t.FriendlyName() + ")")
	}
}

// Number writes a known number in full.
func Number(v cty.Value) string { return v.AsBigFloat().Text('f', -1) }

// null is the null of a type, with a conversion where its type would be lost.
func null(t cty.Type) string {
	switch {
	case t == cty.Bool:
		return "tobool(null)"
	case t == cty.Number:
		return "tonumber(null)"
	case t == cty.String:
		return "tostring(null)"
	case t.IsListType():
		return "tolist(null) /* of " + t.ElementType().FriendlyName() + " */"
	case t.IsSetType():
		return "toset(null) /* of " + t.ElementType().FriendlyName() + " */"
	case t.IsMapType():
		return "tomap(null) /* of " + t.ElementType().FriendlyName() + " */"
	case t == cty.DynamicPseudoType:
		return "null"
	}
	return "null /* " + t.FriendlyName() + " */"
}

// text writes a string quoted, or as a heredoc when it has several lines, none with
// a character that has to be escaped.
func (w *writer) text(s string, indent int) {
	lines := strings.Split(s, "\n")
	if len(lines) < 2 || strings.ContainsFunc(s, Unsafe) {
		w.WriteString(Quote(s))
		return
	}
	end := "EOT"
	for taken(lines, end) {
		end += "_"
	}
	w.WriteString("<<")
	if indent > 0 {
		w.WriteByte('-')
	}
	w.WriteString(end)
	for _, line := range append(lines, end) {
		w.newline(indent)
		w.WriteString(line)
	}
}

func taken(lines []string, end string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) == end })
}

func (w *writer) newline(indent int) {
	w.WriteString("\n" + strings.Repeat(" ", indent))
}

func (w *writer) pairs(v cty.Value, open, end string, indent int) {
	w.WriteString(open)
	if v.LengthInt() > 0 {
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			w.newline(indent + 2)
			w.text(k.AsString(), indent+2)
			w.WriteString(" = ")
			w.value(e, indent+2)
		}
		w.newline(indent)
	}
	w.WriteString(end)
}

func (w *writer) elements(v cty.Value, open, end string, indent int) {
	w.WriteString(open)
	if v.LengthInt() > 0 {
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			w.newline(indent + 2)
			w.value(e, indent+2)
			w.WriteByte(',')
		}
		w.newline(indent)
	}
	w.WriteString(end)
}
