package osfiles_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/plumb-iac/plumb/internal/osfiles"
)

func TestReplace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"first", "second, longer", "3"} {
		if err := osfiles.Replace(name, osfiles.Replacement{Content: osfiles.Bytes([]byte(text))}); err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != text {
			t.Errorf("got %q", got)
		}
	}
	only(t, name)
}

// TestReplaceFails stops at every point where the system can: whatever happens,
// the old file is as it was and nothing else is left.
func TestReplaceFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, name, "old")
	full := errors.New("no space left")
	for what, r := range map[string]osfiles.Replacement{
		"at once":           {Content: func(io.Writer) error { return full }},
		"in the middle":     {Content: func(w io.Writer) error { return errors.Join(osfiles.Bytes([]byte("ne"))(w), full) }},
		"before the rename": {Content: osfiles.Bytes([]byte("new")), Ready: func(*os.File) error { return full }},
		"as the file closes": {Content: func(w io.Writer) error {
			return errors.Join(osfiles.Bytes([]byte("new"))(w), w.(io.Closer).Close())
		}},
	} {
		if osfiles.Replace(name, r) == nil {
			t.Errorf("%s: the failure was swallowed", what)
		}
		if got := read(t, name); got != "old" {
			t.Errorf("%s: the file has %q", what, got)
		}
		only(t, name)
	}
}

func TestReplaceKeepsWhatTheFileIs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system with POSIX file permissions")
	}
	dir := t.TempDir()
	name, link := filepath.Join(dir, "f"), filepath.Join(t.TempDir(), "link")
	write(t, name, "old")
	if err := errors.Join(os.Chmod(name, 0o640), os.Symlink(name, link)); err != nil {
		t.Fatal(err)
	}
	if err := osfiles.Replace(link, osfiles.Replacement{Content: osfiles.Bytes([]byte("new"))}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if got := mode(t, name); got != 0o640 || read(t, name) != "new" {
		t.Errorf("got mode %v and %q", got, read(t, name))
	}
	if err := osfiles.Replace(name, osfiles.Replacement{Private: true, Content: osfiles.Bytes([]byte("secret"))}); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, name); got != 0o600 {
		t.Errorf("a private file has mode %v", got)
	}
	only(t, name)
}

func TestReplaceRefusesDirectories(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, filepath.Join(dir, "absent", "f")} {
		if osfiles.Replace(name, osfiles.Replacement{Content: osfiles.Bytes(nil)}) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func only(t *testing.T, name string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(name) {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func read(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
