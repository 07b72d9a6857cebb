//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// gated is a working directory in which one object's operation tells, through a
// pipe, that it runs, and waits, through another, until it may end.
type gated struct {
	*testing.T
	dir string
}

func newGated(t *testing.T, config string) *gated {
	t.Helper()
	g := &gated{t, t.TempDir()}
	g.write("main.tf", "terraform {\n  required_providers {\n    std = { source = \"terraform.io/builtin/std\" }\n  }\n}\n"+config)
	for _, name := range []string{"runs", "go"} {
		if err := syscall.Mkfifo(filepath.Join(g.dir, name), 0o600); err != nil {
			t.Skip("no pipes with names: ", err)
		}
	}
	if status, out := g.plumb("init"); status != 0 {
		t.Fatal(out)
	}
	return g
}

func (g *gated) write(name, content string) {
	g.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(content), 0o644); err != nil {
		g.Fatal(err)
	}
}

func (g *gated) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(g.Context(), time.Minute)
	g.Cleanup(cancel)
	c := exec.CommandContext(ctx, "plumb", args...)
	c.WaitDelay = time.Second // for what it has started
	c.Dir = g.dir
	c.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "HOME="+g.dir, "NO_COLOR=1")
	return c
}

// plumb runs a line to its end.
func (g *gated) plumb(args ...string) (status int, out string) {
	g.Helper()
	b, err := g.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		g.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(b)
	}
	return 0, string(b)
}

// start runs an apply until the gated operation is under way.
func (g *gated) start() *running { return g.startIn(nil) }

func (g *gated) startIn(attr *syscall.SysProcAttr) *running {
	g.Helper()
	r := &running{Cmd: g.command("apply", "-auto-approve"), said: map[string]chan struct{}{}}
	r.SysProcAttr = attr
	r.Stdout, r.Stderr = r, r
	if err := r.Start(); err != nil {
		g.Fatal(err)
	}
	if _, err := os.ReadFile(filepath.Join(g.dir, "runs")); err != nil { // until the other side has closed it
		g.Fatal(err)
	}
	return r
}

// release lets the operation end.
func (g *gated) release() {
	g.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, "go"), nil, 0); err != nil {
		g.Fatal(err)
	}
}

// running is a process whose output is watched.
type running struct {
	*exec.Cmd
	mu   sync.Mutex
	out  bytes.Buffer
	said map[string]chan struct{}
}

// Write takes output.
func (r *running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Write(b)
	for text, c := range r.said {
		if strings.Contains(r.out.String(), text) {
			close(c)
			delete(r.said, text)
		}
	}
	return len(b), nil
}

// interrupt sends a signal and waits for what is said about it.
func (r *running) interrupt(t *testing.T, answer string) {
	t.Helper()
	r.signal(t, r.Process.Pid, answer)
}

// interruptAll does so to the process and all of its group, as a terminal does.
func (r *running) interruptAll(t *testing.T, answer string) {
	t.Helper()
	r.signal(t, -r.Process.Pid, answer)
}

func (r *running) signal(t *testing.T, pid int, answer string) {
	t.Helper()
	c := make(chan struct{})
	r.mu.Lock()
	r.said[answer] = c
	r.mu.Unlock()
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-c
}

func (g *gated) contains(out string, texts ...string) {
	g.Helper()
	out = strings.Join(strings.Fields(out), " ")
	for _, text := range texts {
		if !strings.Contains(out, text) {
			g.Errorf("no %q in:\n%s", text, out)
		}
	}
}

const chain = `
resource "terraform_data" "before" {}
resource "std_command" "slow" {
  create     = "GATE"
  depends_on = [terraform_data.before]
}
resource "terraform_data" "after" {
  depends_on = [std_command.slow]
}
`

const gate = "echo > runs; read x < go; echo made"

