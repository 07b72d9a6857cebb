package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// Store keeps the state.
type Store interface {
	// Write replaces the stored state, durably or not at all.
	Write(ctx context.Context, s *state.Snapshot) error
}

// Journal keeps records until the state they belong to is stored.
type Journal interface {
	// Append adds to the journal and returns when it is durable.
	Append(records ...[]byte) error
	// Reset puts records in the place of all that the journal holds, durably or not at
	// all. Without any it is empty.
	Reset(records ...[]byte) error
}

// Resumer is a journal that may hold records already.
type Resumer interface {
	// Free says why this run may not write the journal, nil for nothing: another
	// run writes it.
	Free() error
	// Log is what the journal holds at this moment.
	Log() (*journal.Log, error)
}

// Options are what a ledger works with.
type Options struct {
	// Base is the state to go on from. It must have a lineage.
	Base *state.Snapshot
	// Stored is the state as the store has it, where Base differs from it
	// because a journal was folded on top.
	Stored *state.Snapshot
	// Unresolved are intents of an earlier run, beside those that a [Resumer] knows
	// of itself; they stay in the journal until an edit of their object.
	Unresolved []state.Intent
	Store      Store
	// Journal may be nil: then nothing is durable before Close. One that is a
	// [Resumer] is continued, any other is emptied first.
	Journal Journal
	// Emit is told of each object whose edit has become durable, one at a time
	// and in order. It may be nil.
	Emit func(addr.Object)
}

// Ledger is the one writer of a state. Its methods may be called concurrently.
type Ledger struct {
	store   Store
	journal Journal
	emit    func(addr.Object)

	mu   sync.Mutex
	idle sync.Cond // of flushing and storing
	// current has all edits, stored is what the store has.
	current, stored *state.Snapshot
	encoder         journal.Encoder
	// begun says that the journal continues the stored state, known that its
	// content is the encoder's.
	begun, known bool
	intents      map[addr.Object]state.Intent
	// pending are the records, and the objects to report, that no flush has
	// taken yet.
	pending []byte
	spare   []byte
	reports []addr.Object
	// unrecorded are the objects with edits that neither the journal nor the store
	// has, and will not have unless the state is stored.
	unrecorded []addr.Object
	// appended counts the calls that added records, durable those of them that
	// are durable.
	appended, durable uint64
	flushing          bool
	// announced is the highest serial that a state was given on its way to the
	// store, kept the state that the last Snapshot was asked to store.
	announced uint64
	kept      *state.Snapshot
	storing   bool
	// failure is that of the journal, refusal that of the store.
	failure, refusal error
}

// How much Append lets accumulate before it writes: bytes of records, objects
// to report.
const (
	pendingLimit = 4 << 20
	reportLimit  = 8192
)

// Open starts a ledger. The error is that the journal is another run's, or cannot
// be read; it is left alone then.
func Open(o Options) (*Ledger, error) {
	l := &Ledger{
		store: o.Store, journal: o.Journal, emit: o.Emit,
		current: o.Base, stored: o.Stored, intents: map[addr.Object]state.Intent{},
	}
	if l.current == nil {
		l.current = state.New("")
	}
	if l.stored == nil {
		l.stored = l.current
	}
	l.idle.L = &l.mu
	// A base with a later serial is one that could not be stored, as far as is known.
	l.announced, l.kept = max(l.stored.Serial(), l.current.Serial()), l.current
	if r, ok := o.Journal.(Resumer); ok {
		if err := r.Free(); err != nil {
			return nil, err
		}
		log, err := r.Log()
		if err != nil {
			return nil, fmt.Errorf("the journal cannot be read: %w", err)
		}
		l.resume(log)
	}
	for _, i := range o.Unresolved {
		l.intents[i.Object] = i
	}
	return l, nil
}

// Current is the state with all edits so far.
func (l *Ledger) Current() *state.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current
}

// Stored is the last state that the store took.
func (l *Ledger) Stored() *state.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stored
}

// Err is the first failure to write, nil for none.
func (l *Ledger) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wrong()
}

