package backendtest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/zclconf/go-cty/cty"
)

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
	records, err := r.encoder.Seal(nil, next)
	must(t, err)
	must(t, r.Journal.Append(records))
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
	must(t, r.Store(ctx(), r.store, after.WithSerial(1)))
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

// cut has the process die at every step of replacing a state that a journal belongs to,
// by one that has nothing of what the journal made: the two belong together, and what
// nobody knows the outcome of is known to be so.
func cut(t *testing.T, open func() backend.Backend) {
	left := start(t, open().Store("default"))
	left.commit(t, put(0), intent(9))
	left.die(t)
	for step := range 4 {
		r := start(t, open().Store("default"))
		if len(r.Unresolved) != 1 || r.Snapshot.Count() == 0 || r.diags.HasErrors() {
			t.Fatalf("step %d: %d objects, unresolved %v, %v", step, r.Snapshot.Count(), r.Unresolved, r.diags)
		}
		after, err := r.Snapshot.Apply(put(step + 1))
		must(t, err)
		for at := range r.Snapshot.Objects() {
			after, err = after.Apply(state.Drop{Object: at})
			must(t, err)
		}
		left := breath(step)
		r.Opened.Journal = dyingJournal{r.Journal, &left}
		if err := r.Store(ctx(), dyingStore{r.store, &left}, after.WithSerial(r.Snapshot.Serial()+1)); (err == nil) != (step == 3) {
			t.Fatalf("step %d: %v", step, err)
		}
		r.die(t)
	}
	r := start(t, open().Store("default"))
	if len(r.Unresolved) != 1 || r.Standing != journal.Finished || r.Snapshot.Object(addr.Object{Instance: instance(4)}) == nil {
		t.Errorf("%+v", r)
	}
}

var errDead = errors.New("the process is gone")

// breath is how many writes a process has left.
type breath int

func (b *breath) spend(write func() error) error {
	if *b == 0 {
		return errDead
	}
	*b--
	return write()
}

type dyingStore struct {
	backend.Store
	*breath
}

func (d dyingStore) Write(ctx context.Context, s *state.Snapshot) error {
	return d.spend(func() error { return d.Store.Write(ctx, s) })
}

type dyingJournal struct {
	backend.Journal
	*breath
}

func (d dyingJournal) Append(records ...[]byte) error {
	return d.spend(func() error { return d.Journal.Append(records...) })
}

func (d dyingJournal) Reset(records ...[]byte) error {
	return d.spend(func() error { return d.Journal.Reset(records...) })
}
