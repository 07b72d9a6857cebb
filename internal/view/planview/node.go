package planview

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
	"github.com/zclconf/go-cty/cty"
)

// painter renders differences.
type painter struct {
	view.Style
	// secrets shows what is sensitive.
	secrets bool
}

// manner is how a node is rendered, given by what is around it.
type manner struct {
	// bare leaves "-> null" away: it is said of something around.
	bare bool
	// all shows unchanged parts, too.
	all bool
	// quiet leaves symbols away: the value as such is shown.
	quiet bool
}

const unit = "    "

func indent(n int) string { return strings.Repeat(unit, n) }

// symbols stand before what an action is about, four columns wide.
func (p painter) symbol(a plan.Action) string {
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
	case plan.Forget:
		return " " + p.Paint(".", view.Red) + " "
	}
	return unit
}

func (p painter) sign(a plan.Action, m manner) string {
	if m.quiet {
		return unit
	}
	return p.symbol(a)
}

// null is what follows something that goes away.
func (p painter) null(a plan.Action, m manner) string {
	if a == plan.Delete && !m.bare && !m.quiet {
		return " " + p.Paint("->", view.Yellow) + " " + p.Paint("null", view.Gray)
	}
	return ""
}

func (p painter) forces(replace bool) string {
	if replace {
		return p.Paint(" # forces replacement", view.Red)
	}
	return ""
}

func (p painter) arrow() string { return " " + p.Paint("->", view.Yellow) + " " }

// value renders a node that stands at level n.
func (p painter) value(n *diff.Node, level int, m manner) string {
	switch n.Kind {
	case diff.Leaf:
		return p.leaf(n, m)
	case diff.Lines:
		return p.lines(n, level, m)
	case diff.JSON:
		return p.json(n, level, m)
	case diff.Becomes:
		m.bare = true
		return p.value(n.Inner, level, m) + p.arrow() + p.value(n.Other, level, m) + p.forces(n.Replace)
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

func (p painter) leaf(n *diff.Node, m manner) string {
	if n.Action == plan.Update && !m.quiet {
		return p.scalar(n.Before) + p.arrow() + p.scalar(n.After) + p.forces(n.Replace)
	}
	v := n.After
	if n.Action == plan.Delete {
		v = n.Before
	}
	return p.scalar(v) + p.null(n.Action, m) + p.forces(n.Replace)
}

// scalar is a string, number or truth value as it is written.
func (p painter) scalar(v cty.Value) string {
	switch {
	case v == cty.NilVal || v.IsNull():
		return p.Paint("null", view.Gray)
	case v.Type() == cty.String:
		return quote(v.AsString())
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case v.Type() == cty.Bool:
		return strconv.FormatBool(v.True())
	}
	return "?"
}

// quote writes a string the way JSON and the language have in common, leaving
// printable characters as they are.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (p painter) unknown(n *diff.Node, level int, m manner) string {
	const later = "(known after apply)"
	if n.Inner == nil {
		return later + p.forces(n.Replace)
	}
	m.bare = true
	return p.value(n.Inner, level, m) + p.arrow() + later + p.forces(n.Replace)
}

// fields renders an object or a map.
func (p painter) fields(n *diff.Node, level int, m manner) string {
	if len(n.Fields) == 0 {
		return "{}" + p.null(n.Action, m) + p.forces(n.Replace)
	}
	var b strings.Builder
	b.WriteString("{" + p.forces(n.Replace) + "\n")
	part := m
	part.bare = partsBare(n, m)
	part.all = m.all || n.Action == plan.NoOp
	names := fieldNames(n)
	width := longest(names)
	hidden := 0
	for i, f := range n.Fields {
		if f.Node.Action == plan.NoOp && !part.all && (n.Kind == diff.Map || !landmarks[f.Name]) {
			hidden++
			continue
		}
		p.warn(&b, f.Node, level+1, m)
		b.WriteString(indent(level+1) + p.sign(f.Node.Action, m) + pad(names[i], width) + " = " + p.value(f.Node, level+1, part))
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
	b.WriteString(indent(level+1) + "}" + p.null(n.Action, m))
	return b.String()
}

// partsBare says whether the parts of n say nothing of becoming null: those of
// objects that their schema describes always do.
func partsBare(n *diff.Node, m manner) bool {
	switch {
	case n.Kind == diff.Object:
		return !n.Structural
	case n.Structural:
		return true
	}
	return m.bare || n.Action == plan.Delete
}

// hidden tells how many parts are not shown, as a line of its own.
func (p painter) hidden(b *strings.Builder, n int, word string, level int) {
	if n == 0 {
		return
	}
	b.WriteString(indent(level) + unit + p.Paint(fmt.Sprintf("# (%s hidden)", count(n, "unchanged "+word)), view.Gray) + "\n")
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// warn tells that a value's sensitivity changes.
func (p painter) warn(b *strings.Builder, n *diff.Node, level int, m manner) {
	if n.Kind != diff.Secret || n.SecretBefore == n.SecretAfter || n.Action == plan.Create || n.Action == plan.Delete || m.quiet {
		return
	}
	first, second := "this attribute value will be marked as sensitive and will not", "display in UI output after applying this change."
	if n.SecretBefore {
		first, second = "this attribute value will no longer be marked as sensitive", "after applying this change."
	}
	if n.Unchanged {
		second += " The value is unchanged."
	}
	margin := indent(level) + "  "
	b.WriteString(margin + "# " + p.Paint("Warning:", view.Yellow) + " " + first + "\n")
	b.WriteString(margin + "# " + second + "\n")
}

// fieldNames are the names as they are written.
func fieldNames(n *diff.Node) []string {
	out := make([]string, len(n.Fields))
	for i, f := range n.Fields {
		out[i] = f.Name
		if n.Kind == diff.Map || !identifier(f.Name) {
			out[i] = quote(f.Name)
		}
	}
	return out
}

// longest is the column that equals signs are aligned to.
func longest(names []string) int {
	n := 0
	for _, name := range names {
		n = max(n, len(name))
	}
	return n
}

func pad(name string, width int) string {
	if n := width - utf8.RuneCountInString(name); n > 0 {
		return name + strings.Repeat(" ", n)
	}
	return name
}
