package local_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/backendtest"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/state"
)

func TestSuite(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) func() backend.Backend {
		dir := t.TempDir()
		return func() backend.Backend {
			return local.New(local.Options{Dir: dir, Form: backend.Form{Version: "1.0.0"}})
		}
	})
}

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func snapshot(t *testing.T, id string) *state.Snapshot {
	t.Helper()
	s, err := state.New("l").Apply(state.Put{
		Object:   addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}}},
		Provider: addr.ProviderConfig{Provider: addr.Builtin("terraform")},
		New:      &state.Object{Attrs: []byte(`{"id":"` + id + `"}`)},
	})
	must(t, err)
	return s
}

// files are the names in a directory with sizes over zero marked.
func files(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, rel)
		}
		return err
	}))
	return strings.Join(out, " ")
}

func TestPaths(t *testing.T) {
	for _, test := range []struct {
		name      string
		options   local.Options
		workspace string
		want      string
	}{
		{"default", local.Options{}, "default", "terraform.tfstate"},
		{"workspace", local.Options{}, "dev", "terraform.tfstate.d/dev/terraform.tfstate"},
		{"path", local.Options{Path: "a/b.tfstate"}, "default", "a/b.tfstate"},
		{"path of a workspace", local.Options{Path: "a/b.tfstate", WorkspaceDir: "ws"}, "dev", "ws/dev/terraform.tfstate"},
		{"state flag", local.Options{Path: "a", State: "s.tfstate"}, "dev", "s.tfstate"},
		{"state-out flag", local.Options{State: "s", Out: "o/out.tfstate"}, "default", "o/out.tfstate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.Dir = t.TempDir()
			s := local.New(test.options).Store(test.workspace)
			must(t, s.Write(ctx, snapshot(t, "a")))
			if got := files(t, test.options.Dir); got != test.want {
				t.Errorf("files: %s, want %s", got, test.want)
			}
		})
	}
}

func TestBackup(t *testing.T) {
	for _, test := range []struct {
		name, flag, path, want string
	}{
		{"beside the state", "", "terraform.tfstate.backup", "terraform.tfstate terraform.tfstate.backup"},
		{"elsewhere", "old/x", "old/x", "old/x terraform.tfstate"},
		{"none", "-", "", "terraform.tfstate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			open := func() backend.Store {
				return local.New(local.Options{Dir: dir, Backup: test.flag, Form: backend.Form{Version: "1.0.0"}}).Store("default")
			}
			must(t, open().Write(ctx, snapshot(t, "first")))
			if got := files(t, dir); got != "terraform.tfstate" {
				t.Fatalf("the first write left %s", got)
			}
			first, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate"))
			must(t, err)
			s := open()
			must(t, s.Write(ctx, snapshot(t, "second")))
			must(t, s.Write(ctx, snapshot(t, "third")))
			if got := files(t, dir); got != test.want {
				t.Errorf("files: %s, want %s", got, test.want)
			}
			if test.path == "" {
				return
			}
			got, err := os.ReadFile(filepath.Join(dir, test.path))
			must(t, err)
			if !bytes.Equal(got, first) {
				t.Errorf("the backup is not what the first write replaced:\n%s", got)
			}
		})
	}
}

func TestPermissionsAndLinksSurvive(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system with POSIX file permissions")
	}
	dir := t.TempDir()
	real := filepath.Join(dir, "real", "s.tfstate")
	must(t, os.Mkdir(filepath.Dir(real), 0o755))
	must(t, os.WriteFile(real, nil, 0o600))
	must(t, os.Symlink("real/s.tfstate", filepath.Join(dir, "terraform.tfstate")))
	s := local.New(local.Options{Dir: dir}).Store("default")
	must(t, s.Lock(ctx, backend.LockInfo{ID: "a"}))
	must(t, s.Write(ctx, snapshot(t, "a")))
	j, err := s.Journal(ctx)
	must(t, err)
	must(t, j.Append([]byte("x")))
	for _, name := range []string{real, filepath.Join(dir, "real", ".s.tfstate.journal")} {
		info, err := os.Lstat(name)
		must(t, err)
		if info.Mode() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	must(t, j.Reset())
	must(t, s.Unlock(ctx, "a"))
	if got := files(t, dir); got != "real/s.tfstate terraform.tfstate" {
		t.Errorf("files: %s", got)
	}
	if info, err := os.Lstat(filepath.Join(dir, "terraform.tfstate")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "directory"), 0o755))
	for _, path := range []string{"file/x.tfstate", "directory"} {
		s := local.New(local.Options{Dir: dir, Path: path}).Store("default")
		if s.Write(ctx, snapshot(t, "a")) == nil || s.Probe(ctx) == nil || s.Lock(ctx, backend.LockInfo{ID: "a"}) == nil {
			t.Errorf("%s: a failure was swallowed", path)
		}
	}
	if got := files(t, dir); got != "file" {
		t.Errorf("files: %s", got)
	}
	_, diags := local.New(local.Options{Dir: dir, Path: "directory"}).Store("default").Read(ctx)
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "is a directory") {
		t.Error(diags)
	}
}

