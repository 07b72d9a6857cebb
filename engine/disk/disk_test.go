package disk_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/disk"
)

// directory makes a working directory with a root module.
func directory(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, o disk.Options) *disk.Directory {
	t.Helper()
	d, diags := disk.Open(context.Background(), o)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// apply plans and applies everything.
func apply(t *testing.T, d *disk.Directory) {
	t.Helper()
	ctx, e := context.Background(), engine.New(d.Engine())
	defer e.Close()
	doc, diags := e.Plan(ctx, engine.PlanOptions{State: d.State()})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if _, diags = e.Apply(ctx, doc, d.Apply()); diags.HasErrors() {
		t.Fatal(diags)
	}
}

// TestRefused has the errors that leave no directory open, and nothing locked.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a mistake", `resource "terraform_data" {}`, "Missing name for resource"},
		{"a module that is not installed", `module "m" { source = "./m" }`, "Module not installed"},
		{"a provider that is not installed", `resource "some_thing" "x" {}`, "Inconsistent dependency lock file"},
		{"another place for the state", `terraform { 
			backend "s3" {}
		}`, "The state is kept elsewhere"},
		{"another language", `terraform { required_version = ">= 99" }`, "Unsupported Terraform Core version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := directory(t, c.source)
			_, diags := disk.Open(context.Background(), disk.Options{Dir: dir})
			if !diags.HasErrors() || diags.Errors()[0].Summary != c.want {
				t.Fatalf("got %v, want %q", diags, c.want)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
		})
	}
}

// TestLock is DK1: one at a time, and everybody may look.
func TestLock(t *testing.T) {
	dir := directory(t, `resource "terraform_data" "x" {}`)
	first := open(t, disk.Options{Dir: dir, Operation: "first"})
	_, diags := disk.Open(context.Background(), disk.Options{Dir: dir})
	if !diags.HasErrors() || !strings.Contains(diags.Errors()[0].Detail, "first") {
		t.Fatalf("the second one gets %v, and should be told of the first", diags)
	}
	open(t, disk.Options{Dir: dir, NoLock: true})
	first.Close()
	open(t, disk.Options{Dir: dir})
}

// TestState finds what was applied, in the file that was asked for.
func TestState(t *testing.T) {
	dir := directory(t, `
		terraform { 
			backend "s3" {}
		}
		resource "terraform_data" "x" { input = terraform.workspace }
		data "terraform_remote_state" "other" {
			backend = "local"
			config  = { path = "other.tfstate" }
		}
		output "seen" { value = data.terraform_remote_state.other.outputs }
	`)
	other := `{"version":4,"terraform_version":"1.0.0","serial":1,"lineage":"l","outputs":{"a":{"value":"b","type":"string"}},"resources":[]}`
	if err := os.WriteFile(filepath.Join(dir, "other.tfstate"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, disk.Options{Dir: dir, StateFile: "kept.tfstate"})
	apply(t, d)
	if d.State().Empty() {
		t.Error("the directory does not know what was applied")
	}
	apply(t, d) // another one goes on from there
	d.Close()
	again := open(t, disk.Options{Dir: dir, StateFile: "kept.tfstate"})
	if !again.State().Equal(d.State()) {
		t.Error("the file does not hold what was applied")
	}
	if o, ok := again.State().Output("seen"); !ok || o.Value.GetAttr("a").AsString() != "b" {
		t.Errorf("the other state's outputs are %v", o)
	}
	if _, err := os.Stat(filepath.Join(dir, "kept.tfstate")); err != nil {
		t.Error(err)
	}
}

// TestSideBySide works on several directories at a time in one process.
func TestSideBySide(t *testing.T) {
	for _, name := range []string{"a", "b", "c", "d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := directory(t, `
				resource "terraform_data" "x" {
				  count = 20
				  input = "`+name+`-${count.index}"
				}
				output "all" { value = join(" ", terraform_data.x[*].output) }
			`)
			d := open(t, disk.Options{Dir: dir})
			apply(t, d)
			if o, _ := d.State().Output("all"); !strings.HasPrefix(o.Value.AsString(), name+"-0 "+name+"-1 ") {
				t.Errorf("got %v", o.Value)
			}
		})
	}
}
