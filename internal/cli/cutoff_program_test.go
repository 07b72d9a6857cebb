//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// encryptedBy has states encrypted by a program that waits once, when it is to
// encrypt and there is a file "gate".
const encryptedBy = `
terraform {
  encryption {
    method "external" "m" {
      encrypt_command = ["sh", "prog.sh", "encrypt"]
      decrypt_command = ["sh", "prog.sh", "decrypt"]
    }
    state {
      method = method.external.m
    }
  }
}
resource "std_command" "first" {
  create = "touch gate"
}
resource "std_command" "second" {
  create     = "true"
  depends_on = [std_command.first]
}
`

const waitingProgram = `
printf '{"magic":"OpenTofu-External-Encryption-Method","version":1}\n'
in=$(cat)
if [ "$1" = encrypt ] && [ -e gate ]; then
  rm gate
  echo > runs
  read x < go
fi
printf '%s' "$in"
`

// TestInterruptedProgram: an interrupt at the terminal goes to all that runs
// there, and does not end the program that is about to encrypt what was done.
func TestInterruptedProgram(t *testing.T) {
	g := newGated(t, encryptedBy)
	g.write("prog.sh", waitingProgram)
	r := g.startIn(&syscall.SysProcAttr{Setpgid: true})
	r.interruptAll(t, "Interrupt received.")
	g.releaseLiving()
	_ = r.Wait()
	if status := r.ProcessState.ExitCode(); status != 1 {
		t.Errorf("status %d", status)
	}
	g.contains(r.out.String(), "std_command.first: Creation complete after", "Error: execution halted")
	if out := r.out.String(); strings.Contains(out, "Failed to save state") || strings.Contains(out, "std_command.second: Creating") {
		t.Error(out)
	}
	if _, out := g.plumb("state", "list"); out != "std_command.first\n" {
		t.Error(out)
	}
	if _, err := os.Stat(filepath.Join(g.dir, ".terraform.tfstate.journal")); err == nil {
		t.Error("the journal is left")
	}
}

// TestHangup: a terminal that is gone, which the system and the shell both tell of,
// drains what is running as one interrupt does.
func TestHangup(t *testing.T) {
	g := newGated(t, encryptedBy)
	g.write("prog.sh", waitingProgram)
	r := g.start()
	for range 3 {
		if err := r.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // signals of one kind are not counted by the system
	}
	g.releaseLiving()
	_ = r.Wait()
	if status := r.ProcessState.ExitCode(); status != 1 {
		t.Errorf("status %d", status)
	}
	out := r.out.String()
	g.contains(out, "Interrupt received.", "std_command.first: Creation complete after", "Error: execution halted")
	if strings.Contains(out, "Two interrupts") || strings.Contains(out, "std_command.second: Creating") {
		t.Error(out)
	}
	if _, out := g.plumb("state", "list"); out != "std_command.first\n" {
		t.Error(out)
	}
}

// TestNobodyReads: who reads the output goes away, and what is being made is made.
func TestNobodyReads(t *testing.T) {
	g := newGated(t, strings.ReplaceAll(chain, "GATE", gate))
	c := g.command("apply", "-auto-approve")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(filepath.Join(g.dir, "runs")); err != nil {
		t.Fatal(err)
	}
	out.Close()
	g.release()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if _, out := g.plumb("state", "list"); out != "std_command.slow\nterraform_data.after\nterraform_data.before\n" {
		t.Error(out)
	}
}

// TestNobodyReadsMore: a command that only tells things ends as it would have, although
// who reads them has seen enough.
func TestNobodyReadsMore(t *testing.T) {
	g := newGated(t, "output \"long\" {\n  value = range(1000)\n}\n")
	if status, out := g.plumb("apply", "-auto-approve"); status != 0 {
		t.Fatal(out)
	}
	for _, args := range [][]string{{"version"}, {"output"}, {"output", "-json"}, {"show"}, {"show", "-json"}, {"validate", "-json"}, {"plan", "-detailed-exitcode"}} {
		c := g.command(args...)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		c.Stderr = &told
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if err := c.Run(); err != nil || told.Len() > 0 {
			t.Errorf("plumb %s: %v\n%s", strings.Join(args, " "), err, &told)
		}
	}
}

// releaseLiving is release for what may not have lived to wait.
func (g *gated) releaseLiving() {
	g.Helper()
	var err error
	for range 100 {
		var f *os.File
		if f, err = os.OpenFile(filepath.Join(g.dir, "go"), os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			_ = f.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	g.Error("nobody waits: ", err)
}
