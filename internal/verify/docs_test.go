package verify_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/verify"
)

var update = flag.Bool("update", false, "rewrite the table in docs/verify.md")

// TestDocs keeps the table in docs/verify.md equal to the rules.
func TestDocs(t *testing.T) {
	const file, begin, end = "../../docs/verify.md", "<!-- rules: begin -->\n", "<!-- rules: end -->"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), begin)
	have, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has no marks for the table")
	}
	var b strings.Builder
	b.WriteString("| code | rule | promise |\n|---|---|---|\n")
	for _, r := range verify.Rules() {
		noted := ""
		if r.Noted {
			noted = " *(noted only)*"
		}
		fmt.Fprintf(&b, "| %s | %s | %s%s |\n", r.Code, r.ID, r.Meaning, noted)
	}
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have != b.String() {
		t.Error("docs/verify.md is not the table; make docs")
	}
}
