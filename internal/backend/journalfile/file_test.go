package journalfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/backend/journalfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// A damaged record does not take those behind it along: the journal is left as it
// is, and the error says where the damage is.
func TestDamaged(t *testing.T) {
	var enc journal.Encoder
	src := enc.Begin(nil, "l", 3)
	whole := len(src)
	for _, name := range []string{"a", "b", "c"} {
		at := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "x", Name: name}}
		var err error
		if src, err = enc.Append(src, state.Intent{Object: addr.Object{Instance: at}, Op: "create"}); err != nil {
			t.Fatal(err)
		}
	}
	src[whole+6] ^= 0x20
	path := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := journalfile.Open(t.Context(), path, "", nil)
	if err == nil || !strings.Contains(err.Error(), "is damaged at byte") {
		t.Errorf("opened: %v", err)
	}
	if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, src) {
		t.Errorf("the journal was changed: %v", err)
	}
}

// TestReset: other records take the place of a journal, in a file that is open, in one
// that is not, and again; what is appended then stands behind them.
func TestReset(t *testing.T) {
	s := state.New("l").WithSerial(7)
	at := func(name string) state.Intent {
		return state.Intent{Op: "create", Object: addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "x", Name: name}}}}
	}
	anew := func(names ...string) ([]byte, journal.Encoder) {
		var open []state.Intent
		for _, name := range names {
			open = append(open, at(name))
		}
		records, e, err := journal.Anew(s, open)
		if err != nil {
			t.Fatal(err)
		}
		return records, e
	}
	path := filepath.Join(t.TempDir(), "journal")
	open := func() *journalfile.File {
		t.Helper()
		j, err := journalfile.Open(t.Context(), path, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	holds := func(j *journalfile.File, want int) {
		t.Helper()
		for _, j := range []*journalfile.File{j, open()} {
			l, err := j.Log()
			if err != nil || len(l.Edits) != want || l.Serial != 7 || len(l.Seals) != 1 || l.Torn != 0 {
				t.Errorf("%+v, %v; want %d edits", l, err, want)
			}
		}
	}
	j := open()
	long, e := anew("a", "b", "c", "d")
	short, _ := anew("a")
	more, err := e.Append(nil, at("e"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, records := range [][]byte{short, long} {
			if err := j.Reset(records); err != nil {
				t.Fatal(err)
			}
		}
		holds(j, 4)
		if err := j.Append(more); err != nil {
			t.Fatal(err)
		}
		holds(j, 5)
		if other := open(); other.Reset(short) == nil || other.Append(more) == nil {
			t.Error("another run writes the journal")
		}
	}
	if err := j.Reset(short); err != nil {
		t.Fatal(err)
	}
	holds(open(), 1)
	if err := j.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the journal is left: %v", err)
	}
}
