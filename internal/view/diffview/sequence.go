package diffview

import (
	"strings"
	"unicode"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
	"github.com/zclconf/go-cty/cty"
)

// elements renders a list or a set.
func (p Painter) elements(n *diff.Node, level int, m Manner) string {
	if len(n.Elems) == 0 {
		return "[]" + p.null(n.Action, m) + p.forces(n.Replace)
	}
	part := m
	part.Bare = true
	part.All = m.All || n.Action == plan.NoOp
	s := series{Painter: p, level: level + 1, m: m, part: part, context: n.Kind == diff.List && !n.Structural}
	s.b.WriteString("[" + p.forces(n.Replace) + "\n")
	for _, e := range n.Elems {
		s.add(e)
	}
	s.close()
	s.b.WriteString(Indent(level+1) + "]" + p.null(n.Action, m))
	return s.b.String()
}

// series writes elements and folds unchanged ones, but for one beside each
// change where order gives it a meaning.
type series struct {
	Painter
	b       strings.Builder
	level   int
	m, part Manner
	context bool
	waiting []*diff.Node
	// behind says that the element before was written because it changes.
	behind bool
}

func (s *series) add(e *diff.Node) {
	switch {
	case e.Action != plan.NoOp || s.part.All:
		s.release()
		s.write(e, s.part)
		s.behind = e.Action != plan.NoOp
	case s.context && s.behind:
		s.write(e, s.whole())
		s.behind = false
	default:
		s.waiting = append(s.waiting, e)
	}
}

// release writes the unchanged element before a change.
func (s *series) release() {
	if !s.context || len(s.waiting) == 0 {
		return
	}
	last := s.waiting[len(s.waiting)-1]
	s.hidden(&s.b, len(s.waiting)-1, "element", s.level)
	s.write(last, s.whole())
	s.waiting = nil
}

func (s *series) close() { s.hidden(&s.b, len(s.waiting), "element", s.level) }

func (s *series) whole() Manner { m := s.part; m.All = true; return m }

func (s *series) write(e *diff.Node, m Manner) {
	s.warn(&s.b, e, s.level, m)
	s.b.WriteString(Indent(s.level) + s.sign(e.Action, s.m) + s.Value(e, s.level, m) + ",\n")
}

// lines renders text of several lines as a here document.
func (p Painter) lines(n *diff.Node, level int, m Manner) string {
	var b strings.Builder
	b.WriteString("<<-EOT" + p.forces(n.Replace) + "\n")
	write := func(a plan.Action, line string) {
		text := Indent(level+1) + p.sign(a, m) + view.Harmless(line)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	before, after := plainBreaks(textOf(n.Before), textOf(n.After))
	switch {
	case n.Action == plan.Update && !m.Quiet:
		for _, l := range diff.LineDiff(before, after) {
			write(l.Action, l.Text)
		}
	case n.Action == plan.Delete:
		for _, l := range diff.SplitLines(before) {
			write(plan.NoOp, l)
		}
	default:
		for _, l := range diff.SplitLines(after) {
			write(plan.NoOp, l)
		}
	}
	b.WriteString(Indent(level+1) + "EOT" + p.null(n.Action, m))
	return b.String()
}

// plainBreaks writes the line breaks of Windows as those of others, unless some lines
// have the one and some the other, which is to be seen.
func plainBreaks(before, after string) (string, string) {
	for _, text := range []string{before, after} {
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			return before, after
		}
	}
	return strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
}

func textOf(v cty.Value) string {
	if v == cty.NilVal || v.IsNull() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// json renders a string that holds JSON by what it holds.
func (p Painter) json(n *diff.Node, level int, m Manner) string {
	var b strings.Builder
	b.WriteString("jsonencode(")
	if n.Layout {
		note := " # whitespace changes"
		if n.Replace {
			note = " # whitespace changes force replacement"
		}
		b.WriteString(p.Paint(note, "90"))
	} else {
		b.WriteString(p.forces(n.Replace))
	}
	part := m
	part.Bare = true
	part.All = m.All || n.Inner.Action == plan.NoOp && !n.Layout
	symbol := Unit
	if n.Inner.Action == plan.Update {
		symbol = p.sign(plan.Update, m)
	}
	inner := p.Value(n.Inner, level+1, part)
	if !strings.Contains(inner, "\n") && !n.Layout {
		b.WriteString(inner + ")" + p.null(n.Action, m))
		return b.String()
	}
	b.WriteString("\n" + Indent(level+1) + symbol + inner)
	b.WriteString("\n" + Indent(level+1) + ")" + p.null(n.Action, m))
	return b.String()
}

// identifier says whether a name can be written without quotes.
func identifier(s string) bool {
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || r == '_':
		case i > 0 && (unicode.IsDigit(r) || r == '-' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)):
		default:
			return false
		}
	}
	return s != ""
}
