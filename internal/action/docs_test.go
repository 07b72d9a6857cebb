package action

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/test/golden"
)

const rulesPage = "../../docs/rules.md"

// TestDocs keeps the tables in docs/rules.md equal to the rows that decide and to
// the operations of each action.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| the object is | so it is | reason in the plan's JSON |\n|---|---|---|\n")
	for _, r := range rows {
		what, reason := strings.Join(r.action.Names(), ", then "), string(r.reason)
		if r.replaces {
			what = "replaced"
		}
		if r.explains {
			reason = "why it is not wanted"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.name, what, reason)
	}
	golden.Part(t, rulesPage, "action", b.String())

	b.Reset()
	b.WriteString("| a data source that | is read | reason in the plan's JSON |\n|---|---|---|\n")
	for _, r := range dataRows {
		fmt.Fprintf(&b, "| %s | during apply | %s |\n", r.name, r.reason)
	}
	b.WriteString("| is another | while planning |  |\n")
	golden.Part(t, rulesPage, "data", b.String())

	b.Reset()
	b.WriteString("| action | makes | ends |\n|---|---|---|\n")
	for a := plan.NoOp; a <= plan.ForgetThenCreate; a++ {
		t := Operations(a, Current)
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Join(a.Names(), ", then "), listed(t.Make), listed(t.End))
	}
	golden.Part(t, rulesPage, "operations", b.String())

	b.Reset()
	b.WriteString("| an object was | the state keeps | its status | the intent |\n|---|---|---|---|\n")
	for _, r := range remnants {
		status, intent := "", "is closed"
		if r.left.Keeps == Told {
			status = r.left.Status.String()
		}
		if r.left.Open {
			intent = "stays open"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.name, r.left.Keeps, status, intent)
	}
	golden.Part(t, rulesPage, "remaining", b.String())
}

func listed(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return strings.Join(names, " · ")
}
