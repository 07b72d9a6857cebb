//go:build unix

package provisioner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// body makes a configuration object: null where nothing is given.
func body(p Provisioner, given map[string]cty.Value) cty.Value {
	attrs := map[string]cty.Value{}
	for name, t := range p.Schema().Type().AttributeTypes() {
		attrs[name] = cty.NullVal(t)
		if v, ok := given[name]; ok {
			attrs[name] = v
		}
	}
	return cty.ObjectVal(attrs)
}

func local(t *testing.T, ctx context.Context, given map[string]cty.Value) (lines []string, problem string) {
	t.Helper()
	p := All(Options{Env: []string{"PATH=" + os.Getenv("PATH"), "A=outer"}, GOOS: "linux"})["local-exec"]
	diags := p.Run(ctx, body(p, given), cty.NullVal(cty.DynamicPseudoType), func(s string) { lines = append(lines, s) })
	for _, d := range diags {
		problem += d.Summary + ": " + d.Detail
	}
	return lines, problem
}

func TestLocalExec(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		given map[string]cty.Value
		lines string
		fails string
	}{
		{"output", map[string]cty.Value{"command": cty.StringVal("echo one; echo two >&2; printf three")},
			`Executing: ["/bin/sh" "-c" "echo one; echo two >&2; printf three"]|one|two|three`, ""},
		{"interpreter", map[string]cty.Value{"command": cty.StringVal("print-me"), "interpreter": cty.ListVal([]cty.Value{cty.StringVal("/bin/echo"), cty.StringVal("-n")})},
			`Executing: ["/bin/echo" "-n" "print-me"]|print-me`, ""},
		{"environment", map[string]cty.Value{"command": cty.StringVal("echo $A $B; pwd"), "working_dir": cty.StringVal(dir), "quiet": cty.True,
			"environment": cty.MapVal(map[string]cty.Value{"B": cty.StringVal("inner"), "C": cty.NullVal(cty.String)})},
			"local-exec: Executing: Suppressed by quiet=true|outer inner|" + dir, ""},
		{"failure", map[string]cty.Value{"command": cty.StringVal("echo why; exit 7")},
			`Executing: ["/bin/sh" "-c" "echo why; exit 7"]|why`, "local-exec provisioner error: Error running command 'echo why; exit 7': exit status 7. Output: why\n"},
		{"empty", map[string]cty.Value{"command": cty.StringVal("")}, "", "Invalid local-exec provisioner command: The command must be a non-empty string."},
		{"null interpreter", map[string]cty.Value{"command": cty.StringVal("x"), "interpreter": cty.ListVal([]cty.Value{cty.NullVal(cty.String)})},
			"", "Invalid local-exec provisioner interpreter: An element of the interpreter list is null."},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, problem := local(t, context.Background(), c.given)
			if got := strings.Join(lines, "|"); got != c.lines || problem != c.fails {
				t.Errorf("got %s\n%s", got, problem)
			}
		})
	}
}

// A long line comes in parts, and the message repeats the end only.
func TestMuchOutput(t *testing.T) {
	lines, problem := local(t, context.Background(), map[string]cty.Value{"command": cty.StringVal("head -c 200000 /dev/zero | tr '\\0' x; echo; exit 1")})
	n := 0
	for _, l := range lines[1:] {
		n += len(l)
	}
	if n != 200000 || len(problem) > 2*tailSize {
		t.Error(n, len(problem))
	}
}

// Cancelling ends the children of the command, too.
func TestCancelEndsTheGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := All(Options{Env: []string{"PATH=" + os.Getenv("PATH")}, GOOS: "linux"})["local-exec"]
	start := time.Now()
	diags := p.Run(ctx, body(p, map[string]cty.Value{"command": cty.StringVal("sleep 60 & echo $! > " + pidFile + "; echo ready; wait")}), cty.NullVal(cty.DynamicPseudoType), func(s string) {
		if s == "ready" {
			cancel()
		}
	})
	if !diags.HasErrors() || time.Since(start) > 30*time.Second {
		t.Fatal(diags, time.Since(start))
	}
	src, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	for _, c := range strings.TrimSpace(string(src)) {
		pid = pid*10 + int(c-'0')
	}
	for range 100 {
		if alive(pid) {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		return
	}
	t.Error("the child outlived its command")
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
