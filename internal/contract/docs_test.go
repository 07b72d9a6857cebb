package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps docs/rules.md equal to the table.
func TestDocs(t *testing.T) {
	const file = "../../docs/rules.md"
	var b strings.Builder
	b.WriteString("# The contract between plumb and its providers\n\n")
	b.WriteString("Generated from the table in `internal/contract` by `go test ./internal/contract -update`.\n\n")
	b.WriteString("Every answer of a provider is held against these rules. A broken rule is an error, unless the table says\n")
	b.WriteString("*legacy* (providers of the old type system are excused; the breach is recorded) or *noted* (recorded only, since\n")
	b.WriteString("Terraform and OpenTofu do not look at it). Rows without a code in bold are permissions: where they apply,\n")
	b.WriteString("nothing more is asked of that place. Rows of one place are asked from top to bottom, and the first that is\n")
	b.WriteString("broken is the one that is reported.\n")
	stage := stages
	for _, r := range Rules() {
		if r.Stage() != stage {
			stage = r.Stage()
			fmt.Fprintf(&b, "\n## %s\n\n| code | rule | asked of | meaning | taken | summary of the error |\n|---|---|---|---|---|---|\n", stage)
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
	golden.File(t, file, b.String())
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
