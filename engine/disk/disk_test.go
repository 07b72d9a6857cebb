package disk_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/disk"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
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
	if diags := observed(t, d, nil); diags.HasErrors() {
		t.Fatal(diags)
	}
}

// observed plans and applies, replacing some, and gives what came of the apply.
func observed(t *testing.T, d *disk.Directory, observer event.Observer, replace ...addr.AbsInstance) diag.List {
	t.Helper()
	ctx, options := context.Background(), d.Engine()
	options.Observer = observer
	e := engine.New(options)
	defer e.Close()
	doc, diags := e.Plan(ctx, engine.PlanOptions{State: d.State(), Replace: replace})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, diags = e.Apply(ctx, doc, d.Apply())
	return diags
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

// TestAgain is DK2 for every apply of a directory: what one has done that is cut off is
// known to the next run, also behind a journal that has to stay because it alone
// knows of an operation without an outcome.
func TestAgain(t *testing.T) {
	dir := directory(t, `
		resource "terraform_data" "x" {}
		output "id" { value = terraform_data.x.id }
	`)
	of := func(name string) addr.AbsInstance {
		return addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "terraform_data", Name: name}}
	}
	var enc journal.Encoder
	left := enc.Begin(nil, "l", 0)
	left, err := enc.Append(left, state.Intent{Object: addr.Object{Instance: of("lost")}, Op: "create"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".terraform.tfstate.journal"), left, 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, disk.Options{Dir: dir})
	var cut string
	amid := event.Func(func(ev event.Event) {
		if saved, is := ev.(event.StateSaved); is && saved.Object.Instance == of("x") {
			cut = t.TempDir()
			if err := os.CopyFS(cut, os.DirFS(dir)); err != nil {
				t.Error(err)
			}
		}
	})
	for n := range 3 {
		cut = ""
		if diags := observed(t, d, amid, of("x")); diags.HasErrors() {
			t.Fatal(diags)
		}
		found, diags := disk.Open(context.Background(), disk.Options{Dir: cut, NoLock: true})
		if diags.HasErrors() || len(diags) != 2 {
			t.Fatalf("apply %d, cut off: %v", n, diags)
		}
		if !bytes.Equal(found.State().Instance(of("x")).Current().Attrs, d.State().Instance(of("x")).Current().Attrs) {
			t.Errorf("apply %d, cut off: the next run does not know what it made", n)
		}
	}
}

// TestUnstored goes on after an apply whose state could not be stored.
func TestUnstored(t *testing.T) {
	dir := directory(t, `
		resource "terraform_data" "x" { count = 1 }
	`)
	d := open(t, disk.Options{Dir: dir})
	apply(t, d)
	d.Close()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(`resource "terraform_data" "x" { count = 3 }`), 0o600); err != nil {
		t.Fatal(err)
	}
	d = open(t, disk.Options{Dir: dir})
	// The backup of the state before finds no place.
	backup := filepath.Join(dir, "terraform.tfstate.backup")
	once := sync.OnceFunc(func() {
		if err := os.MkdirAll(filepath.Join(backup, "full"), 0o700); err != nil {
			t.Error(err)
		}
	})
	diags := observed(t, d, event.Func(func(ev event.Event) {
		if _, is := ev.(event.StateSaved); is {
			once()
		}
	}))
	if !diags.HasErrors() || d.State().Count() != 3 {
		t.Fatalf("%d objects, %v", d.State().Count(), diags)
	}
	if err := os.RemoveAll(backup); err != nil {
		t.Fatal(err)
	}
	made := d.State()
	apply(t, d)
	d.Close()
	if again := open(t, disk.Options{Dir: dir}); again.State().Count() != 3 || !again.State().Equal(made) {
		t.Errorf("%d objects are known, and 3 were made", again.State().Count())
	}
}
