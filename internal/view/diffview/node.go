package diffview

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
	"github.com/zclconf/go-cty/cty"
)

// Painter renders differences in a style.
type Painter struct {
	view.Style
}

// Manner is how a node is rendered, given by what is around it.
type Manner struct {
	// Bare leaves "-> null" away: it is said of something around.
	Bare bool
	// All shows unchanged parts, too.
	All bool
	// Quiet leaves symbols away: the value as such is shown.
	Quiet bool
}

// Unit is one level of indentation.
const Unit = "    "

// Indent is the margin of a level.
func Indent(n int) string { return strings.Repeat(Unit, n) }

// Symbol stands before what an action is about, four columns wide, but three for
// forgetting.
func (p Painter) Symbol(a plan.Action) string {
	switch a {
	case plan.Create:
		return "  " + p.Paint("+", view.Green) + " "
	case plan.Delete:
		return "  " + p.Paint("-", view.Red) + " "
	case plan.Update:
		return "  " + p.Paint("~", view.Yellow) + " "
	case plan.Read:
		return " " + p.Paint("<=", view.Cyan) + " "
	case plan.DeleteThenCreate:
		return p.Paint("-", view.Red) + "/" + p.Paint("+", view.Green) + " "
	case plan.CreateThenDelete:
		return p.Paint("+", view.Green) + "/" + p.Paint("-", view.Red) + " "
	case plan.CreateThenForget:
		return p.Paint("+", view.Green) + "/" + p.Paint(".", view.Red) + " "
	case plan.ForgetThenCreate:
		return p.Paint(".", view.Red) + "/" + p.Paint("+", view.Green) + " "
	case plan.Forget:
		return " " + p.Paint(".", view.Red) + " "
	}
	return Unit
}

func (p Painter) sign(a plan.Action, m Manner) string {
	if m.Quiet {
		return Unit
	}
	return p.Symbol(a)
}

// null is what follows something that goes away.
func (p Painter) null(a plan.Action, m Manner) string {
	if a == plan.Delete && !m.Bare && !m.Quiet {
		return " " + p.Paint("->", view.Yellow) + " " + p.Paint("null", view.Gray)
	}
	return ""
}

func (p Painter) forces(replace bool) string {
	if replace {
		return p.Paint(" # forces replacement", view.Red)
	}
	return ""
}

func (p Painter) arrow() string { return " " + p.Paint("->", view.Yellow) + " " }

// Value renders a node that stands at level n.
func (p Painter) Value(n *diff.Node, level int, m Manner) string {
	switch n.Kind {
	case diff.Leaf:
		return p.leaf(n, m)
	case diff.Lines:
		return p.lines(n, level, m)
	case diff.JSON:
		return p.json(n, level, m)
	case diff.Becomes:
		m.Bare = true
		return p.Value(n.Inner, level, m) + p.arrow() + p.Value(n.Other, level, m) + p.forces(n.Replace)
	case diff.Unknown:
		return p.unknown(n, level, m)
	case diff.Secret:
		return "(sensitive value)" + p.null(n.Action, m) + p.forces(n.Replace)
	case diff.WriteOnly:
		return "(write-only attribute)" + p.null(n.Action, m) + p.forces(n.Replace)
	case diff.Object, diff.Map:
		return p.fields(n, level, m)
	case diff.List, diff.Set:
		return p.elements(n, level, m)
	}
	return ""
}

func (p Painter) leaf(n *diff.Node, m Manner) string {
	if n.Action == plan.Update && !m.Quiet {
		return p.scalar(n.Before) + p.arrow() + p.scalar(n.After) + p.forces(n.Replace)
	}
	v := n.After
	if n.Action == plan.Delete {
		v = n.Before
	}
	return p.scalar(v) + p.null(n.Action, m) + p.forces(n.Replace)
}

// scalar is a string, number or truth value as it is written.
func (p Painter) scalar(v cty.Value) string {
	switch {
	case v == cty.NilVal || v.IsNull():
		return p.Paint("null", view.Gray)
	case v.Type() == cty.String:
		return valuetext.Quote(v.AsString())
	case v.Type() == cty.Number:
		return number(v.AsBigFloat())
	case v.Type() == cty.Bool:
		return strconv.FormatBool(v.True())
	}
	return "?"
}

