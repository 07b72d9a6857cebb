package diagview

import (
	"bytes"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
)

// snippet is the piece of source a diagnostic is about.
type snippet struct {
	context   string
	code      string
	startLine int
	// from and to are the highlighted bytes of code.
	from, to int
}

// Quotes cuts the pieces of source that diagnostics are about. It remembers where
// the blocks of each file are, so that any number of diagnostics costs one look at
// a file. It is not for concurrent use.
type Quotes struct {
	source   Source
	outlines map[string]config.Outline
}

// QuotesOf cuts from a source, which may be nil.
func QuotesOf(source Source) *Quotes {
	return &Quotes{source: source, outlines: map[string]config.Outline{}}
}

// context names the block of a file that is around a byte of it.
func (q *Quotes) context(src []byte, filename string, at int) string {
	outline, known := q.outlines[filename]
	if !known {
		outline = config.OutlineOf(src, filename)
		q.outlines[filename] = outline
	}
	return outline.Around(at)
}

// cut finds the whole lines around the subject and its context. The second
// result is false where the source is not at hand.
func (q *Quotes) cut(d *diag.Diag) (snippet, bool) {
	if d.Subject == nil || q.source == nil {
		return snippet{}, false
	}
	src := q.source(d.Subject.Filename)
	if src == nil {
		return snippet{}, false
	}
	from, to := span(d.Subject, len(src))
	wideFrom, wideTo := from, to
	if d.Context != nil && d.Context.Filename == d.Subject.Filename {
		cf, ct := span(d.Context, len(src))
		wideFrom, wideTo = min(from, cf), max(to, ct)
	}
	start := bytes.LastIndexByte(src[:wideFrom], '\n') + 1
	// A range that ends where a line begins reaches into it; one that was
	// empty stays on its line.
	last := wideTo
	if d.Subject.Start.Byte >= d.Subject.End.Byte && wideTo == to {
		last = max(wideTo-1, wideFrom)
	}
	end := len(src)
	if i := bytes.IndexByte(src[last:], '\n'); i >= 0 {
		end = last + i
	}
	// The empty line that a file ends with is none to show.
	code := string(bytes.TrimRight(src[start:end], "\r\n"))
	s := snippet{
		context:   q.context(src, d.Subject.Filename, inside(d, from)),
		code:      code,
		startLine: 1 + bytes.Count(src[:start], []byte("\n")),
		from:      min(max(from-start, 0), len(code)),
	}
	s.to = min(max(to-start, s.from), len(code))
	return s, true
}

// inside is the place whose block is named. What is about a block's first word
// is about the block, not about something in it, unless it is about the object
// that the block declares.
func inside(d *diag.Diag, from int) int {
	if d.Address != "" {
		return from
	}
	return from - 1
}

// span is a range as byte offsets; an empty one is a character long.
func span(r *diag.Range, size int) (from, to int) {
	from = min(max(r.Start.Byte, 0), size)
	to = min(max(r.End.Byte, from), size)
	if from == to && to < size {
		to++
	}
	return from, to
}

// notes are the values of a diagnostic, sorted and without repetition.
func notes(d *diag.Diag) []diag.ValueNote {
	out := append([]diag.ValueNote(nil), d.Values...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Traversal < out[j].Traversal })
	n := 0
	for i := range out {
		if i == 0 || out[i].Traversal != out[i-1].Traversal {
			out[n] = out[i]
			n++
		}
	}
	return out[:n]
}

// harmless is text without what could rewrite a terminal, and with line breaks of
// one kind.
func harmless(s string) string { return view.Harmless(strings.ReplaceAll(s, "\r", "")) }

// foreign is text that may be another program's: its colours are left out, since the
// text has its own, and what it would have written over stands on lines of its own.
func foreign(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return view.Harmless(s)
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
	for i, line := range lines {
		lines[i] = view.Style{}.Foreign(line)
	}
	return strings.Join(lines, "\n")
}
