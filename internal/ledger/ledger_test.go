package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/ledger"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/plumb-iac/plumb/state/statetest"
	"pgregory.net/rapid"
)

// disk is a journal and a store in memory that can fail.
type disk struct {
	mu      sync.Mutex
	journal []byte
	stored  *state.Snapshot
	appends int
	writes  int
	fail    error
	failAt  int
	// unreadable is why the journal cannot be read, taken why it may not be written.
	unreadable, taken error
}

func (d *disk) Append(records ...[]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.appends++; d.fail != nil && d.appends >= d.failAt {
		return d.fail
	}
	for _, r := range records {
		d.journal = append(d.journal, r...)
	}
	return nil
}

func (d *disk) Reset(records ...[]byte) error {
	d.journal = append([]byte(nil), bytes.Join(records, nil)...)
	return nil
}

func (d *disk) Free() error { return d.taken }

func (d *disk) Log() (*journal.Log, error) {
	if d.unreadable != nil {
		return nil, d.unreadable
	}
	return journal.Read(d.journal), nil
}

func (d *disk) Write(_ context.Context, s *state.Snapshot) error {
	if d.writes++; d.fail != nil && d.failAt == 0 {
		return d.fail
	}
	d.stored = s
	return nil
}

func (d *disk) open(emit func(addr.Object)) *ledger.Ledger {
	r, err := journal.Fold(d.stored, journal.Read(d.journal))
	if err != nil {
		panic(err)
	}
	return open(ledger.Options{Base: r.Snapshot, Stored: d.stored, Store: d, Journal: d, Emit: emit})
}

func open(o ledger.Options) *ledger.Ledger {
	l, err := ledger.Open(o)
	if err != nil {
		panic(err)
	}
	return l
}

func instance(n int) addr.AbsInstance {
	return addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}, Key: addr.IntKey(n)}
}

var provider = addr.ProviderConfig{Provider: addr.Builtin("terraform")}

func put(n int) state.Edit {
	return state.Put{Object: addr.Object{Instance: instance(n)}, Provider: provider, New: &state.Object{Attrs: fmt.Appendf(nil, `{"n":%d}`, n)}}
}

// TestCrashAnywhere runs edits through a ledger, cuts what reached the disk at
// any byte, starts again from there, and runs the rest.
func TestCrashAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, _ := statetest.Snapshot(t)
		d := &disk{stored: base}
		l := d.open(nil)
		fold := []*state.Snapshot{base}
		s := base
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			e := statetest.Edit(t, s)
			var err error
			if s, err = s.Apply(e); err != nil {
				t.Fatal(err)
			}
			fold = append(fold, s)
			commit := l.Append
			if rapid.Bool().Draw(t, "durable") {
				commit = l.Commit
			}
			if err := commit(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Sync(); err != nil {
			t.Fatal(err)
		}
		d.journal = d.journal[:rapid.IntRange(0, len(d.journal)).Draw(t, "crash")]
		log := journal.Read(d.journal)
		d.journal = d.journal[:log.Size]
		k := len(log.Edits)
		next := d.open(nil)
		if !next.Current().Equal(fold[k]) {
			t.Fatalf("recovery from %d records differs from the fold of %d edits", log.Records, k)
		}
		// A second crash must not lose what the first one left.
		if err := next.Commit(put(1)); err != nil {
			t.Fatal(err)
		}
		want := next.Current()
		again := d.open(nil)
		if !again.Current().Equal(want) {
			t.Fatal("the second recovery differs")
		}
		final, err := again.Close(context.Background())
		if err != nil || !final.Equal(want) || !d.stored.Equal(want) {
			t.Fatalf("close: %v", err)
		}
		if changed := !want.Equal(base); changed != (d.stored.Serial() == base.Serial()+1) || changed != (d.writes == 1) {
			t.Fatalf("changed %v, serial %d after %d, %d writes", changed, d.stored.Serial(), base.Serial(), d.writes)
		}
		r, err := journal.Fold(d.stored, journal.Read(d.journal))
		if err != nil || !r.Snapshot.Equal(want) || r.Standing > journal.Continues || r.Standing == journal.Continues && !want.Equal(base) {
			t.Fatalf("after close the journal still means something: %+v, %v", r, err)
		}
	})
}