// wrong is the first failure to write.
func (l *Ledger) wrong() error {
	if l.failure != nil {
		return l.failure
	}
	return l.refusal
}

// Unrecorded are the objects of which an edit is recorded nowhere, each once, in
// the order of addresses: the journal failed, and the state is not stored.
func (l *Ledger) Unrecorded() []addr.Object {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := slices.Clone(l.unrecorded)
	slices.SortFunc(out, addr.Compare)
	return slices.Compact(out)
}

// Intend announces that an operation is about to be asked of a provider, and
// returns when the announcement is durable. The operation may only begin when
// there is no error: with one it counts as never announced, even if the journal has
// the record, and a journal of nothing else is not kept for it.
func (l *Ledger) Intend(o addr.Object, op string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.wrong(); err != nil {
		return err
	}
	earlier, unresolved := l.intents[o]
	err := l.commit(state.Intent{Object: o, Op: op})
	switch {
	case err == nil:
	case unresolved:
		l.intents[o] = earlier
	default:
		delete(l.intents, o)
	}
	return err
}

// Commit applies edits, all or none, and returns when they are durable.
func (l *Ledger) Commit(edits ...state.Edit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commit(edits...)
}

func (l *Ledger) commit(edits ...state.Edit) error {
	if err := l.add(edits); err != nil {
		return err
	}
	return l.wait(l.appended)
}

// Append applies edits, all or none, without waiting until they are durable.
func (l *Ledger) Append(edits ...state.Edit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.add(edits); err != nil {
		return err
	}
	if len(l.pending) > pendingLimit || len(l.reports) > reportLimit {
		return l.wait(l.appended)
	}
	return nil
}

// Sync returns when everything appended before is durable.
func (l *Ledger) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wait(l.appended)
}

// add applies and records edits. What was done is noted also where it cannot be
// recorded any more: an outcome that nobody knows is open all the same.
func (l *Ledger) add(edits []state.Edit) error {
	next, err := l.current.Apply(edits...)
	if err != nil {
		return err
	}
	if err := l.record(edits); err != nil && l.failure == nil {
		l.failure = err
	}
	l.current = next
	for _, e := range edits {
		l.note(e)
	}
	l.appended++
	return l.failure
}

// note keeps the open intents and the objects to report.
func (l *Ledger) note(e state.Edit) {
	at := e.Subject()
	if intent, is := e.(state.Intent); is {
		l.intents[at] = intent
		return
	}
	if len(l.intents) > 0 {
		delete(l.intents, at)
	}
	if _, is := e.(state.Settle); is {
		return
	}
	if at != (addr.Object{}) {
		l.reports = append(l.reports, at)
	}
}

// record encodes edits, all or none.
func (l *Ledger) record(edits []state.Edit) error {
	if l.journal == nil || l.failure != nil {
		return nil
	}
	if !l.begun {
		if err := l.begin(); err != nil {
			return err
		}
	}
	encoder, pending := l.encoder, l.pending
	for _, e := range edits {
		var err error
		if pending, err = encoder.Append(pending, e); err != nil {
			return fmt.Errorf("%s cannot be recorded: %w", e, err)
		}
	}
	l.encoder, l.pending = encoder, pending
	return nil
}

// wait returns when the calls up to n are durable. Whoever finds nobody
// flushing flushes for all.
func (l *Ledger) wait(n uint64) error {
	for l.durable < n {
		if l.flushing {
			l.idle.Wait()
			continue
		}
		l.flush()
	}
	return l.failure
}

// flush makes the pending records durable. The lock is released meanwhile.
func (l *Ledger) flush() {
	records, reports, upTo := l.pending, l.reports, l.appended
	failure := l.failure
	l.pending, l.reports, l.flushing = l.spare[:0], nil, true
	l.mu.Unlock()
	if failure == nil {
		failure = l.deliver(records, reports)
	}
	l.mu.Lock()
	l.spare = nil
	if cap(records) <= 2*pendingLimit {
		l.spare = records[:0]
	}
	l.durable, l.flushing = upTo, false
	l.fail(failure)
	if failure != nil || l.journal == nil {
		l.unrecorded = append(l.unrecorded, reports...)
	}
	l.idle.Broadcast()
}

