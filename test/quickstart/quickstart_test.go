package quickstart

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// plumb builds the program.
func plumb(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "plumb")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/plumb-iac/plumb/cmd/plumb").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// run runs a command of the program in dir and fails the test when its exit
// code is another one.
func run(t *testing.T, dir, rc string, exit int, bin string, args ...string) string {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "TF_IN_AUTOMATION=1")
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		t.Fatalf("plumb %s: exit %d, want %d\n%s", strings.Join(args, " "), got, exit, out)
	}
	return string(out)
}

// TestQuickstart creates, plans again, repairs drift, replaces and destroys.
func TestQuickstart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the example's script is for a POSIX shell")
	}
	bin, work := plumb(t), t.TempDir()
	out, err := exec.Command("../../examples/quickstart/run", bin, work).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "No changes.") {
		t.Errorf("the second plan finds something to do:\n%s", out)
	}
	dir, rc := filepath.Join(work, "platform"), filepath.Join(work, "plumbrc")
	run(t, dir, rc, 0, bin, "plan", "-detailed-exitcode", "-no-color")
	if out := run(t, dir, rc, 2, bin, "plan", "-detailed-exitcode", "-no-color", "-replace=time_static.founded"); !strings.Contains(out, "time_static.founded will be replaced, as requested") {
		t.Errorf("no replacement is planned:\n%s", out)
	}
	run(t, dir, rc, 0, bin, "destroy", "-auto-approve", "-no-color")
	if out := run(t, dir, rc, 0, bin, "state", "list"); strings.TrimSpace(out) != "" {
		t.Errorf("left in the state after destroy:\n%s", out)
	}
}