// TestKilled: a run that is killed in the middle loses nothing that was done, and
// the next one knows what it does not know.
func TestKilled(t *testing.T) {
	g := newGated(t, strings.ReplaceAll(chain, "GATE", gate))
	r := g.start()
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if r.Wait() == nil {
		t.Fatal("it was not killed")
	}
	g.release()

	status, out := g.plumb("plan", "-out=stale")
	if status != 0 {
		t.Fatal(out)
	}
	g.contains(out, "Continuing after a run that did not come to its end", "Operation with an unknown outcome",
		"with std_command.slow", "terraform_data.before: Refreshing state...", "2 to add, 0 to change, 0 to destroy")
	for range 2 { // reading settles nothing
		if _, out := g.plumb("state", "list"); out != "" {
			g.contains(out, "terraform_data.before")
		}
	}

	// Nothing to do but to keep what the journal holds.
	status, out = g.plumb("apply", "-auto-approve", "-target=terraform_data.before")
	if status != 0 {
		t.Fatal(out)
	}
	stored, err := os.ReadFile(filepath.Join(g.dir, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	g.contains(string(stored), `"name": "before"`)
	if _, out = g.plumb("plan"); strings.Contains(out, "Continuing after") {
		t.Errorf("the state is not stored:\n%s", out)
	}
	g.contains(out, "Operation with an unknown outcome", "2 to add")
	if status, out = g.plumb("apply", "stale"); status != 1 {
		t.Errorf("an old plan was carried out:\n%s", out)
	}
	g.contains(out, "Saved plan is stale")

	g.write("main.tf", strings.ReplaceAll(mustRead(t, g.dir, "main.tf"), gate, "echo made"))
	status, out = g.plumb("apply", "-auto-approve")
	if status != 0 {
		t.Fatal(out)
	}
	g.contains(out, "2 added, 0 changed, 0 destroyed")
	if status, out = g.plumb("plan", "-detailed-exitcode"); status != 0 || strings.Contains(out, "Warning") {
		t.Errorf("status %d\n%s", status, out)
	}
	g.onlyState()
}

func mustRead(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// onlyState says that neither journal nor lock is left.
func (g *gated) onlyState() {
	g.Helper()
	left, err := filepath.Glob(filepath.Join(g.dir, ".terraform.tfstate*"))
	if err != nil || len(left) > 0 {
		g.Errorf("left over: %v, %v", left, err)
	}
}

const provisioned = `
resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "echo > runs; read x < go; echo made"
  }
}
resource "terraform_data" "after" {
  depends_on = [terraform_data.slow]
}
`

// TestInterrupted: the first interrupt lets what runs come to its end and starts
// nothing.
func TestInterrupted(t *testing.T) {
	g := newGated(t, provisioned)
	r := g.start()
	r.interrupt(t, "Interrupt received.")
	g.release()
	_ = r.Wait()
	if status := r.ProcessState.ExitCode(); status != 1 {
		t.Errorf("status %d", status)
	}
	g.contains(r.out.String(), "terraform_data.slow: Creation complete after", "Error: execution halted")
	if strings.Contains(r.out.String(), "terraform_data.after: Creating") {
		t.Error(r.out.String())
	}
	if _, out := g.plumb("state", "list"); out != "terraform_data.slow\n" {
		t.Error(out)
	}
	g.onlyState()
}

// TestInterruptedTwice: the second interrupt does not wait.
func TestInterruptedTwice(t *testing.T) {
	g := newGated(t, provisioned)
	r := g.start()
	r.interrupt(t, "Interrupt received.")
	r.interrupt(t, "Two interrupts received.")
	_ = r.Wait()
	if status := r.ProcessState.ExitCode(); status != 1 {
		t.Errorf("status %d", status)
	}
	if _, out := g.plumb("state", "list"); out != "terraform_data.slow\n" {
		t.Error(out)
	}
	_, out := g.plumb("plan")
	g.contains(out, "terraform_data.slow is tainted", "2 to add, 0 to change, 1 to destroy")
	g.onlyState()
}
