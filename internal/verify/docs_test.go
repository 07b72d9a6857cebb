package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/verify"
	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps the table in docs/verify.md equal to the rules.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| code | rule | promise |\n|---|---|---|\n")
	for _, r := range verify.Rules() {
		noted := ""
		if r.Noted {
			noted = " *(noted only)*"
		}
		fmt.Fprintf(&b, "| %s | %s | %s%s |\n", r.Code, r.ID, r.Meaning, noted)
	}
	golden.Part(t, "../../docs/verify.md", "rules", b.String())
}