func TestFailedWriteKeepsTheOldState(t *testing.T) {
	dir := t.TempDir()
	s := local.New(local.Options{Dir: dir}).Store("default")
	must(t, s.Write(ctx, snapshot(t, "good")))
	bad, err := snapshot(t, "x").Apply(state.Put{
		Object: addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "y"}}},
		New:    &state.Object{Attrs: []byte(`{"cut":`)}, Provider: addr.ProviderConfig{Provider: addr.Builtin("terraform")}})
	must(t, err)
	if s.Write(ctx, bad) == nil {
		t.Error("a state that cannot be encoded was written")
	}
	if got, diags := s.Read(ctx); diags != nil || !got.Equal(snapshot(t, "good")) {
		t.Errorf("the old state is gone: %v", diags)
	}
	if got := files(t, dir); got != "terraform.tfstate" {
		t.Errorf("files: %s", got)
	}
}

func TestReading(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ content, want string }{
		{"", ""}, {" \n", ""},
		{"{", "terraform.tfstate: The state file is not valid JSON"},
		{`{"version": 5}`, "terraform.tfstate: The state file uses format version 5"},
	} {
		must(t, os.WriteFile(filepath.Join(dir, "terraform.tfstate"), []byte(test.content), 0o644))
		s, diags := local.New(local.Options{Dir: dir}).Store("default").Read(ctx)
		if s != nil || test.want == "" && diags != nil || test.want != "" && (len(diags) != 1 || !strings.Contains(diags[0].Detail, test.want)) {
			t.Errorf("%q: %v", test.content, diags)
		}
	}
}

func TestLockInformation(t *testing.T) {
	dir := t.TempDir()
	s := local.New(local.Options{Dir: dir}).Store("default")
	must(t, s.Lock(ctx, backend.LockInfo{ID: "a", Operation: "OperationTypePlan", Who: "me"}))
	src, err := os.ReadFile(filepath.Join(dir, ".terraform.tfstate.lock.info"))
	must(t, err)
	if want := `{"ID":"a","Operation":"OperationTypePlan","Info":"","Who":"me","Version":"","Created":"0001-01-01T00:00:00Z","Path":"terraform.tfstate"}`; string(src) != want {
		t.Errorf("got %s", src)
	}
	must(t, s.Unlock(ctx, "a"))
	if got := files(t, dir); got != "" {
		t.Errorf("files: %s", got)
	}
	// A process that died leaves the information without the lock.
	must(t, os.WriteFile(filepath.Join(dir, ".terraform.tfstate.lock.info"), src, 0o644))
	must(t, s.ForceUnlock(ctx, "a"))
	if got := files(t, dir); got != "" {
		t.Errorf("files: %s", got)
	}
}

// TestLockExcludesProcesses holds the lock in a process of its own.
func TestLockExcludesProcesses(t *testing.T) {
	dir := os.Getenv("LOCK_DIR")
	if dir != "" {
		s := local.New(local.Options{Dir: dir}).Store("default")
		must(t, s.Lock(ctx, backend.LockInfo{ID: "child"}))
		must(t, s.Write(ctx, snapshot(t, "child")))
		os.Stdout.WriteString("locked\n")
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0) // without unlocking
	}
	dir = t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=TestLockExcludesProcesses")
	cmd.Env = append(os.Environ(), "LOCK_DIR="+dir)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if _, err := out.Read(make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	s := local.New(local.Options{Dir: dir}).Store("default")
	if err := s.Lock(ctx, backend.LockInfo{ID: "parent"}); err == nil {
		t.Error("two processes have the lock")
	}
	if !s.Busy(ctx) || s.ForceUnlock(ctx, "child") == nil {
		t.Error("the lock of a living process does not count")
	}
	must(t, in.Close())
	must(t, cmd.Wait())
	must(t, s.Lock(ctx, backend.LockInfo{ID: "parent"}))
	must(t, s.Unlock(ctx, "parent"))
}
