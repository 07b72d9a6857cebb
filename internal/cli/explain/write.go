package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/internal/view"
)

// Shape is how an explanation is written.
type Shape uint8

// The shapes.
const (
	Text Shape = iota
	JSON
	HTML
)

// Options say how to write.
type Options struct {
	Shape Shape
	// All shows rows that are null everywhere, too.
	All   bool
	Style view.Style
}

// Write writes an explanation.
func Write(w io.Writer, e explain.Explanation, o Options) error {
	if !o.All {
		e.Rows = said(e.Rows)
	}
	switch o.Shape {
	case JSON:
		return writeJSON(w, e)
	case HTML:
		return page.Execute(w, pageOf(e, o.All))
	}
	_, err := io.WriteString(w, text(e, o))
	return err
}

// said are the rows that say something: those with a value anywhere.
func said(rows []explain.Row) []explain.Row {
	var out []explain.Row
	for _, r := range rows {
		for _, c := range r.Cells {
			if c != "" && c != "null" {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

// mark stands in front of a place that changes.
func mark(r explain.Row, s view.Style) string {
	switch {
	case r.Forces:
		return s.Paint("!", view.Bold, view.Red)
	case r.Changed:
		return s.Paint("~", view.Yellow)
	}
	return " "
}

// sorted are the rows that tell something, and those that can be told in a line.
func sorted(e explain.Explanation, all bool) (loud, quiet []explain.Row) {
	for _, r := range e.Rows {
		if !all && r.Quiet() {
			quiet = append(quiet, r)
		} else {
			loud = append(loud, r)
		}
	}
	slices.SortStableFunc(loud, func(a, b explain.Row) int { return rank(a) - rank(b) })
	return loud, quiet
}

// rank puts what forces a replacement first.
func rank(r explain.Row) int {
	if r.Forces {
		return 0
	}
	return 1
}

func text(e explain.Explanation, o Options) string {
	var b strings.Builder
	s := o.Style
	fmt.Fprintf(&b, "%s  (provider %s)\n%s\n\n", s.Paint(e.Address, view.Bold), e.Provider, headline(e))
	for _, line := range e.Why {
		b.WriteString(indent(view.Wrap(line, s.Columns()-2)))
	}
	loud, quiet := sorted(e, o.All)
	for _, r := range loud {
		writeRow(&b, r, s)
	}
	if len(quiet) > 0 {
		fmt.Fprintf(&b, "\n%s\n", s.Paint(title(loud), view.Bold))
		writeQuiet(&b, quiet, s)
	}
	b.WriteString(legend(loud))
	return b.String()
}

// title stands above the places that a line is enough for.
func title(loud []explain.Row) string {
	if len(loud) == 0 {
		return "Attributes"
	}
	return "The rest"
}

func writeRow(b *strings.Builder, r explain.Row, s view.Style) {
	fmt.Fprintf(b, "\n%s %s%s\n", mark(r, s), s.Paint(r.Path, view.Bold), summary(r))
	for _, group := range grouped(r) {
		fmt.Fprintf(b, "    %-34s %s\n", group.stages, group.cell)
	}
	if r.Side != explain.Nobody {
		b.WriteString(indent(indent(view.Wrap(s.Paint("decided by the "+string(r.Side), view.Cyan)+" ("+r.Rule+"): "+r.Text+".", s.Columns()-4))))
	}
	for _, n := range r.Notes {
		b.WriteString(indent(indent(view.Wrap(n+".", s.Columns()-4))))
	}
}

// summary is what happens to a place, beside its name.
func summary(r explain.Row) string {
	switch {
	case !r.Changed && !r.Forces:
		return ""
	case r.Was == "":
		return ": " + r.Will
	case r.Will == "":
		return ": " + r.Was + " → gone"
	}
	return ": " + r.Was + " → " + r.Will
}

// writeQuiet writes a line for each place: its value and who decided it.
func writeQuiet(b *strings.Builder, rows []explain.Row, s view.Style) {
	wide, value := 0, 0
	for _, r := range rows {
		wide, value = max(wide, view.Width(r.Path)), max(value, view.Width(r.Value()))
	}
	wide, value = min(wide, 48), min(value, 48)
	for _, r := range rows {
		by := ""
		if r.Side != explain.Nobody {
			by = s.Paint(string(r.Side), view.Cyan) + ", " + r.Rule
		}
		b.WriteString(strings.TrimRight("  "+pad(r.Path, wide)+"  "+pad(r.Value(), value)+"  "+by, " ") + "\n")
	}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-view.Width(text)))
}

// legend explains the marks that occur.
func legend(rows []explain.Row) string {
	var marks []string
	forces, changes := false, false
	for _, r := range rows {
		forces, changes = forces || r.Forces, changes || r.Changed && !r.Forces
	}
	if forces {
		marks = append(marks, "! forces replacement")
	}
	if changes {
		marks = append(marks, "~ changes")
	}
	if len(marks) == 0 {
		return ""
	}
	return "\n" + strings.Join(marks, "   ") + "\n"
}

func headline(e explain.Explanation) string {
	text := "action: " + strings.Join(e.Action, ", then ")
	if e.ReadNow {
		text = "action: none, read while planning"
	}
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	if e.Deferred != "" {
		text += ", deferred (" + e.Deferred + ")"
	}
	return text
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// group is stages that follow each other with the same value.
type group struct{ stages, cell string }

func grouped(r explain.Row) []group {
	var out []group
	for _, s := range explain.Stages() {
		cell := r.Cells[s]
		switch n := len(out); {
		case cell == "":
		case n > 0 && out[n-1].cell == cell && len(out[n-1].stages)+len(s.String()) < 32:
			out[n-1].stages += ", " + s.String()
		default:
			out = append(out, group{s.String(), cell})
		}
	}
	return out
}

// shape is an explanation as JSON.
type shape struct {
	FormatVersion string   `json:"format_version"`
	Address       string   `json:"address"`
	Provider      string   `json:"provider"`
	Actions       []string `json:"actions"`
	ActionReason  string   `json:"action_reason,omitempty"`
	Deferred      string   `json:"deferred_reason,omitempty"`
	Why           []string `json:"why"`
	Attributes    []row    `json:"attributes"`
}

type row struct {
	Path    string            `json:"path"`
	Values  map[string]string `json:"values"`
	Side    string            `json:"decided_by,omitempty"`
	Rule    string            `json:"rule,omitempty"`
	Text    string            `json:"text,omitempty"`
	Changed bool              `json:"changed"`
	Forces  bool              `json:"forces_replacement"`
	Notes   []string          `json:"notes,omitempty"`
}

func writeJSON(w io.Writer, e explain.Explanation) error {
	out := shape{FormatVersion: "1.0", Address: e.Address, Provider: e.Provider, Actions: e.Action, ActionReason: e.Reason, Deferred: e.Deferred, Why: e.Why, Attributes: []row{}}
	for _, r := range e.Rows {
		values := map[string]string{}
		for _, s := range explain.Stages() {
			if c := r.Cells[s]; c != "" {
				values[strings.ReplaceAll(s.String(), " ", "_")] = c
			}
		}
		out.Attributes = append(out.Attributes, row{r.Path, values, string(r.Side), r.Rule, r.Text, r.Changed, r.Forces, r.Notes})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
