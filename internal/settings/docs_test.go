package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps the dialect table of docs/compatibility.md equal to the one
// that decides.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| row | question | terraform | opentofu |\n|---|---|---|---|\n")
	for _, r := range settings.Rows() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, r.Question, r.Terraform, r.OpenTofu)
	}
	golden.Part(t, "../../docs/compatibility.md", "dialect table", b.String())
}
