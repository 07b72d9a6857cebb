package kill

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const files = 60

const configuration = `
terraform {
  required_providers {
    std = { source = "terraform.io/builtin/std" }
  }
}
resource "std_file" "a" {
  count   = %[1]d
  path    = "${path.root}/out/a${count.index}"
  content = "file ${count.index}"
}
resource "std_file" "b" {
  count   = %[1]d
  path    = "${path.root}/out/b${count.index}"
  content = std_file.a[count.index].id
}
`

// TestKill kills an apply and a destroy when a number of files are there.
func TestKill(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("short run: this test kills processes many times over; run without -short")
	}
	bin := build(t)
	for _, at := range []int{1, files, files + files/2} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			d := &dir{t: t, bin: bin, path: t.TempDir()}
			d.write("main.tf", fmt.Sprintf(configuration, files))
			d.run(0, "init", "-no-color")

			d.kill(at, "Creation complete", "apply", "-auto-approve", "-no-color")
			made := d.count()
			known := d.known()
			if made < at || known > made {
				t.Errorf("%d files exist, the state has %d", made, known)
			}
			if astray := made - known; astray > 10 {
				t.Errorf("%d files are neither in the state nor under way", astray)
			}
			d.run(0, "apply", "-auto-approve", "-no-color")
			if n := d.count(); n != 2*files || d.known() != n {
				t.Errorf("%d files exist after going on, the state has %d; want %d", n, d.known(), 2*files)
			}
			d.run(0, "plan", "-detailed-exitcode", "-no-color")

			d.kill(at, "Destruction complete", "destroy", "-auto-approve", "-no-color")
			if left, known := d.count(), d.known(); known < left {
				t.Errorf("%d files are left, the state has %d", left, known)
			}
			d.run(0, "destroy", "-auto-approve", "-no-color")
			if n := d.count(); n != 0 || d.known() != 0 {
				t.Errorf("%d files are left in the end, the state has %d", n, d.known())
			}
		})
	}
}

// build builds the program.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "plumb")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/plumb-iac/plumb/cmd/plumb").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// dir is a working directory.
type dir struct {
	t    *testing.T
	bin  string
	path string
	// env is more environment.
	env []string
}

func (d *dir) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.path, name), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *dir) command(args ...string) *exec.Cmd {
	cmd := exec.Command(d.bin, args...)
	cmd.Dir = d.path
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE=", "TF_IN_AUTOMATION=1")
	cmd.Env = append(cmd.Env, d.env...)
	return cmd
}

func (d *dir) run(exit int, args ...string) string {
	d.t.Helper()
	cmd := d.command(args...)
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		d.t.Fatalf("plumb %s: exit %d, want %d\n%s", strings.Join(args, " "), got, exit, out)
	}
	return string(out)
}

// kill starts a command and kills it when so many of its lines end with what is
// given.
func (d *dir) kill(lines int, ending string, args ...string) {
	d.t.Helper()
	cmd := d.command(args...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	for s := bufio.NewScanner(out); lines > 0 && s.Scan(); {
		if strings.Contains(s.Text(), ending) {
			lines--
		}
	}
	if lines > 0 {
		d.t.Errorf("plumb %s ended before it was killed", strings.Join(args, " "))
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// count is the number of files that were asked for; a killed process may leave
// half-written ones beside them.
func (d *dir) count() int {
	made, _ := filepath.Glob(filepath.Join(d.path, "out", "[ab]*"))
	return len(made)
}

// known is how many objects the state has, the journal folded in.
func (d *dir) known() int {
	d.t.Helper()
	return strings.Count(d.run(0, "state", "list"), "std_file.")
}
