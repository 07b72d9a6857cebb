package human

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
)

// panelLines bounds the live lines, the line that counts the rest included.
const panelLines = 8

// live is the block of lines at the bottom of a terminal.
type live struct {
	drawn int
	// at is the time that was told last, which the lines are of.
	at time.Time
}

// clear takes the block away; the cursor is then where it began.
func (l *live) clear(w io.Writer) {
	if l.drawn > 0 {
		_, _ = fmt.Fprintf(w, "\x1b[%dA\r\x1b[J", l.drawn)
		l.drawn = 0
	}
}

// unbroken has a terminal cut long lines rather than break them, which it does
// wherever it became narrower; broken undoes that.
const (
	unbroken = "\x1b[?7l"
	broken   = "\x1b[?7h"
)

// draw replaces the block, with text above it, in one write so that nothing
// flickers.
func (l *live) draw(w io.Writer, text string, lines []string) {
	var b strings.Builder
	l.clear(&b)
	b.WriteString(text)
	if len(lines) > 0 {
		b.WriteString(unbroken + strings.Join(lines, "\n") + "\n" + broken)
	}
	l.drawn = len(lines)
	if b.Len() > 0 {
		_, _ = io.WriteString(w, b.String())
	}
}

// panel is what runs for longest, oldest first: of each object its latest
// operation, which is part of those before. What began since the time was told last
// is not among it yet, since most of that ends at once.
func (v *View) panel() []string {
	limit, room := panelLines, v.o.Columns()-1
	if v.o.Size != nil {
		columns, rows := v.o.Size()
		if columns > 0 {
			room = columns - 1
		}
		if rows > 0 {
			limit = min(limit, rows-1) // the cursor stands in a row of its own
		}
	}
	if len(v.order) == 0 || limit <= 0 {
		return nil
	}
	shown := v.latest()
	all := len(shown)
	if all > limit {
		shown = shown[:limit-1]
	}
	out := make([]string, 0, limit)
	for _, r := range shown {
		took := " " + clock(v.live.at.Sub(r.since))
		out = append(out, v.fit(room, "  "+r.object.String(), ": "+v.doing(r)+took, ": "+brief(v.doing(r))+took, took))
	}
	if rest := all - len(shown); rest > 0 {
		out = append(out, v.fit(room, fmt.Sprintf("  and %d more", rest)))
	}
	return out
}

// latest are the runs that no later one of the same object is part of.
func (v *View) latest() []*run {
	last := make(map[addr.Object]*run, len(v.order))
	for _, r := range v.order {
		last[r.object] = r
	}
	out := make([]*run, 0, len(last))
	for _, r := range v.order {
		if last[r.object] == r && !r.since.After(v.live.at) {
			out = append(out, r)
		}
	}
	return out
}

// legible is the least of a text that is worth more than what follows it.
const legible = 20

// fit makes a line of the panel of at most room columns, fewer than the terminal has:
// the text with the first of the tails that leaves room for all of it, or else with
// the first that leaves enough of it, or alone.
func (v *View) fit(room int, text string, tails ...string) string {
	for _, enough := range []int{view.Width(text), min(legible, view.Width(text))} {
		for _, tail := range tails {
			if left := room - view.Width(tail); left >= enough {
				return v.o.Paint(Shorten(text, left)+tail, view.Gray)
			}
		}
	}
	return v.o.Paint(Shorten(text, room), view.Gray)
}

// brief is the first word of what is being done.
func brief(doing string) string {
	word, _, _ := strings.Cut(doing, " ")
	return word
}

func (v *View) doing(r *run) string {
	switch r.op {
	case event.Provision:
		return "provisioning with '" + r.detail + "'"
	case event.Action:
		return "running " + r.detail
	}
	if w := words[r.op]; w.still != "" {
		return w.still
	}
	return strings.ToLower(strings.TrimSuffix(v.wording(r.op).begin, "..."))
}
