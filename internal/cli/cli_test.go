package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/plumb-iac/plumb/internal/cli"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/provider/embedded"
	"github.com/plumb-iac/plumb/test/testprovider"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plumb": plumb, "terraform": plumb, "tofu": plumb, "terraform-provider-test": testProvider})
}

// testProvider is a provider that misbehaves when it is told to.
func testProvider() {
	if err := providerserver.Serve(context.Background(), testprovider.New, providerserver.ServeOpts{
		Address: "example.com/t/test", ProtocolVersion: 6,
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// plumb is the program in a process of the test's own.
func plumb() {
	if err := embedded.Quiet(); err != nil {
		panic(err)
	}
	os.Exit(cli.Main(session.Process{
		Signals: session.Signals(),
		Called:  os.Args[0], Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Chdir: os.Chdir, Getwd: os.Getwd, Now: time.Now, Version: cli.Version, Language: cli.Language,
	}))
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: false,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"server": serverCommand},
		Setup: func(e *testscript.Env) error {
			e.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", e.WorkDir+"/.cache")
			e.Setenv("NO_COLOR", "1")
			e.Setenv("PLATFORM", runtime.GOOS+"_"+runtime.GOARCH)
			return nil
		},
	})
}

// outcome runs a line without a process.
func outcome(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = cli.Main(session.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
		Chdir: func(string) error { return nil }, Getwd: func() (string, error) { return ".", nil },
		Now: time.Now, Version: "1.2.3", Language: "1.16.0",
	})
	return status, out.String(), err.String()
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		args           []string
		status         int
		stdout, stderr string
	}{
		{nil, 127, "Usage: plumb", ""},
		{[]string{""}, 127, "Usage: plumb", ""},
		{[]string{"-nosuch"}, 127, "Usage: plumb", ""},
		{[]string{"-help"}, 0, "Main commands:\n  init", ""},
		{[]string{"-version"}, 0, "Plumb v1.2.3", ""},
		{[]string{"version"}, 0, "Terraform v1.16.0\non ", ""},
		{[]string{"plan", "--version"}, 0, "Plumb v1.2.3", ""},
		{[]string{"help"}, 1, "", `no command named "help"`},
		{[]string{"pla"}, 1, "", `Did you mean "plan"?`},
		{[]string{"plan", "-help"}, 0, "-detailed-exitcode", ""},
		{[]string{"state", "mv", "-h"}, 0, "Usage: plumb [global options] state mv", ""},
		{[]string{"state"}, 1, "replace-provider", ""},
		{[]string{"state", "bogus"}, 1, "Subcommands:", ""},
		{[]string{"-json", "plan"}, 1, "Usage: plumb", "in front of the command"},
		{[]string{"-chdir", "plan"}, 1, "", "Invalid -chdir option"},
		{[]string{"plan", "-nosuch"}, 1, "", "flag provided but not defined: -nosuch"},
		{[]string{"plan", "extra"}, 1, "", "Too many command line arguments"},
		{[]string{"plan", "extra", "-nosuch"}, 1, "", "Too many command line arguments"},
		{[]string{"plan", "-parallelism=x"}, 1, "", `invalid value "x" for flag -parallelism`},
		{[]string{"plan", "-refresh=maybe"}, 1, "", `invalid boolean value "maybe" for -refresh`},
		{[]string{"plan", "-destroy", "-refresh-only"}, 1, "", "Incompatible plan mode options"},
		{[]string{"plan", "-refresh-only", "-refresh=false"}, 1, "", "Incompatible refresh options"},
		{[]string{"destroy", "-destroy"}, 1, "", "Invalid mode option"},
		{[]string{"apply", "-json"}, 1, "Plan file or auto-approve required", ""},
		{[]string{"apply", "-json", "-nosuch"}, 1, `"summary":"Failed to parse command-line flags"`, ""},
		{[]string{"output", "-raw"}, 1, "", "Output name required"},
		{[]string{"taint"}, 1, "", "Required argument missing"},
		{[]string{"providers", "schema"}, 1, "", "-json option is required"},
		{[]string{"login", "-anything"}, 1, "", "Command not available"},
		{[]string{"init", "-migrate-state", "-reconfigure"}, 1, "", "Invalid init options"},
	} {
		status, stdout, stderr := outcome(c.args...)
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("plumb %s: status %d, want %d with %q and %q\nstdout: %s\nstderr: %s",
				strings.Join(c.args, " "), status, c.status, c.stdout, c.stderr, stdout, stderr)
		}
	}
}

// TestHelp holds every command to having help for every flag.
func TestHelp(t *testing.T) {
	for _, line := range cli.Names() {
		status, stdout, stderr := outcome(append(strings.Fields(line), "-help")...)
		if status != 0 || !strings.HasPrefix(stdout, "Usage: plumb [global options] "+line) || stderr != "" {
			t.Errorf("%s -help: status %d\n%s%s", line, status, stdout, stderr)
		}
		for n, text := range strings.Split(stdout, "\n") {
			if len(text) > 80 {
				t.Errorf("%s -help: line %d is %d columns wide: %s", line, n+1, len(text), text)
			}
		}
	}
}