func TestConcurrentCommitsShareWrites(t *testing.T) {
	d := &disk{stored: state.New("l")}
	var order []addr.Object
	l := d.open(func(o addr.Object) { order = append(order, o) })
	var wg sync.WaitGroup
	const n = 200
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := l.Intend(addr.Object{Instance: instance(i)}, "create"); err != nil {
				t.Error(err)
			}
			if err := l.Commit(put(i)); err != nil {
				t.Error(err)
			}
			if journal.Read(bytesOf(d)).Records == 0 {
				t.Error("nothing is durable after a commit")
			}
		}()
	}
	wg.Wait()
	if len(order) != n || d.appends > 2*n {
		t.Errorf("%d objects reported by %d writes", len(order), d.appends)
	}
	log := journal.Read(d.journal)
	if len(log.Edits) != 2*n || len(journal.Unresolved(log.Edits)) != 0 {
		t.Errorf("%d edits in the journal", len(log.Edits))
	}
	if s, err := l.Close(context.Background()); err != nil || s.Count() != n || d.journal != nil || s.Serial() != 1 {
		t.Errorf("close: %v, %d objects, journal of %d bytes", err, s.Count(), len(d.journal))
	}
}

func bytesOf(d *disk) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]byte(nil), d.journal...)
}

func TestFailureOfTheJournal(t *testing.T) {
	d := &disk{stored: state.New("l"), fail: errors.New("disk full"), failAt: 2}
	reported := 0
	l := d.open(func(addr.Object) { reported++ })
	if err := l.Commit(put(0)); err != nil {
		t.Fatal(err)
	}
	if err := l.Commit(put(1)); !errors.Is(err, d.fail) {
		t.Fatalf("got %v", err)
	}
	if err := l.Intend(addr.Object{Instance: instance(2)}, "create"); !errors.Is(err, d.fail) {
		t.Errorf("an intent was accepted after a failure: %v", err)
	}
	if err := l.Commit(put(3)); !errors.Is(err, d.fail) {
		t.Errorf("got %v", err)
	}
	if err := l.Sync(); !errors.Is(err, d.fail) {
		t.Errorf("got %v", err)
	}
	if reported != 1 {
		t.Errorf("%d objects were reported as durable", reported)
	}
	if got := fmt.Sprint(l.Unrecorded()); got != "[t.x[1] t.x[3]]" {
		t.Errorf("unrecorded: %s", got)
	}
	s, err := l.Close(context.Background())
	var harmless *ledger.Recovered
	if !errors.Is(err, d.fail) || !errors.As(err, &harmless) || s.Count() != 3 || d.stored.Count() != 3 {
		t.Errorf("close: %v; %d objects, %d stored", err, s.Count(), d.stored.Count())
	}
	if len(l.Unrecorded()) > 0 {
		t.Errorf("unrecorded, and stored: %v", l.Unrecorded())
	}
}

// careless panics when it is written.
type careless struct{ *disk }

func (careless) Append(...[]byte) error { panic("boom") }

