package backend

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/zclconf/go-cty/cty"
)

// Opened is a state with its journal.
type Opened struct {
	// Snapshot is the state with what the journal adds; never nil.
	Snapshot *state.Snapshot
	// Stored is the state as it is stored, nil for none.
	Stored *state.Snapshot
	// Journal is nil where there can be none.
	Journal Journal
	// Unresolved are operations whose outcome was not known when it was opened.
	Unresolved []state.Intent
	// Standing says what the journal meant.
	Standing journal.Standing
}

// Applied takes note of the state that an apply has stored, for another one to
// begin with.
func (o *Opened) Applied(after *state.Snapshot) { o.Stored, o.Snapshot = after, after }

// Found says whether there is a state, be it only in the journal.
func (o Opened) Found() bool { return o.Stored != nil || o.Standing == journal.Continues }

// Open reads a state and what a run that did not come to its end left beside
// it. A state that does not exist begins with the lineage given.
func Open(ctx context.Context, s Store, lineage string) (Opened, diag.List) {
	var o Opened
	stored, diags := s.Read(ctx)
	if diags.HasErrors() {
		return o, diags
	}
	o.Stored, o.Snapshot = stored, stored
	j, err := s.Journal(ctx)
	if err != nil {
		return o, diags.Append(unreadable(err))
	}
	if j != nil {
		o.Journal = j
		log, err := j.Log()
		if err != nil {
			return o, diags.Append(unreadable(err))
		}
		r, err := journal.Fold(stored, log)
		if err != nil {
			return o, diags.Append(broken(j, err))
		}
		o.Snapshot, o.Unresolved, o.Standing = r.Snapshot, r.Unresolved, r.Standing
		// While a run is under way its journal is nothing to report.
		if !s.Busy(ctx) {
			diags = diags.With(explain(j, r, r.Snapshot != stored))
		}
	}
	switch {
	case o.Snapshot == nil:
		o.Snapshot = state.New(lineage)
	case o.Snapshot.Lineage() == "":
		o.Snapshot = o.Snapshot.WithLineage(lineage)
	}
	if o.Snapshot != nil && o.Stored == nil && o.Standing == journal.Continues {
		o.Stored = state.New(o.Snapshot.Lineage())
	}
	return o, diags
}

// Free says why the state may not be replaced, nil for nothing: another run, without
// the lock or beside one that has none, writes its journal.
func (o Opened) Free() error {
	if o.Journal == nil {
		return nil
	}
	return o.Journal.Free()
}

// Store replaces the stored state by one that holds what the journal held, and has the
// journal agree with it, which announces the state before it is stored: whatever
// becomes of the process, the two belong together. Operations without an outcome stay on
// record.
func (o Opened) Store(ctx context.Context, s Store, next *state.Snapshot) error {
	if err := o.Free(); err != nil {
		return err
	}
	if err := o.announce(next); err != nil {
		return err
	}
	if err := s.Write(ctx, next); err != nil {
		return err
	}
	return o.Settle(next)
}

// announce says in a journal that there is which state is going to be stored.
func (o Opened) announce(next *state.Snapshot) error {
	if o.Journal == nil {
		return nil
	}
	log, err := o.Journal.Log()
	if err != nil || log.Records == 0 {
		return err
	}
	encoder := log.Encoder()
	record, err := encoder.Seal(nil, next)
	if err != nil {
		return err
	}
	return o.Journal.Append(record)
}

// Settle makes the journal agree with a stored state that holds what the journal held.
// Operations without an outcome stay on record.
func (o Opened) Settle(stored *state.Snapshot) error {
	if o.Journal == nil {
		return nil
	}
	if log, err := o.Journal.Log(); err != nil || log.Records == 0 {
		return err
	}
	if len(o.Unresolved) == 0 {
		return o.Journal.Reset()
	}
	records, _, err := journal.Anew(stored, o.Unresolved)
	if err != nil {
		return err
	}
	return o.Journal.Reset(records)
}

func operator(summary, detail string) diag.Diag {
	return diag.Err(summary, detail).By(diag.Operator)
}

func unreadable(err error) diag.Diag {
	return operator("Failed to read the journal of the state", err.Error()+".")
}

func broken(j Journal, err error) diag.Diag {
	return diag.Err("The journal does not fit its state", fmt.Sprintf(
		"A run that did not come to its end left the journal %s, and an edit in it cannot be applied: %v. Keep it, and the state: this is a defect of plumb. To go on without what the journal holds, move it elsewhere.", j.Path(), err)).By(diag.Engine)
}

// explain says what a journal means to people; adds tells whether it changes the
// state.
func explain(j Journal, r journal.Recovery, adds bool) diag.List {
	var out diag.List
	switch {
	case r.Standing == journal.Continues && adds:
		out = append(out, diag.Warn("Continuing after a run that did not come to its end", fmt.Sprintf(
			"Changes of that run are recorded in the journal %s and are taken into account. They go into the state with the next change to it.", j.Path())).By(diag.Operator))
	case r.Standing == journal.Foreign || r.Standing == journal.Overtaken:
		var names []string
		for _, at := range r.Lost {
			names = append(names, "  - "+at.String())
		}
		why := "but the state has been replaced since by something else"
		if r.Standing == journal.Foreign {
			why = "but the state has another lineage: it is not the one the journal belongs to"
		}
		out = append(out, operator("The state does not match its journal", fmt.Sprintf(
			"A run that did not come to its end left the journal %s, %s. These objects were changed by that run, and the state may not know:\n%s\n\nCompare them with the state (\"state list\", \"state show\"), import what is missing, then remove the journal to go on.",
			j.Path(), why, strings.Join(names, "\n"))))
	}
	for _, i := range r.Unresolved {
		out = append(out, diag.Warn("Operation with an unknown outcome", fmt.Sprintf(
			"An earlier run asked the provider to %s %s and ended before the answer came. The object may exist although nobody tracks it, or may have changed. If it was to be created, look for it: import it if it is there. The next operation on this address settles the matter, and so does \"plumb state rm\" with it.", i.Op, i.Object)).
			By(diag.Operator).For(i.Object.String()))
	}
	return out
}

// Outputs are the values of the outputs in a state, as terraform_remote_state has
// them; nil where there is no state. Who only reads is not told what is wrong with
// the journal: those are who work with the state.
func Outputs(ctx context.Context, s Store) (map[string]cty.Value, diag.List) {
	found, diags := s.Read(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	if found = continued(ctx, s, found); found == nil {
		return nil, diags
	}
	out := map[string]cty.Value{}
	for name, o := range found.Outputs() {
		out[name] = o.Value
	}
	return out, diags
}

// continued is a stored state with what the journal on this machine adds to it.
func continued(ctx context.Context, s Store, stored *state.Snapshot) *state.Snapshot {
	if s.Remote() {
		return stored // the journals of its runs are where those ran
	}
	j, err := s.Journal(ctx)
	if err != nil || j == nil {
		return stored
	}
	log, err := j.Log()
	if err != nil {
		return stored
	}
	if r, err := journal.Fold(stored, log); err == nil && r.Standing == journal.Continues {
		return r.Snapshot
	}
	return stored
}
