package human

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/event"
)

// panelLines bounds the live lines, the line that counts the rest included.
const panelLines = 8

// live is the block of lines at the bottom of a terminal.
type live struct{ drawn int }

// clear takes the block away; the cursor is then where it began.
func (l *live) clear(w io.Writer) {
	if l.drawn > 0 {
		_, _ = fmt.Fprintf(w, "\x1b[%dA\r\x1b[J", l.drawn)
		l.drawn = 0
	}
}

// draw replaces the block, in one write so that nothing flickers.
func (l *live) draw(w io.Writer, lines []string) {
	var b strings.Builder
	l.clear(&b)
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	l.drawn = len(lines)
	if b.Len() > 0 {
		_, _ = io.WriteString(w, b.String())
	}
}

// panel is what runs for longest, oldest first.
func (v *View) panel(now time.Time) []string {
	if len(v.order) == 0 {
		return nil
	}
	shown := v.order
	if len(shown) > panelLines {
		shown = shown[:panelLines-1]
	}
	out := make([]string, 0, panelLines)
	for _, r := range shown {
		text := "  " + r.object.String() + ": " + v.doing(r)
		took := " " + clock(now.Sub(r.since))
		out = append(out, v.o.Paint(Shorten(text, max(v.o.Columns()-len(took)-1, 10))+took, "90"))
	}
	if rest := len(v.order) - len(shown); rest > 0 {
		out = append(out, v.o.Paint(fmt.Sprintf("  and %d more", rest), "90"))
	}
	return out
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