// TestPanics: a journal and an observer that panic keep nobody waiting.
func TestPanics(t *testing.T) {
	for name, l := range map[string]*ledger.Ledger{
		"journal":  open(ledger.Options{Base: state.New("l"), Store: &disk{}, Journal: careless{&disk{}}}),
		"observer": (&disk{stored: state.New("l")}).open(func(addr.Object) { panic("boom") }),
	} {
		for range 2 {
			if err := l.Commit(put(0)); err == nil || !strings.Contains(err.Error(), "panic: boom") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := l.Intend(addr.Object{Instance: instance(1)}, "create"); err == nil {
			t.Errorf("%s: an intent was accepted", name)
		}
		var harmless *ledger.Recovered
		if s, err := l.Close(context.Background()); !errors.As(err, &harmless) || s.Count() != 1 {
			t.Errorf("%s: close: %v", name, err)
		}
	}
}

// TestFailureOfBoth: what neither journal nor store took is named.
func TestFailureOfBoth(t *testing.T) {
	d := &disk{stored: state.New("l")}
	l := d.open(nil)
	if err := l.Commit(put(0)); err != nil {
		t.Fatal(err)
	}
	d.fail = errors.New("no key")
	_ = l.Append(put(2))
	_ = l.Append(put(1))
	_ = l.Append(put(1))
	s, err := l.Close(context.Background())
	var harmless *ledger.Recovered
	if !errors.Is(err, d.fail) || errors.As(err, &harmless) || s.Count() != 3 || d.stored.Count() != 0 {
		t.Errorf("close: %v; %d objects, %d stored", err, s.Count(), d.stored.Count())
	}
	if got := fmt.Sprint(l.Unrecorded()); got != "[t.x[1] t.x[2]]" {
		t.Errorf("unrecorded: %s", got)
	}
}

func TestFailureOfTheStore(t *testing.T) {
	d := &disk{stored: state.New("l"), fail: errors.New("no such bucket")}
	d.failAt = 1 << 30
	l := d.open(nil)
	if err := l.Commit(put(0)); err != nil {
		t.Fatal(err)
	}
	d.failAt = 0
	l2 := open(ledger.Options{Base: d.stored, Store: d})
	if err := l2.Append(put(0)); err != nil {
		t.Fatal(err)
	}
	s, err := l2.Close(context.Background())
	if !errors.Is(err, d.fail) || s.Count() != 1 || len(d.journal) == 0 {
		t.Errorf("close: %v, %d objects, journal of %d bytes", err, s.Count(), len(d.journal))
	}
	if r, _ := journal.Fold(d.stored, journal.Read(d.journal)); r.Snapshot.Count() != 1 {
		t.Error("the journal does not have the object")
	}
}

// TestIntentThatWasNotBegun: what could not be announced was not begun, so it leaves
// nothing open, and no journal that nobody can go on from. What an earlier run left
// open stays so.
func TestIntentThatWasNotBegun(t *testing.T) {
	for _, earlier := range []int{0, 1} {
		d := &disk{stored: state.New("l"), fail: errors.New("no room"), failAt: 1 + earlier}
		l := d.open(nil)
		for range 1 + earlier {
			_ = l.Intend(addr.Object{Instance: instance(0)}, "create")
		}
		if l.Err() == nil {
			t.Fatal("the announcement was accepted")
		}
		_ = l.Append(put(1))
		var harmless *ledger.Recovered
		if _, err := l.Close(context.Background()); !errors.As(err, &harmless) || d.stored.Count() != 1 {
			t.Errorf("close: %v, %d objects stored", err, d.stored.Count())
		}
		if kept := d.journal != nil; kept != (earlier > 0) {
			t.Errorf("%d intents before: the journal is kept: %v", earlier, kept)
		}
	}
}

func TestOpenIntentsOutliveTheRun(t *testing.T) {
	d := &disk{stored: state.New("l")}
	l := d.open(nil)
	if err := errors.Join(l.Intend(addr.Object{Instance: instance(0)}, "create"), l.Commit(put(1))); err != nil {
		t.Fatal(err)
	}
	for run := range 3 {
		if _, err := l.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		r, err := journal.Fold(d.stored, journal.Read(d.journal))
		if err != nil || len(r.Unresolved) != 1 || r.Unresolved[0].Object.Instance != instance(0) || r.Snapshot.Count() != 1+run {
			t.Fatalf("run %d: %+v, %v", run, r, err)
		}
		l = d.open(nil)
		if err := l.Commit(put(run + 2)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Commit(put(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Close(context.Background()); err != nil || d.journal != nil {
		t.Errorf("%v, journal of %d bytes", err, len(d.journal))
	}
}

// TestOpenIntentsWithoutWhatIsGone: what a journal made is gone from the next base
// without an edit, as a refresh finds it, while another outcome is still open. The
// journal is that of the stored state nevertheless.
func TestOpenIntentsWithoutWhatIsGone(t *testing.T) {
	d := &disk{stored: state.New("l")}
	l := d.open(nil)
	if err := errors.Join(l.Intend(addr.Object{Instance: instance(0)}, "create"), l.Commit(put(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	base, err := d.stored.Apply(state.Drop{Object: addr.Object{Instance: instance(1)}})
	if err != nil {
		t.Fatal(err)
	}
	l = open(ledger.Options{Base: base, Stored: d.stored, Store: d, Journal: d})
	if _, err := l.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	r, err := journal.Fold(d.stored, journal.Read(d.journal))
	if err != nil || r.Standing != journal.Finished || len(r.Unresolved) != 1 || r.Snapshot.Count() != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestEditsThatDoNotFitChangeNothing(t *testing.T) {
	d := &disk{stored: state.New("l")}
	l := d.open(nil)
	before := l.Current()
	if err := l.Commit(put(0), state.Taint{Instance: instance(9), Tainted: true}); err == nil {
		t.Error("the edit was accepted")
	}
	if l.Current() != before || l.Err() != nil || len(d.journal) > 0 {
		t.Error("something changed")
	}
}

func BenchmarkAppend100000(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		d := &disk{stored: state.New("l")}
		l := d.open(func(addr.Object) {})
		for n := range 100_000 {
			if err := l.Append(put(n)); err != nil {
				b.Fatal(err)
			}
		}
		if err := l.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// slowStore takes states when it is told to.
type slowStore struct {
	*disk
	// begun is nil for a store that is quick again.
	begun   chan struct{}
	release chan error
}

func (s *slowStore) Write(ctx context.Context, next *state.Snapshot) error {
	if s.begun != nil {
		s.begun <- struct{}{}
		if err := <-s.release; err != nil {
			return err
		}
	}
	return s.disk.Write(ctx, next)
}

// recovered is the present state as the next run finds it.
func (d *disk) recovered(t *testing.T) *state.Snapshot {
	t.Helper()
	r, err := journal.Fold(d.stored, journal.Read(d.journal))
	if err != nil || r.Standing > journal.Continues {
		t.Fatalf("standing %d, error %v", r.Standing, err)
	}
	return r.Snapshot
}

// TestSnapshot: what happens while the state is stored waits for nothing and is not
// lost, whichever state is found afterwards.
func TestSnapshot(t *testing.T) {
	ctx := context.Background()
	base := state.New("l").WithSerial(1)
	d := &disk{stored: base}
	s := &slowStore{d, make(chan struct{}), make(chan error)}
	l := open(ledger.Options{Base: base, Stored: base, Store: s, Journal: d})
	snapshot := func(amid func(), outcome error) error {
		t.Helper()
		done := make(chan error)
		go func() { done <- l.Snapshot(ctx) }()
		<-s.begun
		amid()
		s.release <- outcome
		return <-done
	}
	commit := func(e state.Edit) {
		t.Helper()
		if err := l.Commit(e); err != nil {
			t.Fatal(err)
		}
		if !d.recovered(t).Equal(l.Current()) {
			t.Error("what a crash leaves is another state")
		}
	}
	if err := l.Snapshot(ctx); err != nil || d.writes != 0 {
		t.Fatal("nothing was stored again", err)
	}
	commit(put(0))
	if err := snapshot(func() { commit(put(1)); commit(state.Intent{Object: addr.Object{Instance: instance(7)}, Op: "create"}) }, nil); err != nil {
		t.Fatal(err)
	}
	if d.stored.Serial() != 2 || d.stored.Count() != 1 || !d.recovered(t).Equal(l.Current()) {
		t.Errorf("serial %d, %d objects", d.stored.Serial(), d.stored.Count())
	}
	commit(put(2))
	if err := snapshot(func() { commit(put(3)) }, nil); err != nil {
		t.Fatal(err)
	}
	if d.stored.Serial() != 3 || d.stored.Count() != 3 || len(journal.Unresolved(journal.Read(d.journal).Edits)) != 1 {
		t.Errorf("serial %d, %d objects", d.stored.Serial(), d.stored.Count())
	}

	// The store fails: nothing new begins, what comes is recorded, and the serial of
	// what may have been stored is not used again.
	refused := errors.New("refused")
	if err := snapshot(func() { commit(put(4)) }, refused); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	commit(put(5))
	commit(state.Drop{Object: addr.Object{Instance: instance(7)}})
	if err := l.Intend(addr.Object{Instance: instance(8)}, "create"); !errors.Is(err, refused) {
		t.Error("an intent was accepted:", err)
	}
	s.begun = nil
	final, err := l.Close(ctx)
	var harmless *ledger.Recovered
	if !errors.As(err, &harmless) || !errors.Is(err, refused) || final.Serial() != 5 || d.stored.Count() != 6 || len(d.journal) > 0 {
		t.Errorf("%v, serial %d, %d objects, %d bytes of journal", err, final.Serial(), d.stored.Count(), len(d.journal))
	}
}

// TestCloseFails: the state that finds no place has the serial that it was announced
// with, so that it can be pushed.
func TestCloseFails(t *testing.T) {
	base := state.New("l").WithSerial(1)
	d := &disk{stored: base, fail: errors.New("full")}
	d.failAt = 99
	l := d.open(nil)
	if err := l.Commit(put(0)); err != nil {
		t.Fatal(err)
	}
	d.failAt = 0
	l = d.open(nil)
	final, err := l.Close(context.Background())
	if err == nil || final.Serial() != 2 || d.stored != base {
		t.Error(err, final.Serial())
	}
}

// TestJournalOfAnother: nothing is begun on a journal that cannot be read, or that
// another run writes, and it stays.
func TestJournalOfAnother(t *testing.T) {
	why := errors.New("no")
	for _, d := range []*disk{{unreadable: why}, {taken: why}} {
		d.stored, d.journal = state.New("l"), []byte("something")
		l, err := ledger.Open(ledger.Options{Base: d.stored, Store: d, Journal: d})
		if l != nil || !errors.Is(err, why) || len(d.journal) == 0 || d.writes > 0 {
			t.Errorf("%v, %v, journal of %d bytes", l, err, len(d.journal))
		}
	}
}

// TestAfterAFailureOfTheStore: another ledger goes on from a state that was perhaps
// stored and perhaps not, and whichever of both is found, nothing is lost.
func TestAfterAFailureOfTheStore(t *testing.T) {
	for _, stored := range []bool{false, true} {
		d := &disk{stored: state.New("l").WithSerial(4)}
		l := d.open(nil)
		if err := l.Commit(put(0)); err != nil {
			t.Fatal(err)
		}
		before := d.stored
		d.fail = errors.New("the connection was lost")
		after, err := l.Close(context.Background())
		if err == nil {
			t.Fatal("the state was stored")
		}
		if d.fail = nil; stored {
			d.stored = after
		}
		l = open(ledger.Options{Base: after, Stored: before, Store: d, Journal: d})
		if err := errors.Join(l.Save(context.Background()), l.Commit(put(1))); err != nil {
			t.Fatal(err)
		}
		r, err := journal.Fold(d.stored, journal.Read(d.journal))
		if err != nil || r.Standing != journal.Continues || r.Snapshot.Count() != 2 || r.Snapshot.Serial() != 6 {
			t.Errorf("stored %t: %+v, %v", stored, r, err)
		}
	}
}
