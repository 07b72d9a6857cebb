package diff

import (
	"encoding/json"
	"strings"

	"github.com/plumb-iac/plumb/plan"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// text compares strings: JSON by what it holds, the rest by lines or whole.
func (d differ) text(before, after cty.Value, path cty.Path) *Node {
	n := d.leaf(before, after, path)
	bj, bok := holdsJSON(before)
	aj, aok := holdsJSON(after)
	switch {
	case (bok || isNull(before)) && (aok || isNull(after)) && (bok || aok):
		return d.json(n, bj, aj, path)
	case bok != aok && n.Action == plan.Update:
		null := cty.NullVal(cty.String)
		n.Kind = Becomes
		n.Inner, n.Other = differ{}.text(before, null, nil), differ{}.text(null, after, nil)
	case multiline(before) || multiline(after):
		n.Kind = Lines
	}
	return n
}

func (d differ) json(n *Node, before, after cty.Value, path cty.Path) *Node {
	n.Kind = JSON
	inner := differ{Options: Options{Every: true}}
	for _, p := range d.Replace {
		if len(p) > len(path) && p[:len(path)].Equals(path) {
			inner.Replace = append(inner.Replace, p[len(path):])
		}
	}
	n.Inner = inner.typed(cty.DynamicPseudoType, before, after, nil)
	n.Layout = n.Action == plan.Update && n.Inner.Action == plan.NoOp
	return n
}

// holdsJSON decodes a string that is a JSON object or array from its first
// character on.
func holdsJSON(v cty.Value) (cty.Value, bool) {
	null := cty.NullVal(cty.DynamicPseudoType)
	if isNull(v) || isUnknown(v) || v.Type() != cty.String {
		return null, false
	}
	src := []byte(v.AsString())
	if len(src) < 2 || src[0] != '{' && src[0] != '[' || !json.Valid(src) {
		return null, false
	}
	t, err := ctyjson.ImpliedType(src)
	if err != nil {
		return null, false
	}
	out, err := ctyjson.Unmarshal(src, t)
	if err != nil {
		return null, false
	}
	return out, true
}

// Line is a line of text that stays, comes or goes.
type Line struct {
	Action plan.Action
	Text   string
}

// SplitLines are the lines of a text; a line break at its end begins no line.
func SplitLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// LineDiff compares two texts line by line.
func LineDiff(before, after string) []Line {
	x, y := lineValues(before), lineValues(after)
	var out []Line
	i, j := 0, 0
	for _, m := range append(common(x, y), match{len(x), len(y)}) {
		for ; i < m.i; i++ {
			out = append(out, Line{plan.Delete, x[i].AsString()})
		}
		for ; j < m.j; j++ {
			out = append(out, Line{plan.Create, y[j].AsString()})
		}
		if i < len(x) && j < len(y) {
			out = append(out, Line{plan.NoOp, y[j].AsString()})
			i, j = i+1, j+1
		}
	}
	return out
}

func lineValues(s string) []cty.Value {
	lines := SplitLines(s)
	out := make([]cty.Value, len(lines))
	for i, l := range lines {
		out[i] = cty.StringVal(l)
	}
	return out
}
