package acceptance

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// TestMain keeps what the SDK logs out of what tests report.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write the golden files")

// served are providers by their names, each a tfprotov5.ProviderServer or a
// tfprotov6.ProviderServer.
type served map[string]any

// stage is a working directory in which the program under test finds providers
// that the test itself serves. What the harness of plugin-testing cannot ask is
// asked here, of the same program by the same wire.
type stage struct {
	t    *testing.T
	dir  string
	path string
	env  []string
}

// newStage sets a stage up; it is struck at the end of the test.
func newStage(t *testing.T, providers served) *stage {
	t.Helper()
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		t.Skip("no program to test: make acceptance builds it and names it in TF_ACC_TERRAFORM_PATH")
	}
	s := &stage{t: t, dir: t.TempDir(), path: path}
	if err := os.WriteFile(filepath.Join(s.dir, "none"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.reach(providers)
	return s
}

// reach has the program find these providers from here on.
func (s *stage) reach(providers served) {
	s.t.Helper()
	at := map[string]*plugin.ReattachConfig{}
	for name, p := range providers {
		c := serve(s.t, name, p)
		for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} { // whose addresses have no host
			at[host+"/hashicorp/"+name] = c
		}
	}
	s.env = append(os.Environ(), "TF_REATTACH_PROVIDERS="+reattach(s.t, at), "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+filepath.Join(s.dir, "none"))
}

// serve lets the program reach a provider as long as the test runs.
func serve(t *testing.T, name string, provider any) *plugin.ReattachConfig {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	ended := make(chan error, 1)
	address := "registry.terraform.io/hashicorp/" + name
	go func() {
		switch p := provider.(type) {
		case tfprotov5.ProviderServer:
			ended <- tf5server.Serve(address, func() tfprotov5.ProviderServer { return p },
				tf5server.WithDebug(ctx, ready, closed), tf5server.WithGoPluginLogger(hclog.NewNullLogger()), tf5server.WithLoggingSink(t))
		case tfprotov6.ProviderServer:
			ended <- tf6server.Serve(address, func() tfprotov6.ProviderServer { return p },
				tf6server.WithDebug(ctx, ready, closed), tf6server.WithGoPluginLogger(hclog.NewNullLogger()), tf6server.WithLoggingSink(t))
		default:
			ended <- errors.New("this is not a provider")
		}
	}()
	select {
	case config := <-ready:
		t.Cleanup(func() { cancel(); <-closed })
		return config
	case err := <-ended:
		cancel()
		t.Fatalf("provider %s cannot be served: %v", name, err)
		return nil
	}
}

// reattach writes where providers run in the form of TF_REATTACH_PROVIDERS.
func reattach(t *testing.T, at map[string]*plugin.ReattachConfig) string {
	t.Helper()
	entries := map[string]any{}
	for address, c := range at {
		entries[address] = map[string]any{"Protocol": c.Protocol, "ProtocolVersion": c.ProtocolVersion, "Pid": c.Pid, "Test": true,
			"Addr": map[string]string{"Network": c.Addr.Network(), "String": c.Addr.String()}}
	}
	text, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write replaces the configuration.
func (s *stage) write(text string) {
	s.t.Helper()
	s.writeFile("main.tf", text)
}

// writeFile replaces a file of the configuration.
func (s *stage) writeFile(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a command and gives what it wrote and the code it exited with.
func (s *stage) run(args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	cmd := exec.Command(s.path, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		s.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// must runs a command that has to succeed.
func (s *stage) must(args ...string) string {
	s.t.Helper()
	stdout, stderr, code := s.run(args...)
	if code != 0 {
		s.t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, cmp.Or(stderr, stdout))
	}
	return stdout
}

func (s *stage) decode(text string, into any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.t.Fatalf("%v in %s", err, text)
	}
}

// golden holds a text against a file of testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the program does; with -update it is written anew\n%s", file, difference(string(want), got))
	}
}

// difference are the lines that two texts do not share.
func difference(want, got string) string {
	count := map[string]int{}
	for line := range strings.Lines(want) {
		count[line]++
	}
	var out strings.Builder
	for line := range strings.Lines(got) {
		if count[line]--; count[line] < 0 {
			out.WriteString("+ " + line)
		}
	}
	for line := range strings.Lines(want) {
		for ; count[line] > 0; count[line]-- {
			out.WriteString("- " + line)
		}
	}
	return out.String()
}
