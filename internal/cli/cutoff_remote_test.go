//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/test/stateserver"
)

// afterwards is a chain whose gated part no interrupt ends.
const afterwards = `
resource "terraform_data" "before" {}
resource "terraform_data" "slow" {
  depends_on = [terraform_data.before]
  provisioner "local-exec" {
    command = "GATE"
  }
}
resource "terraform_data" "after" {
  depends_on = [terraform_data.slow]
}
`

// newRemote is a gated chain whose state is kept on a server.
func newRemote(t *testing.T, chain string) (*gated, *stateserver.Server) {
	t.Helper()
	s := stateserver.New()
	t.Cleanup(s.Close)
	place := fmt.Sprintf("terraform {\n  backend \"http\" {\n    address        = %[1]q\n    lock_address   = %[1]q\n    unlock_address = %[1]q\n    retry_max      = 0\n  }\n}\n", s.URL+"/state")
	return newGated(t, place+strings.ReplaceAll(chain, "GATE", gate)), s
}

// holds waits until the server has a state with all of these texts.
func holds(t *testing.T, s *stateserver.Server, texts ...string) {
	t.Helper()
	for range 100 {
		missing := 0
		for _, text := range texts {
			if !strings.Contains(string(s.State()), text) {
				missing++
			}
		}
		if missing == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("no %q in:\n%s", texts, s.State())
}

// noJournal: the data directory has neither a journal nor a lock.
func (g *gated) noJournal() {
	g.Helper()
	if left, _ := filepath.Glob(filepath.Join(g.dir, ".terraform", "http-*")); len(left) > 0 {
		g.Error(left)
	}
}

// TestRemoteKilled: what was done by a run that was killed is in the journal here,
// though the server knows nothing of it, and the lock that it held is told of.
func TestRemoteKilled(t *testing.T) {
	g, s := newRemote(t, chain)
	r := g.start()
	if _, out := g.plumb("plan"); !strings.Contains(out, "OperationTypeApply") {
		t.Errorf("who holds the lock is not told:\n%s", out)
	}
	if status, out := g.plumb("state", "list"); status != 0 || strings.Contains(out, "Continuing") {
		t.Errorf("the journal of a run that goes on is reported:\n%s", out)
	}
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if r.Wait() == nil {
		t.Fatal("it was not killed")
	}
	g.release()
	if strings.Contains(string(s.State()), "before") {
		t.Errorf("the server has it already:\n%s", s.State())
	}

	var lock struct{ ID string }
	if err := json.Unmarshal(s.Lock(), &lock); err != nil {
		t.Fatal(err)
	}
	status, out := g.plumb("plan")
	if status != 1 {
		t.Error(out)
	}
	g.contains(out, "Error acquiring the state lock", lock.ID)
	if status, out = g.plumb("force-unlock", "-force", lock.ID); status != 0 {
		t.Fatal(out)
	}
	status, out = g.plumb("plan")
	if status != 0 {
		t.Fatal(out)
	}
	g.contains(out, "Continuing after a run that did not come to its end", "Operation with an unknown outcome",
		"with std_command.slow", "terraform_data.before: Refreshing state...", "2 to add, 0 to change, 0 to destroy")

	g.write("main.tf", strings.ReplaceAll(mustRead(t, g.dir, "main.tf"), gate, "echo made"))
	if status, out = g.plumb("apply", "-auto-approve"); status != 0 {
		t.Fatal(out)
	}
	g.contains(out, "2 added, 0 changed, 0 destroyed")
	holds(t, s, `"before"`, `"slow"`, `"after"`)
	if status, out := g.plumb("plan", "-detailed-exitcode"); status != 0 || strings.Contains(out, "Warning") {
		t.Errorf("status %d\n%s", status, out)
	}
	g.noJournal()
}

// TestRemoteInterrupted: after an interrupt the server gets what there is while the
// last operations run. Killed then, it is as if the run had ended there.
func TestRemoteInterrupted(t *testing.T) {
	for _, killed := range []bool{false, true} {
		g, s := newRemote(t, afterwards)
		r := g.start()
		r.interrupt(t, "Interrupt received")
		holds(t, s, `"before"`)
		if killed {
			if err := r.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		g.release()
		if r.Wait() == nil {
			t.Error("an interrupted run succeeded")
		}
		if killed {
			s.Put(s.State(), nil)
		} else {
			holds(t, s, `"before"`, `"slow"`)
			g.noJournal()
		}
		status, out := g.plumb("plan")
		if status != 0 || strings.Contains(out, "terraform_data.slow is tainted") != killed || !strings.Contains(out, "terraform_data.before: Refreshing") {
			t.Errorf("killed %t: status %d\n%s", killed, status, out)
		}
	}
}

// TestRemoteRefuses: when the server takes nothing any more, nothing new begins, what
// was under way is recorded here, and is stored in a file that can be pushed.
func TestRemoteRefuses(t *testing.T) {
	for _, lost := range []bool{false, true} {
		g, s := newRemote(t, afterwards)
		r := g.start()
		s.Trouble(stateserver.First("POST", 99, stateserver.Fault{Status: 500, Body: "trouble", Cut: lost, After: lost}))
		r.interrupt(t, "Interrupt received")
		for s.Seen("POST") == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		g.release()
		if r.Wait() == nil {
			t.Error("the run succeeded")
		}
		g.contains(r.out.String(), "Failed to save state", "plumb state push errored.tfstate")
		s.Trouble(nil)
		if status, out := g.plumb("plan"); status != 0 {
			t.Error(out)
		} else {
			g.contains(out, "terraform_data.slow: Refreshing state...", "1 to add, 0 to change, 0 to destroy")
		}
		if status, out := g.plumb("state", "push", "errored.tfstate"); status != 0 {
			t.Error(out)
		}
		holds(t, s, `"before"`, `"slow"`)
		if err := os.Remove(filepath.Join(g.dir, "errored.tfstate")); err != nil {
			t.Error(err)
		}
		if status, out := g.plumb("plan"); status != 0 || strings.Contains(out, "Continuing") {
			t.Error(out)
		}
		g.noJournal()
	}
}
