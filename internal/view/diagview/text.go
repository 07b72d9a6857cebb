package diagview

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
)

// Write shows diagnostics to people: sorted, similar warnings grouped.
func Write(w io.Writer, l diag.List, o Options) error {
	if len(l) == 0 {
		return nil
	}
	var b strings.Builder
	if o.Compact && !l.HasErrors() {
		compact(&b, l.Sorted(), o)
	} else {
		q := QuotesOf(o.Source)
		for _, s := range group(l.Sorted(), o) {
			one(&b, &s, o, q)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// One shows a single diagnostic.
func One(d diag.Diag, o Options) string {
	var b strings.Builder
	one(&b, &shown{Diag: d}, o, QuotesOf(o.Source))
	return b.String()
}

func one(b *strings.Builder, s *shown, o Options, q *Quotes) {
	ink, word := view.Red, "Error: "
	switch s.Severity {
	case diag.Warning:
		ink, word = view.Yellow, "Warning: "
	case diag.Unspecified:
		ink, word = view.Gray, ""
	}
	title := o.Paint(word, view.Bold, ink) + o.Bold(harmless(s.Summary))
	if o.Plain { // broken where the incumbents break: tests of providers match messages with their breaks
		b.WriteString("\n" + title + "\n\n" + body(s, o, q, page{width: o.Columns() - 1}))
		if o.Gap {
			b.WriteByte('\n')
		}
		return
	}
	bar := o.Paint("│", ink) + " "
	b.WriteString(o.Paint("╷", ink) + "\n" + bar + title + "\n")
	b.WriteString(bar + "\n")
	for _, line := range strings.Split(strings.TrimSuffix(body(s, o, q, page{o.Columns() - 2, true, o.Width > 0}), "\n"), "\n") {
		b.WriteString(bar + line + "\n")
	}
	b.WriteString(o.Paint("╵", ink) + "\n")
	if o.Gap {
		b.WriteByte('\n')
	}
}

// page is what the lines of a diagnostic have to fit into.
type page struct {
	width int
	// items has the items of lists broken like other prose, fold also source and
	// values: a box that a terminal breaks lines for is none any more.
	items, fold bool
}

// parts are a line of something that is no prose, behind so many columns.
func (p page) parts(line string, behind int) []string {
	if !p.fold {
		return []string{line}
	}
	return view.Fold(line, p.width-behind)
}

func (p page) prose(text string) string {
	if p.items {
		return view.WrapItems(text, p.width)
	}
	return view.Wrap(text, p.width)
}

// body is everything below the title.
func body(s *shown, o Options, q *Quotes, p page) string {
	var b strings.Builder
	where(&b, &s.Diag, o, q, p)
	if detail := foreign(strings.TrimRight(s.Detail, "\n")); detail != "" {
		b.WriteString(p.prose(detail) + "\n")
	}
	if s.more > 0 {
		fmt.Fprintf(&b, "\n(and %d more similar %s elsewhere)\n", s.more, plural(s.more, s.Severity.String()))
	}
	return b.String()
}

func where(b *strings.Builder, d *diag.Diag, o Options, q *Quotes, p page) {
	if d.Subject == nil || d.Subject.Filename == "" {
		if d.Address != "" {
			b.WriteString("  with " + d.Address + attribute(d) + ",\n\n")
		}
		return
	}
	if d.Address != "" {
		b.WriteString("  with " + d.Address + ",\n")
	}
	snip, ok := q.cut(d)
	place := fmt.Sprintf("  on %s line %d", o.Paint(d.Subject.Filename, "4"), d.Subject.Start.Line)
	if !ok {
		b.WriteString(place + ":\n  (source code not available)\n\n")
		return
	}
	if snip.context != "" {
		place += ", in " + snip.context
	}
	b.WriteString(place + ":\n")
	code(b, snip, o, p)
	values(b, d, o, p)
	b.WriteString("\n")
}

func attribute(d *diag.Diag) string {
	if d.Attribute == "" {
		return ""
	}
	return ",\n  at " + d.Attribute
}

// code writes the numbered lines with the highlighted part underlined.
func code(b *strings.Builder, s snippet, o Options, p page) {
	at := 0
	for i, line := range strings.Split(s.code, "\n") {
		margin := fmt.Sprintf("%4d: ", s.startLine+i)
		for _, part := range p.parts(line, len(margin)) {
			from, to := clamp(s.from-at, len(part)), clamp(s.to-at, len(part))
			b.WriteString(margin + harmless(part[:from]) + o.Paint(harmless(part[from:to]), "4") + harmless(part[to:]) + "\n")
			at += len(part)
			margin = strings.Repeat(" ", len(margin))
		}
		at++
	}
}

func clamp(n, most int) int { return min(max(n, 0), most) }

// values writes the box of what the references are worth.
func values(b *strings.Builder, d *diag.Diag, o Options, p page) {
	if d.Compared != nil {
		compared(b, d.Compared, o, p)
		return
	}
	list := notes(d)
	if len(list) == 0 && d.Call == nil {
		return
	}
	b.WriteString("    " + o.Paint("├────────────────", view.Gray) + "\n")
	bar := "    " + o.Paint("│", view.Gray) + " "
	if d.Call != nil {
		b.WriteString(bar + "while calling " + o.Bold(d.Call.Name) + "(" + parameters(d.Call) + ")\n")
	}
	for _, n := range list {
		for i, part := range p.parts(n.Traversal+" "+harmless(n.Statement), len("    | ")) {
			if rest, ok := strings.CutPrefix(part, n.Traversal); ok && i == 0 {
				part = o.Bold(n.Traversal) + rest
			}
			b.WriteString(bar + part + "\n")
		}
	}
}

// compact lists the summaries of warnings with their first place.
func compact(b *strings.Builder, l diag.List, o Options) {
	b.WriteString("\n" + o.Paint("Warnings:", view.Bold, view.Yellow) + "\n\n")
	for _, s := range group(l, o) {
		b.WriteString("- " + harmless(s.Summary) + "\n")
		if s.Subject == nil {
			continue
		}
		b.WriteString("  on " + s.Subject.Filename + " line " + strconv.Itoa(s.Subject.Start.Line))
		if s.more > 0 {
			fmt.Fprintf(b, " (and %d more)", s.more)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nTo see the full warning notes, run Plumb without -compact-warnings.\n")
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
