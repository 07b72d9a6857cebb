package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/serve"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
	"google.golang.org/grpc"
)

// shell tells the commands of a story on the command line, in a directory of its own.
// The fake provider is one that runs already.
type shell struct {
	t      *testing.T
	dir    string
	env    []string
	config string
	saved  string
}

func newShell(t *testing.T, tl *teller) *shell {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	tl.must(err)
	server := grpc.NewServer()
	serve.Register(shared{&instance{Provider: tl.world.fakes["fake"], world: tl.world}})(server)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	sh := &shell{t: t, dir: filepath.Join(dir, "work"), saved: filepath.Join(dir, "saved.plan")}
	tl.must(os.Mkdir(sh.dir, 0o755))
	sh.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TF_CLI_CONFIG_FILE=" + os.DevNull, "PLUMB_DIALECT=" + tl.story.dialect.String(), "CHECKPOINT_DISABLE=1",
		fmt.Sprintf(`TF_REATTACH_PROVIDERS={"hashicorp/fake":{"Protocol":"grpc","ProtocolVersion":6,"Pid":%d,"Test":true,"Addr":{"Network":"unix","String":%q}}}`, os.Getpid(), listener.Addr())}
	return sh
}

// shared is a provider that all configurations of it are asked of.
type shared struct{ *instance }

// Configure implements provider.Provider.
func (s shared) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	return logged(s.instance, func() diag.List { return s.Provider.Configure(ctx, req) })
}

// line runs a command line and gives its status and what it wrote.
func (sh *shell) line(args ...string) (int, string, string) {
	sh.t.Helper()
	back, err := os.Getwd()
	if err == nil {
		err = os.Chdir(sh.dir)
	}
	if err != nil {
		sh.t.Fatal(err)
	}
	defer func() { _ = os.Chdir(back) }()
	var out, complaints bytes.Buffer
	status := cli.Main(session.Process{
		Called: "plumb", Args: args, Env: sh.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints,
		Chdir: os.Chdir, Getwd: os.Getwd, Now: time.Now, Version: cli.Version, Language: cli.Language,
	})
	return status, out.String(), complaints.String()
}

// must runs a command line that has to succeed.
func (sh *shell) must(args ...string) {
	sh.t.Helper()
	if status, out, complaints := sh.line(args...); status != 0 {
		sh.t.Fatalf("%q ends with %d\n%s%s", args, status, out, complaints)
	}
}

// lay puts a configuration in place of the present one.
func (sh *shell) lay(name string, files map[string][]byte) {
	sh.t.Helper()
	if sh.config == name {
		return
	}
	sh.config = name
	entries, err := os.ReadDir(sh.dir)
	if err != nil {
		sh.t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(e.Name(), "terraform.tfstate") {
			_ = os.RemoveAll(filepath.Join(sh.dir, e.Name()))
		}
	}
	for file, src := range files {
		at := filepath.Join(sh.dir, file)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			sh.t.Fatal(err)
		}
		if err := os.WriteFile(at, src, 0o600); err != nil {
			sh.t.Fatal(err)
		}
	}
	sh.must("init", "-input=false")
}

// operate runs a command that plans or applies and gives its errors.
func (sh *shell) operate(tl *teller, c command) diag.List {
	sh.lay(tl.config, tl.story.configs[tl.config])
	var args []string
	switch c.verb {
	case "plan":
		_ = os.Remove(sh.saved)
		args = append([]string{"plan", "-json", "-out=" + sh.saved}, sh.flags(c)...)
	case "carry-out":
		if _, err := os.Stat(sh.saved); err != nil {
			return nil
		}
		args = []string{"apply", "-json", sh.saved}
	case "validate":
		args = []string{"validate", "-json"}
	default:
		args = append([]string{c.verb, "-json", "-auto-approve"}, sh.flags(c)...)
	}
	status, out, complaints := sh.line(args...)
	tl.line("%s\n%s", out, complaints)
	tl.took()
	diags := told(out)
	if (status != 0) != diags.HasErrors() {
		sh.t.Fatalf("%q ends with %d\n%s%s", args, status, out, complaints)
	}
	return diags
}

func (sh *shell) flags(c command) []string {
	var out []string
	for _, name := range sortedNames(c.flags) {
		for _, v := range c.flags[name] {
			if v != "" {
				v = "=" + v
			}
			out = append(out, "-"+name+v)
		}
	}
	return out
}

// told are the errors in lines of JSON.
func told(out string) diag.List {
	var diags diag.List
	for line := range strings.Lines(out) {
		var l struct {
			Type       string
			Diagnostic struct{ Severity, Summary, Address string }
		}
		if json.Unmarshal([]byte(line), &l) == nil && l.Type == "diagnostic" && l.Diagnostic.Severity == "error" {
			diags = append(diags, diag.Err(l.Diagnostic.Summary, "").For(l.Diagnostic.Address))
		}
	}
	return diags
}

// edit runs a command that edits the state. It may be refused: the story says of what
// there is nothing to change.
func (sh *shell) edit(c command) {
	verb := []string{c.verb}
	if rest, of := strings.CutPrefix(c.verb, "state-"); of {
		verb = []string{"state", rest}
	}
	sh.line(slices.Concat(verb, c.args)...)
}

// present is the state in the directory.
func (sh *shell) present() *state.Snapshot {
	sh.t.Helper()
	src, err := os.ReadFile(filepath.Join(sh.dir, "terraform.tfstate"))
	if os.IsNotExist(err) {
		return state.New("lineage")
	}
	s, diags := v4.Parse(src)
	if err != nil || diags.HasErrors() {
		sh.t.Fatal(err, diags)
	}
	return s
}
