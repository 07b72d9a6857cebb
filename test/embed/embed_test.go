package embed

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const repository = "../.."

// foreign puts the example into a module that is not this one, with the versions of
// everything else that this one has, and builds it there.
func foreign(t *testing.T) (program string) {
	t.Helper()
	dir := t.TempDir()
	copyFile(t, filepath.Join(repository, "examples/embed/main.go"), filepath.Join(dir, "main.go"))
	copyFile(t, filepath.Join(repository, "go.sum"), filepath.Join(dir, "go.sum"))
	write(t, filepath.Join(dir, "go.mod"), string(requirements(t)))
	program = filepath.Join(dir, "embed")
	build := exec.Command("go", "build", "-mod=mod", "-o", program, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// requirements is the go.mod of a module that needs what this one needs, and this one.
func requirements(t *testing.T) []byte {
	t.Helper()
	name := filepath.Join(repository, "go.mod")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := modfile.Parse(name, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	theirs := new(modfile.File)
	add := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add(theirs.AddModuleStmt("example.org/embed"))
	add(theirs.AddGoStmt(ours.Go.Version))
	for _, r := range ours.Require {
		add(theirs.AddRequire(r.Mod.Path, r.Mod.Version))
	}
	add(theirs.AddRequire(ours.Module.Mod.Path, "v0.0.0"))
	add(theirs.AddReplace(ours.Module.Mod.Path, "", here, ""))
	out, err := theirs.Format()
	add(err)
	return out
}

// TestEmbed brings a directory to what its configuration says, with a program that is
// not part of this module and does not run in that directory.
func TestEmbed(t *testing.T) {
	program, dir := foreign(t), t.TempDir()
	write(t, filepath.Join(dir, "greeting.txt"), "hello")
	write(t, filepath.Join(dir, "main.tf"), `
		terraform {
		  required_providers {
		    std = { source = "terraform.io/builtin/std" }
		  }
		}
		variable "whom" { default = "world" }
		resource "std_random_uuid" "id" { keepers = { whom = var.whom } }
		resource "terraform_data" "greeting" {
		  input = "${file("greeting.txt")} ${var.whom}"
		  provisioner "local-exec" { command = "echo made >> log.txt" }
		}
	`)
	for _, step := range []struct{ args, want string }{
		{"", "create std_random_uuid.id\ncreate terraform_data.greeting\n"},
		{"", "nothing to do\n"},
		{"whom=you", "create std_random_uuid.id\ndelete std_random_uuid.id\nupdate terraform_data.greeting\n"},
	} {
		if got := run(t, program, append([]string{dir}, strings.Fields(step.args)...)...); got != step.want {
			t.Errorf("embed %s:\n%swant:\n%s", step.args, got, step.want)
		}
	}
	if log := read(t, filepath.Join(dir, "log.txt")); log != "made\n" {
		t.Errorf("the provisioner wrote %q", log)
	}
	if s := read(t, filepath.Join(dir, "terraform.tfstate")); !strings.Contains(s, `"hello you"`) {
		t.Errorf("the state does not hold what was applied:\n%s", s)
	}
}

// run gives what the program prints, in the order of lines.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatalf("embed %s: %v\n%s", strings.Join(args, " "), err, err.(*exec.ExitError).Stderr)
	}
	return sorted(string(out))
}

func sorted(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func copyFile(t *testing.T, from, to string) { t.Helper(); write(t, to, read(t, from)) }
