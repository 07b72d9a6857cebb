package settings_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/test/golden"
)

// TestDocs keeps the dialect table of docs/compatibility.md equal to the one
// that decides.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../docs/compatibility.md", "<!-- dialect table: begin -->\n", "<!-- dialect table: end -->"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(src), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("docs/compatibility.md has lost the marks around the dialect table")
	}
	var b strings.Builder
	b.WriteString("| row | question | terraform | opentofu |\n|---|---|---|---|\n")
	for _, r := range settings.Rows() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Name, r.Question, r.Terraform, r.OpenTofu)
	}
	want := before + begin + b.String() + end + after
	golden.File(t, file, want)
}
