package diagview

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/view"
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
	for _, l := range lineDiff(strings.Split(c.Left, "\n"), strings.Split(c.Right, "\n")) {
		switch l[0] {
		case '-':
			line(l, view.Red)
		case '+':
			line(l, view.Green)
		default:
			line(l)
		}
	}
}

// lineDiff gives the lines of two texts, marked "- ", "+ " or "  " as only in the
// first, only in the second, or in both.
func lineDiff(a, b []string) []string {
	// common[i][j] is the length of the longest common part of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}
