package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// A crash in the very first write of a journal, which nothing had waited for,
// does not stand in the way of the next run.
func TestFirstWriteCutOff(t *testing.T) {
	ctx := context.Background()
	for _, keys := range [][]string{nil, {"a"}} {
		dir := t.TempDir()
		path := filepath.Join(dir, ".terraform.tfstate.journal")
		o := Options{Dir: dir}
		if keys != nil {
			o.Form.Encryption = encrypted(t, keys...)
		}
		var enc journal.Encoder
		record, err := enc.Append(enc.Begin(nil, "lineage", 1), state.Taint{Instance: addr.AbsInstance{}})
		if err != nil {
			t.Fatal(err)
		}
		appendOne := func(want int) {
			t.Helper()
			j, err := New(o).Store("default").Journal(ctx)
			if err != nil {
				t.Fatal(keys, err)
			}
			if got := logOf(t, j).Records; got != want {
				t.Fatalf("%v: %d records, want %d", keys, got, want)
			}
			if want == 0 {
				if err := errors.Join(j.Append(record), j.Close()); err != nil {
					t.Fatal(err)
				}
			}
		}
		appendOne(0)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		begins := 0
		if keys != nil { // the head of an encrypted journal is put there whole
			begins = len(whole) - len(record)
			for begins > 1 && !headOnly(o, whole[:begins]) {
				begins--
			}
		}
		for cut := begins + 1; cut < begins+20; cut++ {
			if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
				t.Fatal(err)
			}
			appendOne(0)
			appendOne(2)
		}
	}
}

// headOnly says whether src is a journal's head and nothing behind it.
func headOnly(o Options, src []byte) bool {
	opened, err := o.Form.Encryption.OpenJournal(context.Background(), src)
	return err == nil && !opened.Torn
}
