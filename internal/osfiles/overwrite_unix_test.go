//go:build unix

package osfiles

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOverwrite is what happens where the system cannot rename over a file: the
// file stays the one that it is, and nobody else may read a private one.
func TestOverwrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for _, c := range []struct {
		r    Replacement
		mode os.FileMode
	}{{Replacement{}, 0o644}, {Replacement{Private: true}, 0o600}} {
		if err := os.WriteFile(name, []byte("old, and longer"), 0o644); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		from, err := os.Create(filepath.Join(dir, "complete"))
		if err != nil {
			t.Fatal(err)
		}
		defer from.Close()
		if _, err := from.WriteString("new"); err != nil {
			t.Fatal(err)
		}
		if err := c.r.overwrite(name, from); err != nil {
			t.Fatal(err)
		}
		after, err := os.Stat(name)
		if err != nil || !os.SameFile(before, after) || after.Mode() != c.mode {
			t.Errorf("%+v: %v %v", c.r, after, err)
		}
		if src, err := os.ReadFile(name); err != nil || string(src) != "new" {
			t.Errorf("%q %v", src, err)
		}
	}
}
