package diagview

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
)

// compared writes the two sides of an equality that does not hold, line by line.
func compared(b *strings.Builder, c *diag.Comparison, o Options, p page) {
	b.WriteString("    " + o.Paint("├────────────────", view.Gray) + "\n")
	bar := "    " + o.Paint("│", view.Gray) + " "
	line := func(text string, inks ...view.Ink) {
		for _, part := range p.parts(harmless(text), len("    | ")) {
			b.WriteString(bar + o.Paint(part, inks...) + "\n")
		}
	}
	if c.Warning != "" {
		line(c.Warning)
	}
	line("Diff:")
	line("--- actual", view.Red)
	line("+++ expected", view.Green)
	for _, l := range diff.LineDiff(c.Left, c.Right) {
		switch l.Action {
		case plan.Delete:
			line("- "+l.Text, view.Red)
		case plan.Create:
			line("+ "+l.Text, view.Green)
		default:
			line("  " + l.Text)
		}
	}
}
