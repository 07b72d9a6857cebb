package format

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/lang/layout"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// Options are the flags of fmt.
type Options struct{ List, Write, Diff, Check, Recursive bool }

// The exit statuses of fmt.
const (
	failed  = 2
	differs = 3
)

// Command is the row of fmt.
func Command() command.Command {
	return command.Command{
		Name: "fmt", Gap: true, Args: "[options] [target...]",
		Synopsis: "Put files into the standard style",
		About: `Rewrites configuration files (.tf, .tofu), files of variable values (.tfvars) and test files (.tftest.hcl) in the canonical style. JSON files are left alone.

A target is a directory or a file; without one it is the current directory. The target "-" reads the standard input and writes the result to the standard output.`,
		New: declare,
	}
}

func declare(f *command.Flags) command.Run {
	list := f.Bool("list", true, "Don't list the files whose formatting differs. Never listed for standard input.")
	write := f.Bool("write", true, "Don't write the files. Never written with -check or for standard input. With -list=false the result goes to the standard output.")
	diffs := f.Bool("diff", false, "Show what changes as differences.")
	check := f.Bool("check", false, "Only check: the exit status is 3 when a file is not formatted.")
	recursive := f.Bool("recursive", false, "Format the files in subdirectories, too.")
	return func(_ context.Context, s *session.Session, args []string) int {
		o := Options{List: *list, Write: *write && !*check, Diff: *diffs, Check: *check, Recursive: *recursive}
		return run(s, o, args)
	}
}

// formatter walks targets and counts what differs.
type formatter struct {
	s      *session.Session
	o      Options
	diags  diag.List
	differ int
	// held is what a check would show: not before it is known that it could be
	// made, as half a list is easily taken for all of it.
	held strings.Builder
}

func run(s *session.Session, o Options, args []string) int {
	f := &formatter{s: s, o: o}
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, target := range args {
		if target == "-" {
			f.stdin()
			continue
		}
		f.target(target)
	}
	s.Report(f.diags)
	switch {
	case f.diags.HasErrors():
		return failed
	case o.Check && f.differ > 0:
		s.Print("%s", f.held.String())
		return differs
	}
	return 0
}

func (f *formatter) fail(summary string) { f.diags = f.diags.Append(diag.Err(summary, "")) }

func (f *formatter) stdin() {
	src, err := io.ReadAll(f.s.Lines())
	if err != nil {
		f.fail("Failed to read the standard input: " + err.Error())
		return
	}
	f.o.List, f.o.Write = false, false
	if out, ok := f.source(src, "<stdin>"); ok && f.o.prints() {
		f.s.Stdout.Write(out)
	}
}

// prints says whether the result is what is shown, as nothing else is.
func (o Options) prints() bool { return !o.List && !o.Write && !o.Check && !o.Diff }

func (f *formatter) target(path string) {
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		f.fail("No file or directory at " + path)
	case info.IsDir():
		f.dir(path)
	case !formatted(path):
		f.fail("Only .tf, .tfvars, and .tftest.hcl files can be processed with plumb fmt")
	default:
		f.file(path)
	}
}

func (f *formatter) dir(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.fail("The directory " + dir + " cannot be read: " + err.Error())
		return
	}
	for _, e := range entries {
		name := e.Name()
		switch path := filepath.Join(dir, name); {
		case strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~"):
		case e.IsDir():
			if f.o.Recursive {
				f.dir(path)
			}
		case formatted(name):
			f.file(path)
		}
	}
}

var suffixes = []string{".tf", ".tofu", ".tfvars", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl"}

func formatted(name string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

func (f *formatter) file(path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		f.fail("The file " + path + " cannot be read: " + err.Error())
		return
	}
	out, ok := f.source(src, path)
	if ok && f.o.prints() {
		f.s.Stdout.Write(out)
	}
	if !ok || !f.o.Write || bytes.Equal(src, out) {
		return
	}
	err = writable(path)
	if err == nil {
		err = osfiles.Replace(path, osfiles.Replacement{Content: osfiles.Bytes(out)})
	}
	if err != nil {
		f.fail("The file " + path + " cannot be written, and is as it was: " + err.Error())
	}
}

// writable says why a file may not be written. Replacing it asks for a writable
// directory only, and who made a file read-only does not want another one there.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// source formats and tells of the differences.
func (f *formatter) source(src []byte, name string) (out []byte, ok bool) {
	f.s.AddSources(map[string][]byte{name: src})
	out, diags := layout.Format(src, name)
	f.diags = f.diags.With(diags)
	if diags.HasErrors() {
		return nil, false
	}
	if bytes.Equal(src, out) {
		return out, true
	}
	f.differ++
	if f.o.List {
		f.show(name + "\n")
	}
	if f.o.Diff {
		f.show(udiff.Unified("old/"+name, "new/"+name, string(src), string(out)))
	}
	return out, true
}

func (f *formatter) show(text string) {
	if f.o.Check {
		f.held.WriteString(text)
		return
	}
	f.s.Print("%s", text)
}
