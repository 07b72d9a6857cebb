package cli_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/internal/cli"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/provider/embedded"
)

// accidents are what differs from run to run, and what stands for it.
var accidents = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b`), "HASH"},
	{regexp.MustCompile(`\b[a-z]+-[a-z]+(["\]<])`), "PET$1"},
	{regexp.MustCompile(`after \d+s`), "after 0s"},
	{regexp.MustCompile(`size( +)= \d+`), "size${1}= N"},
}

// plain are the lines of a text without accidents, sorted: what runs at the same time
// is told in any order.
func plain(text string) []string {
	for _, a := range accidents {
		text = a.what.ReplaceAllString(text, a.as)
	}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// TestDocsViews runs the configuration of docs/views.md and holds the captures of a
// plan, an apply and a plan without changes, there and in README.md, to what is shown.
func TestDocsViews(t *testing.T) {
	if err := embedded.Quiet(); err != nil {
		t.Fatal(err)
	}
	page, readme := block(t, "../../docs/views.md"), block(t, "../../README.md")
	configuration, values := page("The configuration", 0), page("The configuration", 1)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"main.tf": configuration, "next.tfvars": values} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown := func(args ...string) []string {
		var out bytes.Buffer
		status := cli.Main(session.Process{
			Args: args, Env: append(os.Environ(), "NO_COLOR=1", "TF_CLI_CONFIG_FILE="+os.DevNull), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
			Chdir: os.Chdir, Getwd: os.Getwd, Now: time.Now, Version: cli.Version, Language: cli.Language,
		})
		if status != 0 {
			t.Fatalf("%v: status %d\n%s", args, status, out.String())
		}
		return plain(out.String())
	}
	shown("init")
	shown("apply", "-auto-approve")
	planned := shown("plan", "-var-file=next.tfvars")
	compare(t, "A plan", page("A plan", 0), slices.Clone(planned))
	compare(t, "README", readme("Try it", 0), planned)
	compare(t, "An apply", page("An apply", 0), shown("apply", "-auto-approve", "-var-file=next.tfvars"))
	compare(t, "Nothing to do", page("Nothing to do", 0), shown("plan", "-var-file=next.tfvars"))
}

// block gives the blocks of text under the headings of a page, by their number.
func block(t *testing.T, file string) func(heading string, n int) string {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(heading string, n int) string {
		_, section, found := strings.Cut(string(page), "\n## "+heading+"\n")
		blocks := strings.Split(section, "\n```")
		if !found || len(blocks) < 2*n+2 {
			t.Fatalf("%s has no block %d under %q", file, n, heading)
		}
		_, text, _ := strings.Cut(blocks[2*n+1], "\n")
		return text
	}
}

// compare looks for each line of a capture in what is shown.
func compare(t *testing.T, heading, capture string, got []string) {
	t.Helper()
	for _, line := range plain(capture) {
		i := slices.Index(got, line)
		if i < 0 {
			t.Errorf("%s: not shown any more: %s", heading, line)
			continue
		}
		got = slices.Delete(got, i, i+1)
	}
}
