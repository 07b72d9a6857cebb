package command

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Help fits the terminal, as far as its words do, and says the same everywhere.
func TestHelpFits(t *testing.T) {
	c := Command{Name: "mend", Args: "[options] ADDRESS", About: "Mends what is broken at one address, and leaves everything else as it is.\n\n    plumb mend x.y",
		New: func(f *Flags) Run {
			f.Heading("What to mend")
			f.Bool("all", false, "Mend everything that is broken, wherever it is and however long it takes.")
			f.List("address-of-all-of-them", "ADDRESS", "Mend this.")
			return nil
		}}
	words := ""
	for _, columns := range []int{0, 30, 40, 60, 80, 200} {
		text := c.Help(nil, columns)
		most := 78
		if columns > 0 {
			most = min(columns, most)
		}
		lines := strings.Split(text, "\n")
		for _, l := range lines[1:] { // the usage is a line to copy, and the long option has no spaces
			if !strings.Contains(l, "-address-of") && utf8.RuneCountInString(l) > most {
				t.Errorf("%d columns: %q", columns, l)
			}
		}
		if words == "" {
			words = strings.Join(strings.Fields(text), " ")
		}
		if got := strings.Join(strings.Fields(text), " "); got != words {
			t.Errorf("%d columns: %s", columns, got)
		}
	}
}