// deliver writes records and reports objects. A panic of a journal or an observer is a
// failure like others: whoever waits has to hear of it.
func (l *Ledger) deliver(records []byte, reports []addr.Object) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if len(records) > 0 {
		err = l.journal.Append(records)
	}
	if err == nil && l.emit != nil {
		for _, at := range reports {
			l.emit(at)
		}
	}
	return err
}

// fail takes note of a failure of the journal, nil for none.
func (l *Ledger) fail(err error) {
	if l.failure == nil && err != nil {
		l.failure = fmt.Errorf("the journal cannot be written: %w", err)
	}
}

// Snapshot stores the state as it is now, while the run goes on: what is edited
// meanwhile is not in it, and waits for nothing. It does nothing when nothing has
// changed since the last time. After a failure no intent is accepted; the journal
// goes on, and Close tries again.
func (l *Ledger) Snapshot(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong() != nil || l.storing || l.current == l.kept || l.current.Equal(l.stored) {
		return l.wrong()
	}
	next := l.next()
	l.kept = l.current
	if l.begun {
		var err error
		if l.pending, err = l.encoder.Seal(l.pending, next); err != nil {
			return err
		}
		l.appended++
		if err := l.wait(l.appended); err != nil {
			return err
		}
	}
	l.storing = true
	l.mu.Unlock()
	err := l.store.Write(ctx, next)
	l.mu.Lock()
	l.storing = false
	l.idle.Broadcast()
	if err != nil {
		l.refusal = unstored(err)
		return l.refusal
	}
	l.stored = next
	return nil
}

// next is the present state with a serial that no other has had, stored or not: it
// may be unknown whether one was.
func (l *Ledger) next() *state.Snapshot {
	l.announced = max(l.announced, l.stored.Serial()) + 1
	return l.current.WithSerial(l.announced)
}

func unstored(err error) error { return fmt.Errorf("the state cannot be stored: %w", err) }

// Save stores the state as it is now and starts the journal anew.
func (l *Ledger) Save(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.save(ctx)
}

// Recovered is a failure that did no harm: of a journal, when the state that has
// everything is stored, or of the store, which took the state in the end.
type Recovered struct{ Err error }

// Error is the failure.
func (r *Recovered) Error() string { return r.Err.Error() }

// Unwrap is the failure.
func (r *Recovered) Unwrap() error { return r.Err }

// Close stores the final state and gives it. What cannot be stored is given
// nevertheless, with the error: the journal still has it but for what is
// [Ledger.Unrecorded], and the caller may find another place; its serial is the one
// that it was to have. A failure that is made up for is a *[Recovered].
func (l *Ledger) Close(ctx context.Context) (*state.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.save(ctx)
	if err == nil && l.wrong() != nil {
		err = &Recovered{l.wrong()}
	} else {
		err = errors.Join(err, l.failure)
	}
	return l.current, err
}

// save stores the state if it differs from the stored one. It waits until
// nobody is flushing, and nobody else gets in before it is done.
func (l *Ledger) save(ctx context.Context) error {
	_ = l.wait(l.appended) // a failure is known to everybody
	for l.storing {
		l.idle.Wait()
	}
	defects := errors.Join(l.current.CheckSince(l.stored)...)
	if l.current.Equal(l.stored) {
		if l.stored.Serial() > l.current.Serial() { // a Snapshot has stored it
			l.current = l.stored
		}
		return errors.Join(defects, l.reset(l.failure != nil))
	}
	next := l.next()
	if l.begun && l.failure == nil {
		records, err := l.encoder.Seal(nil, next)
		if err == nil {
			err = l.journal.Append(records)
		}
		l.fail(err)
	}
	if err := l.store.Write(ctx, next); err != nil {
		l.current = next
		return errors.Join(unstored(err), defects)
	}
	l.current, l.stored, l.kept, l.unrecorded = next, next, next, nil
	return errors.Join(defects, l.reset(true))
}
