package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

// TestDocsTest takes the example of docs/test.md at its word: its files are run,
// and what is shown has to be what the page shows.
func TestDocsTest(t *testing.T) {
	page, err := os.ReadFile("../../docs/test.md")
	if err != nil {
		t.Fatal(err)
	}
	script := &txtar.Archive{Comment: []byte("plumb init\n! plumb test\ncmp stdout want\n")}
	example, _, _ := strings.Cut(string(page), "\n## Runs")
	blocks := strings.Split(example, "\n```")
	for i := 1; i < len(blocks); i += 2 {
		kind, text, _ := strings.Cut(blocks[i], "\n")
		lines := strings.Split(strings.TrimSpace(blocks[i-1]), "\n")
		name := strings.Trim(lines[len(lines)-1], "`")
		if kind == "console" {
			name = "want"
			_, text, _ = strings.Cut(text, "\n") // the command
		}
		if kind != "" {
			script.Files = append(script.Files, txtar.File{Name: name, Data: []byte(text + "\n")})
		}
	}
	if len(script.Files) != 4 {
		t.Fatalf("the page has %d files and outputs", len(script.Files))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.txtar"), txtar.Format(script), 0o644); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		e.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
		e.Setenv("HOME", e.WorkDir)
		e.Setenv("NO_COLOR", "1")
		return nil
	}})
}
