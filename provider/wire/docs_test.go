package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps the table in docs/rules.md equal to the rules.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| code | rule | meaning | summary of the error |\n|---|---|---|---|\n")
	for _, r := range Rules() {
		fmt.Fprintf(&b, "| **%s** | `%s` | %s | %s |\n", r.Code, r.ID, r.Meaning, r.Summary)
	}
	golden.Part(t, "../../docs/rules.md", "wire", b.String())
}
