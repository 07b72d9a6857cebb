package order

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps the table in docs/rules.md equal to the rows.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| row | known from | first | then | is kept |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		from := map[source]string{configured: "configuration", remembered: "state", noted: "this plan's notes", recorded: "state and this plan's notes", serving: "provider configuration"}[r.of]
		kept := "where nothing firmer contradicts"
		if r.rank == must {
			kept = "always"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name, from, r.before, r.after, kept)
	}
	golden.Part(t, "../../docs/rules.md", "order", b.String())
}

// String is the leg in words.
func (h half) String() string {
	leg, of := "making", "A"
	if h.end {
		leg = "ending"
	}
	if h.ofB {
		of = "B"
	}
	return leg + " " + of
}
