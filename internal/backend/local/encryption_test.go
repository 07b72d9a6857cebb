package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/backendtest"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// encrypted is a target that writes with the first passphrase and reads with all;
// "" is no encryption.
func encrypted(t *testing.T, passphrases ...string) *encryption.Target {
	t.Helper()
	var blocks strings.Builder
	target := ""
	for i := len(passphrases) - 1; i >= 0; i-- {
		method := "method.unencrypted.u"
		if p := passphrases[i]; p != "" {
			method = "method.aes_gcm." + p
			fmt.Fprintf(&blocks, "key_provider \"pbkdf2\" %[1]q {\n  passphrase = %[2]q\n  iterations = 200000\n  hash_function = \"sha256\"\n}\nmethod \"aes_gcm\" %[1]q {\n  keys = key_provider.pbkdf2.%[1]s\n}\n", p, strings.Repeat(p, 16))
		} else {
			blocks.WriteString("method \"unencrypted\" \"u\" {}\n")
		}
		target = "method = " + method + "\n" + target
		if i > 0 {
			target = "fallback {\n" + target + "}\n"
		}
	}
	tree, diags := config.Load(fstest.MapFS{"main.tf": {Data: []byte("terraform {\nencryption {\n" + blocks.String() + "state {\n" + target + "}\n}\n}\n")}}, ".", config.LoadOptions{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	e, diags := encryption.Read(encryption.Options{Tree: tree})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return e.State()
}

// TestEncryptedSuite: encryption is no reason for a backend to do less.
func TestEncryptedSuite(t *testing.T) {
	how := encrypted(t, "a")
	backendtest.Run(t, func(t *testing.T) func() backend.Backend {
		dir := t.TempDir()
		return func() backend.Backend {
			return New(Options{Dir: dir, Form: backend.Form{Version: "1.0.0", Encryption: how}})
		}
	})
}

func logOf(t *testing.T, j backend.Journal) *journal.Log {
	t.Helper()
	l, err := j.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestEncryptedJournal: a run that was cut off is continued by one with another
// key, by one without, and by one that begins to encrypt; each journal is in the
// form of the run that appended last, and has all records.
func TestEncryptedJournal(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	open := func(keys ...string) (backend.Store, backend.Opened) {
		t.Helper()
		s := New(Options{Dir: dir, Form: backend.Form{Encryption: encrypted(t, keys...)}}).Store("default")
		o, diags := backend.Open(ctx, s, "lineage")
		if diags.HasErrors() {
			t.Fatal(keys, diags)
		}
		return s, o
	}
	put := func(name string) state.Edit {
		at, err := addr.ParseInstance("x_secret." + name)
		if err != nil {
			t.Fatal(err)
		}
		return state.Put{Object: addr.Object{Instance: at}, New: &state.Object{Attrs: []byte(`{}`)},
			Provider: addr.ProviderConfig{Provider: addr.ImpliedProvider("x", addr.DefaultHost)}}
	}
	s, o := open("a")
	if err := s.Write(ctx, o.Snapshot.WithSerial(1)); err != nil {
		t.Fatal(err)
	}
	var enc journal.Encoder
	records := enc.Begin(nil, "lineage", 1)
	for i, keys := range [][]string{{"a"}, {"a"}, {"b", "a"}, {"b", "a"}, {"", "b", "a"}, {"", "a"}, {"c", "", "a"}} {
		_, o := open(keys...)
		if i > 0 {
			enc, records = logOf(t, o.Journal).Encoder(), nil
		}
		for _, name := range []string{fmt.Sprintf("first%d", i), fmt.Sprintf("second%d", i)} {
			var err error
			if records, err = enc.Append(records, put(name)); err != nil {
				t.Fatal(err)
			}
			if err := o.Journal.Append(records); err != nil {
				t.Fatal(err)
			}
			records = nil
		}
		if err := o.Journal.Close(); err != nil {
			t.Fatal(err)
		}
		src, err := os.ReadFile(filepath.Join(dir, ".terraform.tfstate.journal"))
		if err != nil {
			t.Fatal(err)
		}
		if visible := bytes.Contains(src, []byte("x_secret")); visible != (keys[0] == "") {
			t.Errorf("%v: in the clear %t", keys, visible)
		}
		_, o = open(keys...)
		if n := len(logOf(t, o.Journal).Edits); n != 2*(i+1) || o.Standing != journal.Continues {
			t.Errorf("%v: %d edits, standing %d; want %d", keys, n, o.Standing, 2*(i+1))
		}
	}
	s = New(Options{Dir: dir, Form: backend.Form{Encryption: encrypted(t, "a")}}).Store("default")
	if _, diags := backend.Open(ctx, s, "lineage"); !diags.HasErrors() {
		t.Error("the journal was read without its key")
	}
	_, o = open("c", "", "a")
	if err := o.Journal.Reset(); err != nil {
		t.Fatal(err)
	}
}

// TestEncryptedJournalDamaged: frames behind a damaged one are not lost with it. The
// error says how to go on with those before.
func TestEncryptedJournalDamaged(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	path := filepath.Join(dir, ".terraform.tfstate.journal")
	open := func() (backend.Opened, diag.List) {
		return backend.Open(ctx, New(Options{Dir: dir, Form: backend.Form{Encryption: encrypted(t, "a")}}).Store("default"), "lineage")
	}
	o, diags := open()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var enc journal.Encoder
	records := enc.Begin(nil, "lineage", 0)
	var ends []int
	for range 3 {
		var err error
		if records, err = enc.Append(records, state.Prune{}); err != nil {
			t.Fatal(err)
		}
		if err := o.Journal.Append(records); err != nil {
			t.Fatal(err)
		}
		records = nil
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(info.Size()))
	}
	if err := o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src[ends[0]+9] ^= 0x10
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("truncate -s %d", ends[0])
	if _, diags := open(); !diags.HasErrors() || !strings.Contains(diags[0].Detail, want) {
		t.Fatalf("%v; want %s", diags, want)
	}
	if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, src) {
		t.Errorf("the journal was changed: %v", err)
	}
	if err := os.Truncate(path, int64(ends[0])); err != nil {
		t.Fatal(err)
	}
	if o, diags := open(); diags.HasErrors() || len(logOf(t, o.Journal).Edits) != 1 {
		t.Error(diags)
	}
}
