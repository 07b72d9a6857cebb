package cli_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/cli"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// A person at a terminal edits lines, makes mistakes, and is not told of them by
// the exit status.
func TestConsoleAtATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TF_CLI_CONFIG_FILE", "")
	typed := []string{"1 + 1", "{", "a = 2", "}", "nope", `"last"`}
	var prompts []string
	edit := func(prompt string) (string, error) {
		prompts = append(prompts, strings.TrimSpace(prompt))
		if len(typed) == 0 {
			return "", io.EOF
		}
		line := typed[0]
		typed = typed[1:]
		return line, nil
	}
	var out, complaints bytes.Buffer
	status := cli.Main(session.Process{
		Args: []string{"console"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints,
		Terminal: true, Edit: edit, Now: time.Now, Version: cli.Version, Language: cli.Language,
	})
	if status != 0 {
		t.Errorf("status %d:\n%s%s", status, &out, &complaints)
	}
	if got := strings.Join(prompts, ""); got != ">>::>>>" {
		t.Errorf("prompts %s", got)
	}
	if want := "2\n{\n  \"a\" = 2\n}\n\"last\"\n\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	if !strings.Contains(complaints.String(), "Invalid reference") {
		t.Errorf("the mistake is not told: %s", &complaints)
	}
}
