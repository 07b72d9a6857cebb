package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/settings"
)

// TestCredentialsHelper installs from a host whose token only a program knows.
func TestCredentialsHelper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helper is a shell script")
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	answers := func(script string) string { return "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/asked\"\n" + script }
	good := answers(`[ "$1 $2" = "--vault v" ] && [ "$3" = get ] && echo '{"token": "secret", "more": {}}'` + "\n")
	for _, c := range []struct {
		name, at, script, problem string
		// token is what is written down for the host.
		token string
	}{
		{name: "in the directory", at: "terraform-credentials-x", script: good},
		{name: "of the platform", at: platform + "/terraform-credentials-x", script: good},
		{name: "with a version", at: "terraform-credentials-x_v1.10.0", script: good},
		{name: "a token that is written down comes first", at: "terraform-credentials-x", script: answers("exit 1\n"), token: "secret"},
		{name: "none", at: "terraform-credentials-x", script: answers("echo '{}'\n"), problem: "refuses access"},
		{name: "a failure", at: "terraform-credentials-x", script: answers("echo the vault is sealed >&2; exit 3\n"), problem: "the vault is sealed"},
		{name: "nonsense", at: "terraform-credentials-x", script: answers("echo secret\n"), problem: "is no JSON object"},
		{name: "not there", at: "terraform-credentials-y", script: good, problem: "in none of the directories"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			program := filepath.Join(dir, c.at)
			if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(program, []byte(c.script), 0o755); err != nil {
				t.Fatal(err)
			}
			if older := filepath.Join(dir, "terraform-credentials-x_v1.9.0"); strings.Contains(c.at, "_v") {
				if err := os.WriteFile(older, []byte(answers("exit 9\n")), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			s := host(t, documents(t, newSigner(t)))
			b, install := fromHost(t, s, settings.Network{})
			at := b.required[1].Provider.Host
			cli := settings.CLI{Methods: []settings.Method{{Kind: settings.Direct}}, Tokens: map[string]string{},
				Helper: &settings.CredentialsHelper{Name: "x", Args: []string{"--vault", "v"}}}
			if c.token != "" {
				cli.Tokens[at], cli.Tokens["127.0.0.1"] = c.token, c.token
			}
			b.request = func(q *InstallRequest) {
				q.Sources = NewSources(cli, []string{filepath.Join(dir, "nowhere"), dir}, nil).WithHTTP(s.Client())
				q.DefaultHost = at
			}
			_, problem := install()
			if c.problem == "" && problem != "" || !strings.Contains(problem, c.problem) {
				t.Errorf("got %q, want %q", problem, c.problem)
			}
			asked, _ := os.ReadFile(filepath.Join(filepath.Dir(program), "asked"))
			for _, host := range strings.Fields(string(asked)) {
				if n := strings.Count(string(asked), "get "+host+"\n"); n > 1 {
					t.Errorf("asked %d times for %s", n, host)
				}
			}
			if strings.Contains(problem, "secret") {
				t.Errorf("tells the token: %s", problem)
			}
			if c.token != "" && len(asked) > 0 {
				t.Errorf("asked %q", asked)
			}
		})
	}
}
