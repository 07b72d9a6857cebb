//go:build unix

package osfiles_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/plumb-iac/plumb/internal/osfiles"
)

// TestReplaceCircle: links that lead nowhere stay as they are.
func TestReplaceCircle(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := errors.Join(os.Symlink(a, b), os.Symlink(b, a)); err != nil {
		t.Fatal(err)
	}
	if osfiles.Replace(a, osfiles.Replacement{Content: osfiles.Bytes(nil)}) == nil {
		t.Error("no error")
	}
	if to, err := os.Readlink(a); err != nil || to != b {
		t.Errorf("the link was replaced: %q %v", to, err)
	}
}

// TestReplacePipe writes to what is no file: nothing may take its place.
func TestReplacePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		src, _ := os.ReadFile(name)
		got <- string(src)
	}()
	if err := osfiles.Replace(name, osfiles.Replacement{Content: osfiles.Bytes([]byte("text"))}); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "text" {
		t.Errorf("the reader got %q", text)
	}
	if info, err := os.Lstat(name); err != nil || info.Mode().IsRegular() {
		t.Error("the pipe was replaced")
	}
}