// number is f in full; there is one zero.
func number(f *big.Float) string {
	if f.Sign() == 0 {
		return "0"
	}
	return f.Text('f', -1)
}

func (p Painter) unknown(n *diff.Node, level int, m Manner) string {
	const later = "(known after apply)"
	if n.Inner == nil {
		return later + p.forces(n.Replace)
	}
	m.Bare = true
	return p.Value(n.Inner, level, m) + p.arrow() + later + p.forces(n.Replace)
}

// fields renders an object or a map.
func (p Painter) fields(n *diff.Node, level int, m Manner) string {
	if len(n.Fields) == 0 {
		return "{}" + p.null(n.Action, m) + p.forces(n.Replace)
	}
	var b strings.Builder
	b.WriteString("{" + p.forces(n.Replace) + "\n")
	part := m
	part.Bare = partsBare(n, m)
	part.All = m.All || n.Action == plan.NoOp
	names := fieldNames(n)
	width := longest(names)
	if n.Structural && n.Kind == diff.Map {
		width = 0 // each entry has an alignment of its own
	}
	hidden := 0
	for i, f := range n.Fields {
		if f.Node.Action == plan.NoOp && !part.All && (n.Kind == diff.Map || !landmarks[f.Name]) {
			hidden++
			continue
		}
		p.warn(&b, f.Node, level+1, m)
		b.WriteString(Indent(level+1) + p.sign(f.Node.Action, m) + Pad(names[i], width) + " = " + p.Value(f.Node, level+1, part))
		if n.Kind == diff.Map && f.Node.Kind == diff.Object {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	word := "attribute"
	if n.Kind == diff.Map {
		word = "element"
	}
	p.hidden(&b, hidden, word, level+1)
	b.WriteString(Indent(level+1) + "}" + p.null(n.Action, m))
	return b.String()
}

// partsBare says whether the parts of n say nothing of becoming null: those of
// objects that their schema describes always do.
func partsBare(n *diff.Node, m Manner) bool {
	switch {
	case n.Kind == diff.Object:
		return !n.Structural
	case n.Structural:
		return true
	}
	return m.Bare || n.Action == plan.Delete
}

// hidden tells how many parts are not shown, as a line of its own.
func (p Painter) hidden(b *strings.Builder, n int, word string, level int) {
	if n == 0 {
		return
	}
	b.WriteString(Indent(level) + Unit + p.Paint(fmt.Sprintf("# (%s hidden)", view.Count(n, "unchanged "+word)), view.Gray) + "\n")
}

// Warning is the lines before a value whose sensitivity changes, or "".
func (p Painter) Warning(n *diff.Node, level int) string {
	var b strings.Builder
	p.warn(&b, n, level, Manner{})
	return b.String()
}

// warn tells that a value's sensitivity changes.
func (p Painter) warn(b *strings.Builder, n *diff.Node, level int, m Manner) {
	if n.Kind != diff.Secret || n.SecretBefore == n.SecretAfter || n.Action == plan.Create || n.Action == plan.Delete || m.Quiet {
		return
	}
	first, second := "this attribute value will be marked as sensitive and will not", "display in UI output after applying this change."
	if n.SecretBefore {
		first, second = "this attribute value will no longer be marked as sensitive", "after applying this change."
	}
	if n.Unchanged {
		second += " The value is unchanged."
	}
	margin := Indent(level) + "  "
	b.WriteString(margin + "# " + p.Paint("Warning:", view.Yellow) + " " + first + "\n")
	b.WriteString(margin + "# " + second + "\n")
}

// fieldNames are the names as they are written.
func fieldNames(n *diff.Node) []string {
	out := make([]string, len(n.Fields))
	for i, f := range n.Fields {
		out[i] = f.Name
		if n.Kind == diff.Map || !identifier(f.Name) {
			out[i] = valuetext.Quote(f.Name)
		}
	}
	return out
}

// longest is the column that equals signs are aligned to.
func longest(names []string) int {
	n := 0
	for _, name := range names {
		n = max(n, view.Width(name))
	}
	return n
}

// Pad fills a name with blanks up to a column.
func Pad(name string, width int) string {
	if n := width - view.Width(name); n > 0 {
		return name + strings.Repeat(" ", n)
	}
	return name
}
