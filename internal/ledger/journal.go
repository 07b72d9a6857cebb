package ledger

import (
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
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
	for _, i := range l.open() {
		var err error
		if l.pending, err = l.encoder.Append(l.pending, i); err != nil {
			return err
		}
	}
	return nil
}

// open are the open intents, in the order of addresses.
func (l *Ledger) open() []state.Intent {
	out := make([]state.Intent, 0, len(l.intents))
	for _, i := range l.intents {
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b state.Intent) int { return addr.Compare(a.Object, b.Object) })
	return out
}

// reset ends the journal, as all that it has is stored. While there are open intents it
// is the only place that knows of them: then it stays as it is, or, with anew, one that
// has nothing but them takes its place. What is wrong with the old one is over then, be
// it that it fits no state that is stored, or that it could not be written any more.
func (l *Ledger) reset(anew bool) error {
	if l.journal == nil {
		return nil
	}
	l.begun = false
	if len(l.intents) > 0 {
		if anew {
			return l.restart()
		}
		return nil
	}
	l.known = false
	if err := l.journal.Reset(); err != nil {
		return fmt.Errorf("the state is stored, but its journal cannot be removed: %w", err)
	}
	return nil
}

// restart begins the journal of the stored state with the open intents.
func (l *Ledger) restart() error {
	records, encoder, err := journal.Anew(l.stored, l.open())
	if err == nil {
		err = l.journal.Reset(records)
	}
	if err != nil {
		return fmt.Errorf("the state is stored, but its journal, which has operations without an outcome, cannot be begun anew: %w", err)
	}
	l.encoder, l.begun, l.known, l.pending = encoder, true, true, nil
	return nil
}
