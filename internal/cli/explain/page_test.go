package explain

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/explain"
)

func sample() explain.Explanation {
	row := func(path string, was, will string) explain.Row {
		r := explain.Row{Path: path, Was: was, Will: will, Changed: was != will, Origin: explain.Origin{Side: explain.Author, Rule: "plan/as-configured", Text: "as it is configured"}}
		r.Cells[explain.PriorState], r.Cells[explain.InitialPlan] = was, will
		return r
	}
	forced := row("zone", "null", `"<z2>"`)
	forced.Forces = true
	return explain.Explanation{Address: "disk.a", Provider: "hashicorp/fake", Action: []string{"delete", "create"}, Why: []string{"It is so."},
		Rows: []explain.Row{row("a", "1", "2"), row("name", `"n"`, `"n"`), forced}}
}

// TestPage holds EX1 and EX2.
func TestPage(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, sample(), Options{Shape: HTML}); err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []string{"<script", "src=", "href=", "url(", "@import", "<z2>"} {
		if strings.Contains(b.String(), foreign) {
			t.Errorf("the page has %s", foreign)
		}
	}
	for _, want := range []string{"&lt;z2&gt;", `class="what ends"`, "The rest (1)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Index(b.String(), ">zone<") > strings.Index(b.String(), ">a<") {
		t.Error("what forces the replacement is not first")
	}
}

// Stages that follow each other with the same value have one cell, which names them
// where there is no room for columns.
func TestPageMerges(t *testing.T) {
	e := sample()
	r := &e.Rows[0]
	r.Cells[explain.Configuration], r.Cells[explain.PreviousRun], r.Cells[explain.UpgradedState] = "1", "1", "1"
	var b strings.Builder
	if err := Write(&b, e, Options{Shape: HTML}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<td class="v" data-of="configuration">1</td><td class="v" data-of="previous run, upgraded, prior" colspan="3">1</td>`,
		`<td class="v fresh" data-of="initial plan">2</td>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestAll shows everything in full.
func TestAll(t *testing.T) {
	short, long := text(sample(), Options{}), text(sample(), Options{All: true})
	if !strings.Contains(short, "The rest\n  name  \"n\"  author, plan/as-configured\n") || strings.Contains(long, "The rest") {
		t.Errorf("%s\n%s", short, long)
	}
}
