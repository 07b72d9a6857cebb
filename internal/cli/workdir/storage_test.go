package workdir

import (
	"context"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/backend/local"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

func object(t *testing.T, text string) addr.Object {
	t.Helper()
	at, err := addr.ParseInstance(text)
	if err != nil {
		t.Fatal(err)
	}
	return addr.Object{Instance: at}
}

func put(o addr.Object) state.Edit {
	return state.Put{Object: o, Provider: addr.ProviderConfig{Provider: addr.ImpliedProvider("x", addr.DefaultHost)},
		New: &state.Object{Attrs: []byte(`{}`)}}
}

// TestReplaceKeepsUnresolved: a change of the state keeps what an interrupted run
// left open, and what only the journal held, until it is settled.
func TestReplaceKeepsUnresolved(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	var before *Storage
	read := func() (*Storage, *state.Snapshot) {
		t.Helper()
		if before != nil && before.opened.Journal.Close() != nil {
			t.Fatal("the journal cannot be closed")
		}
		st := &Storage{store: local.New(local.Options{Dir: dir}).Store("default")}
		s, diags := st.Read(ctx)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		before = st
		return st, s
	}
	lost, held, added := object(t, "x_a.lost"), object(t, "x_a.held"), object(t, "x_a.added")

	st, s := read()
	if err := st.Put(ctx, s.WithSerial(1)); err != nil {
		t.Fatal(err)
	}
	var enc journal.Encoder
	records := enc.Begin(nil, s.Lineage(), 1)
	for _, e := range []state.Edit{put(held), state.Intent{Object: lost, Op: "create"}} {
		var err error
		if records, err = enc.Append(records, e); err != nil {
			t.Fatal(err)
		}
	}
	st, _ = read()
	if err := st.Journal().Append(records); err != nil {
		t.Fatal(err)
	}

	st, s = read()
	after, err := s.Apply(put(added))
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Replace(ctx, s, after); err != nil {
		t.Fatal(err)
	}
	st, s = read()
	if s.Object(held) == nil || s.Object(added) == nil || len(st.Unresolved()) != 1 || s.Serial() != 2 {
		t.Fatalf("serial %d, %v", s.Serial(), st.Unresolved())
	}
	if err := st.Replace(ctx, s, s, lost); err != nil {
		t.Fatal(err)
	}
	st, s = read()
	if s.Object(held) == nil || len(st.Unresolved()) != 0 || s.Serial() != 2 {
		t.Errorf("serial %d, %v", s.Serial(), st.Unresolved())
	}
}

// TestReplaceBesideAnother: a state whose journal another run writes is not replaced,
// though nobody asked for the lock.
func TestReplaceBesideAnother(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	read := func() (*Storage, *state.Snapshot) {
		t.Helper()
		st := &Storage{store: local.New(local.Options{Dir: dir}).Store("default")}
		s, diags := st.Read(ctx)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return st, s
	}
	first, s := read()
	late, _ := read()
	var enc journal.Encoder
	if err := first.Journal().Append(enc.Begin(nil, s.Lineage(), s.Serial())); err != nil {
		t.Fatal(err)
	}
	amid, _ := read()
	after, err := s.Apply(put(object(t, "x_a.b")))
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range []*Storage{late, amid} {
		if st.Replace(ctx, s, after) == nil || st.Put(ctx, after) == nil {
			t.Error("the state was replaced")
		}
	}
	if st, _ := read(); st.Found() {
		t.Error("there is a state")
	}
}
