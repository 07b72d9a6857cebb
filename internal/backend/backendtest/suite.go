package backendtest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/state"
)

// New gives a function that opens the same, at first empty, place each time, as
// separate processes would.
type New func(t *testing.T) (open func() backend.Backend)

// Run runs the suite.
func Run(t *testing.T, n New) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, func() backend.Backend)
	}{
		{"absent", absent}, {"round trip", roundTrip}, {"workspaces", workspaces}, {"lock", lock},
		{"lock follows writes", lockFollows}, {"lock waits", lockWaits}, {"force unlock", forceUnlock},
		{"journal", keepsJournal}, {"journal while it is written", tellsJournal}, {"crash", crash}, {"overtaken", overtaken}, {"settle", settle}, {"outputs", outputs}, {"probe", probe}, {"cut", cut},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, n(t)) })
	}
}

func ctx() context.Context { return context.Background() }

func instance(n int) addr.AbsInstance {
	return addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}, Key: addr.IntKey(n)}
}

func put(n int) state.Edit {
	return state.Put{Object: addr.Object{Instance: instance(n)}, Provider: addr.ProviderConfig{Provider: addr.Builtin("terraform")},
		New: &state.Object{Attrs: fmt.Appendf(nil, `{"n":%d}`, n)}}
}

// snapshot holds n objects under the serial n.
func snapshot(t *testing.T, n int) *state.Snapshot {
	s := state.New("lineage")
	for i := range n {
		var err error
		if s, err = s.Apply(put(i)); err != nil {
			t.Fatal(err)
		}
	}
	return s.WithSerial(uint64(n))
}

func read(t *testing.T, s backend.Store) *state.Snapshot {
	t.Helper()
	got, diags := s.Read(ctx())
	fine(t, diags)
	return got
}

func write(t *testing.T, s backend.Store, n int) {
	t.Helper()
	must(t, s.Write(ctx(), snapshot(t, n)))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fine(t *testing.T, diags diag.List) {
	t.Helper()
	if len(diags) > 0 {
		t.Fatal(diags)
	}
}

func info(id string) backend.LockInfo {
	return backend.LockInfo{ID: id, Operation: "OperationTypeApply", Who: "me@here", Version: "1.0.0", Created: time.Unix(0, 0).UTC()}
}

func absent(t *testing.T, open func() backend.Backend) {
	s := open().Store(backend.DefaultWorkspace)
	if got := read(t, s); got != nil {
		t.Errorf("a state out of nowhere: %v", got)
	}
	o, diags := backend.Open(ctx(), s, "fresh")
	fine(t, diags)
	if o.Found() || o.Snapshot.Lineage() != "fresh" || !o.Snapshot.Empty() {
		t.Errorf("%+v", o)
	}
}

func roundTrip(t *testing.T, open func() backend.Backend) {
	for n := range 3 {
		write(t, open().Store(backend.DefaultWorkspace), n)
		got := read(t, open().Store(backend.DefaultWorkspace))
		if !got.Equal(snapshot(t, n)) || got.Serial() != uint64(n) || got.Lineage() != "lineage" {
			t.Errorf("the state read differs: serial %d, lineage %q, %d objects", got.Serial(), got.Lineage(), got.Count())
		}
	}
}

func workspaces(t *testing.T, open func() backend.Backend) {
	if !open().Multiple() {
		single(t, open)
		return
	}
	list := func(want ...string) {
		t.Helper()
		got, diags := open().Workspaces(ctx())
		fine(t, diags)
		if !slices.Equal(got, want) {
			t.Errorf("workspaces %v, want %v", got, want)
		}
	}
	fine(t, open().Create(ctx(), "default"))
	list("default")
	fine(t, open().Create(ctx(), "stage"))
	fine(t, open().Create(ctx(), "stage"))
	fine(t, open().Create(ctx(), "default"))
	write(t, open().Store("dev"), 2)
	list("default", "dev", "stage")
	if !empty(read(t, open().Store("stage"))) || !empty(read(t, open().Store("default"))) || read(t, open().Store("dev")).Count() != 2 {
		t.Error("the workspaces are not apart")
	}
	fine(t, open().Delete(ctx(), "dev"))
	list("default", "stage")
	if read(t, open().Store("dev")) != nil {
		t.Error("a deleted workspace has a state")
	}
	if !open().Delete(ctx(), "default").HasErrors() {
		t.Error("the default workspace was deleted")
	}
}

// single is what a backend does that has one workspace.
func empty(s *state.Snapshot) bool { return s == nil || s.Empty() }

func single(t *testing.T, open func() backend.Backend) {
	got, diags := open().Workspaces(ctx())
	fine(t, diags)
	if !slices.Equal(got, []string{backend.DefaultWorkspace}) {
		t.Errorf("workspaces %v", got)
	}
	fine(t, open().Create(ctx(), "default"))
	if !open().Create(ctx(), "stage").HasErrors() || !open().Delete(ctx(), "stage").HasErrors() || !open().Delete(ctx(), "default").HasErrors() {
		t.Error("there is more than one workspace, or less")
	}
}

func probe(t *testing.T, open func() backend.Backend) {
	s := open().Store("default")
	must(t, s.Probe(ctx()))
	if read(t, s) != nil {
		t.Error("the probe left a state behind")
	}
	write(t, s, 2)
	must(t, s.Probe(ctx()))
	if got := read(t, s); got.Count() != 2 {
		t.Error("the probe changed the state")
	}
}
