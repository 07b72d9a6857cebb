package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
)

const rulesPage = "../../docs/rules.md"

// TestDocs keeps the tables of docs/rules.md equal to those of this package.
func TestDocs(t *testing.T) {
	var b strings.Builder
	stage := stages
	for _, r := range Rules() {
		if r.Stage() != stage {
			stage = r.Stage()
			fmt.Fprintf(&b, "\n### %s\n\n| code | rule | asked of | meaning | taken | summary of the error |\n|---|---|---|---|---|---|\n", stage)
		}
		code, taken, summary := "**"+string(r.Code)+"**", "strictly", r.Summary
		switch {
		case r.Excuse():
			code, taken, summary = string(r.Code), "permission", ""
		case r.Noted:
			taken, summary = "noted", ""
		case r.Legacy:
			taken = "legacy"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", code, r.ID, r.At, r.Meaning, taken, summary)
	}
	golden.Part(t, rulesPage, "provider", b.String())

	b.Reset()
	b.WriteString("| code | duty | promise |\n|---|---|---|\n")
	for _, d := range Duties() {
		fmt.Fprintf(&b, "| **%s** | `%s` | %s |\n", d.Code, d.ID, d.Meaning)
	}
	golden.Part(t, rulesPage, "engine", b.String())
}

func TestCodesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, r := range Rules() {
		for _, key := range []string{string(r.Code), r.ID} {
			if seen[key] != "" {
				t.Errorf("%s is used by %s and %s", key, seen[key], r.ID)
			}
			seen[key] = r.ID
		}
		if r.Meaning == "" || r.Summary == "" {
			t.Errorf("%s lacks words", r.ID)
		}
	}
}
