package backendtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/zclconf/go-cty/cty"
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
		{"journal", keepsJournal}, {"journal while it is written", tellsJournal}, {"crash", crash}, {"overtaken", overtaken}, {"settle", settle}, {"outputs", outputs}, {"probe", probe}, {"replace", replace},
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
	list("default")
	fine(t, open().Create(ctx(), "stage"))
	fine(t, open().Create(ctx(), "stage"))
	fine(t, open().Create(ctx(), "default"))
	write(t, open().Store("dev"), 2)
	list("default", "dev", "stage")
	if read(t, open().Store("stage")) != nil || read(t, open().Store("default")) != nil || read(t, open().Store("dev")).Count() != 2 {
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

func lock(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	for range 2 {
		err := b.Lock(ctx(), info("b"))
		var locked *backend.LockedError
		if !errors.As(err, &locked) || locked.Holder == nil || locked.Holder.ID != "a" || locked.Holder.Who != "me@here" {
			t.Fatalf("the second lock: %v", err)
		}
	}
	if err := a.Lock(ctx(), info("c")); err == nil {
		t.Error("the lock was taken twice through one store")
	}
	if a.Unlock(ctx(), "b") == nil || b.Unlock(ctx(), "a") == nil {
		t.Error("the lock was given back by somebody else")
	}
	if !b.Busy(ctx()) || a.Busy(ctx()) {
		t.Errorf("busy: %v for the other, %v for the holder", b.Busy(ctx()), a.Busy(ctx()))
	}
	must(t, a.Unlock(ctx(), "a"))
	if b.Busy(ctx()) {
		t.Error("busy after unlock")
	}
	must(t, b.Lock(ctx(), info("b")))
	must(t, b.Unlock(ctx(), "b"))
	if got := read(t, a); got != nil {
		t.Error("locking left a state behind")
	}
}

func lockFollows(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	for n := 1; n < 4; n++ {
		write(t, a, n)
		if got := read(t, a); got.Count() != n {
			t.Fatalf("the holder reads %d objects after writing %d", got.Count(), n)
		}
		var locked *backend.LockedError
		if err := b.Lock(ctx(), info("b")); !errors.As(err, &locked) {
			t.Fatalf("after write %d another got the lock: %v", n, err)
		}
	}
	must(t, a.Unlock(ctx(), "a"))
	must(t, b.Lock(ctx(), info("b")))
	if got := read(t, b); got.Count() != 3 {
		t.Errorf("the next holder reads %d objects", got.Count())
	}
	must(t, b.Unlock(ctx(), "b"))
}

func lockWaits(t *testing.T, open func() backend.Backend) {
	a, b := open().Store("default"), open().Store("default")
	must(t, a.Lock(ctx(), info("a")))
	var pauses []time.Duration
	note := func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	timeout, want := time.Second, "[50ms 100ms 200ms 400ms 250ms]"
	if b.Remote() {
		timeout, want = 40*time.Second, "[1s 2s 4s 8s 16s 9s]"
	}
	diags := backend.AcquireLock(ctx(), b, info("b"), timeout, note)
	if len(diags) != 1 || diags[0].Summary != "Error acquiring the state lock" || fmt.Sprint(pauses) != want {
		t.Errorf("%v after pauses %v", diags, pauses)
	}
	diags = backend.AcquireLock(ctx(), b, info("b"), time.Minute, func(context.Context, time.Duration) error { return a.Unlock(ctx(), "a") })
	fine(t, diags)
	must(t, b.Unlock(ctx(), "b"))
}

func forceUnlock(t *testing.T, open func() backend.Backend) {
	a := open().Store("default")
	if a.ForceUnlock(ctx(), "a") == nil {
		t.Error("a lock that is not there was removed")
	}
	must(t, a.Lock(ctx(), info("a")))
	if open().Store("default").ForceUnlock(ctx(), "b") == nil {
		t.Error("a lock was removed under another ID")
	}
	must(t, a.Unlock(ctx(), "a"))
}

// journalOf skips the test where there is no journal.
func journalOf(t *testing.T, s backend.Store) backend.Journal {
	t.Helper()
	j, err := s.Journal(ctx())
	must(t, err)
	if j == nil {
		t.Skip("this backend has no journal")
	}
	return j
}

func logOf(t *testing.T, j backend.Journal) *journal.Log {
	t.Helper()
	l, err := j.Log()
	must(t, err)
	return l
}

// tellsJournal asks a journal what it holds each time it was written to, and asks
// one that is opened beside it the same.
func tellsJournal(t *testing.T, open func() backend.Backend) {
	j := journalOf(t, open().Store("default"))
	for range 2 {
		enc := logOf(t, j).Encoder()
		must(t, j.Append(enc.Begin(nil, "l", 3)))
		for n := range 3 {
			enc = logOf(t, j).Encoder()
			record, err := enc.Append(nil, put(n))
			must(t, err)
			must(t, j.Append(record))
			mine, found := logOf(t, j), logOf(t, journalOf(t, open().Store("default")))
			if len(mine.Edits) != n+1 || !reflect.DeepEqual(found, mine) || found.Torn != 0 {
				t.Errorf("edit %d: tells %d records, holds %d and %d bytes more", n, mine.Records, found.Records, found.Torn)
			}
		}
		must(t, j.Reset())
		if l := logOf(t, j); l.Records != 0 {
			t.Errorf("an empty journal tells %d records", l.Records)
		}
	}
	// It goes on behind what another one left.
	enc := journal.Encoder{}
	must(t, j.Append(enc.Begin(nil, "l", 3)))
	must(t, j.Close())
	j = journalOf(t, open().Store("default"))
	record, err := enc.Append(nil, put(0))
	must(t, err)
	must(t, j.Append(record))
	if l := logOf(t, j); !reflect.DeepEqual(l, logOf(t, journalOf(t, open().Store("default")))) || l.Records != 2 {
		t.Errorf("tells %d records", l.Records)
	}
}

func keepsJournal(t *testing.T, open func() backend.Backend) {
	j := journalOf(t, open().Store("default"))
	var enc journal.Encoder
	must(t, j.Append(enc.Begin(nil, "l", 3)))
	first, err := enc.Append(nil, put(0))
	must(t, err)
	second, err := enc.Append(nil, put(1))
	must(t, err)
	must(t, j.Append(first, second[:len(second)-1]))
	must(t, j.Close())
	j = journalOf(t, open().Store("default"))
	if l := logOf(t, j); len(l.Edits) != 1 || l.Torn == 0 || l.Serial != 3 {
		t.Fatalf("%+v", l)
	}
	must(t, j.Append(second))
	must(t, j.Close())
	j = journalOf(t, open().Store("default"))
	if l := logOf(t, j); len(l.Edits) != 2 || l.Torn != 0 {
		t.Fatalf("%+v", l)
	}
	must(t, j.Reset())
	must(t, j.Reset())
	if l := logOf(t, journalOf(t, open().Store("default"))); l.Records != 0 || l.Torn != 0 {
		t.Fatalf("%+v", l)
	}
	enc = journal.Encoder{}
	must(t, j.Append(enc.Begin(nil, "l", 4)))
	if l := logOf(t, journalOf(t, open().Store("default"))); l.Serial != 4 {
		t.Fatalf("%+v", l)
	}
}

// run is what a run does to a state, in small.
type run struct {
	backend.Opened
	store   backend.Store
	encoder journal.Encoder
	diags   diag.List
}

// start opens a state with its journal as a run does.
func start(t *testing.T, s backend.Store) *run {
	t.Helper()
	journalOf(t, s)
	o, diags := backend.Open(ctx(), s, "lineage")
	r := &run{Opened: o, store: s, encoder: logOf(t, o.Journal).Encoder(), diags: diags}
	if logOf(t, o.Journal).Records == 0 {
		must(t, o.Journal.Append(r.encoder.Begin(nil, o.Snapshot.Lineage(), o.Snapshot.Serial())))
	}
	return r
}

// commit makes edits durable.
func (r *run) commit(t *testing.T, edits ...state.Edit) {
	t.Helper()
	for _, e := range edits {
		var err error
		r.Snapshot, err = r.Snapshot.Apply(e)
		must(t, err)
		record, err := r.encoder.Append(nil, e)
		must(t, err)
		must(t, r.Journal.Append(record))
	}
}

// die is the end of the process.
func (r *run) die(t *testing.T) {
	t.Helper()
	must(t, r.Journal.Close())
}

// end stores the state.
func (r *run) end(t *testing.T) *state.Snapshot {
	t.Helper()
	next := r.Snapshot.WithSerial(r.Snapshot.Serial() + 1)
	must(t, r.Journal.Append(r.encoder.Seal(nil, next.Serial())))
	must(t, r.store.Write(ctx(), next))
	must(t, r.Journal.Reset())
	return next
}

func intent(n int) state.Edit {
	return state.Intent{Object: addr.Object{Instance: instance(n)}, Op: "create"}
}

func dropped(n int) state.Edit { return state.Drop{Object: addr.Object{Instance: instance(n)}} }

func crash(t *testing.T, open func() backend.Backend) {
	for n := range 3 {
		r := start(t, open().Store("default"))
		if r.Snapshot.Count() != n || len(r.Unresolved) != min(n, 1) || r.diags.HasErrors() || len(r.diags) != 2*min(n, 1) {
			t.Fatalf("run %d: %d objects, unresolved %v, %v", n, r.Snapshot.Count(), r.Unresolved, r.diags)
		}
		r.commit(t, put(n), intent(9))
		r.die(t)
	}
	r := start(t, open().Store("default"))
	r.commit(t, dropped(9))
	final := r.end(t)
	if final.Count() != 3 || final.Serial() != 1 {
		t.Errorf("%d objects, serial %d", final.Count(), final.Serial())
	}
	r = start(t, open().Store("default"))
	fine(t, r.diags)
	if r.Standing != journal.Empty || !r.Stored.Equal(final) {
		t.Errorf("%+v", r)
	}
}

func overtaken(t *testing.T, open func() backend.Backend) {
	r := start(t, open().Store("default"))
	fine(t, r.diags)
	r.commit(t, put(0))
	write(t, open().Store("default"), 2)
	if r := start(t, open().Store("default")); !r.diags.HasErrors() {
		t.Error("a journal that the state has overtaken is not reported")
	}
}

func settle(t *testing.T, open func() backend.Backend) {
	cut := start(t, open().Store("default"))
	cut.commit(t, put(0), intent(9))
	cut.die(t)
	r := start(t, open().Store("default"))
	after, err := r.Snapshot.Apply(put(1))
	must(t, err)
	must(t, backend.Replace(ctx(), r.store, r.Stored, after))
	must(t, r.Settle(read(t, r.store)))
	r.die(t)
	r = start(t, open().Store("default"))
	if len(r.diags) != 1 || r.diags.HasErrors() || len(r.Unresolved) != 1 || r.Snapshot.Count() != 2 {
		t.Errorf("%+v", r)
	}
	must(t, r.Settle(read(t, r.store)))
	r.die(t)
	r = start(t, open().Store("default"))
	r.commit(t, dropped(9))
	r.end(t)
	r = start(t, open().Store("default"))
	fine(t, r.diags)
	must(t, r.Settle(r.Stored))
}

// outputs are those of the last run that ended, or that came so far that it only had
// to store its state.
func outputs(t *testing.T, open func() backend.Backend) {
	outputs := func() map[string]cty.Value {
		t.Helper()
		o, diags := backend.Outputs(ctx(), open().Store("default"))
		fine(t, diags)
		return o
	}
	if o := outputs(); o != nil {
		t.Errorf("without a state there are the outputs %v", o)
	}
	set := func(v string) state.Edit {
		return state.PutOutput{Name: "o", Output: state.Output{Value: cty.StringVal(v)}}
	}
	r := start(t, open().Store("default"))
	r.commit(t, set("first"))
	r.end(t)
	r = start(t, open().Store("default"))
	r.commit(t, set("second"))
	want := "second"
	if r.store.Remote() {
		want = "first"
	}
	if o := outputs(); o["o"].AsString() != want {
		t.Errorf("after a run that was cut off: %v", o)
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

func replace(t *testing.T, open func() backend.Backend) {
	s := open().Store("default")
	write(t, s, 1)
	before := read(t, s)
	must(t, backend.Replace(ctx(), s, before, before.WithSerial(9)))
	if got := read(t, s); got.Serial() != 1 {
		t.Errorf("equal content was written, serial %d", got.Serial())
	}
	must(t, backend.Replace(ctx(), s, before, snapshot(t, 2)))
	if got := read(t, s); got.Serial() != 2 || got.Count() != 2 {
		t.Errorf("serial %d, %d objects", got.Serial(), got.Count())
	}
}
