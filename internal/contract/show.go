package contract

import (
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// longest is how much of a value a finding quotes.
const longest = 160

// show writes a value for people, in the manner of the configuration language
// and shortened where it is long.
func show(v cty.Value) string {
	var b strings.Builder
	write(&b, v)
	if b.Len() > longest {
		return b.String()[:strings.LastIndexAny(b.String()[:longest], " ,{[")+1] + "…"
	}
	return b.String()
}

func write(b *strings.Builder, v cty.Value) {
	switch {
	case b.Len() > longest:
	case absent(v):
		b.WriteString("null")
	case !v.IsKnown():
		b.WriteString("(known after apply)")
	case v.Type() == cty.String:
		b.WriteString(strconv.Quote(v.AsString()))
	case v.Type() == cty.Number:
		b.WriteString(v.AsBigFloat().Text('f', -1))
	case v.Type() == cty.Bool:
		b.WriteString(strconv.FormatBool(v.True()))
	case v.Type().IsMapType() || v.Type().IsObjectType():
		writeMembers(b, v)
	case v.CanIterateElements():
		writeElements(b, v)
	default:
		b.WriteString("(" + v.Type().FriendlyName() + ")")
	}
}

func writeElements(b *strings.Builder, v cty.Value) {
	b.WriteByte('[')
	for i, e := range v.AsValueSlice() {
		if i > 0 {
			b.WriteString(", ")
		}
		write(b, e)
	}
	b.WriteByte(']')
}

func writeMembers(b *strings.Builder, v cty.Value) {
	b.WriteString("{")
	first := true
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if v.Type().IsObjectType() && e.IsNull() {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(" " + k.AsString() + " = ")
		write(b, e)
	}
	b.WriteString(" }")
}
