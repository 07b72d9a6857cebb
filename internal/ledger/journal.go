package ledger

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state/journal"
)

// resume goes on behind the records that the journal holds. They count further
// where the state to go on from has them and the stored one has not.
func (l *Ledger) resume(log *journal.Log) {
	if log == nil || log.Records == 0 {
		return
	}
	l.encoder, l.known = log.Encoder(), true
	l.begun = l.current != l.stored
	for _, i := range journal.Unresolved(log.Edits) {
		l.intents[i.Object] = i
	}
}

// begin starts the journal of the stored state, with what is on top of it and
// the intents that are open.
func (l *Ledger) begin() error {
	if !l.known {
		if err := l.journal.Reset(); err != nil {
			return fmt.Errorf("the journal cannot be started: %w", err)
		}
		l.encoder, l.known = journal.Encoder{}, true
	}
	l.begun = true
	l.pending = l.encoder.Begin(l.pending, l.current.Lineage(), l.stored.Serial())
	for _, at := range l.open() {
		var err error
		if l.pending, err = l.encoder.Append(l.pending, l.intents[at]); err != nil {
			return err
		}
	}
	return nil
}

// open are the objects with an open intent, sorted.
func (l *Ledger) open() []addr.Object {
	out := make([]addr.Object, 0, len(l.intents))
	for at := range l.intents {
		out = append(out, at)
	}
	slices.SortFunc(out, addr.Compare)
	return out
}

// restart begins the journal of the state that was just stored with the intents that
// are open. The one before cannot stay: a base may lack what it made (a refresh found
// that gone), and then it does not look like that of the stored state. A failure leaves
// it, and is one of the journal.
func (l *Ledger) restart() {
	if l.journal == nil || l.failure != nil {
		return
	}
	err := l.begin()
	if err == nil {
		err = l.journal.Append(l.encoder.Seal(l.pending, l.stored.Serial()))
	}
	l.pending = nil
	if err != nil {
		l.failure = fmt.Errorf("the journal cannot be written: %w", err)
	}
}

// reset ends the journal of the state before. It is kept while it is the only
// place that knows of an open intent.
func (l *Ledger) reset() error {
	if l.journal == nil {
		return nil
	}
	l.begun = false
	if len(l.intents) > 0 {
		return nil
	}
	l.known = false
	if err := l.journal.Reset(); err != nil {
		return fmt.Errorf("the state is stored, but its journal cannot be removed: %w", err)
	}
	return nil
}
