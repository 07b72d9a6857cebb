package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/applier"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/ledger"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// Apply carries out a plan. The snapshot is what the store has afterwards, or, where
// something could not be stored, what is to be there; it is true whatever the
// diagnostics say.
func (e *Engine) Apply(ctx context.Context, doc *plan.Document, o ApplyOptions) (*state.Snapshot, diag.List) {
	e.running.Lock()
	defer e.running.Unlock()
	e.emitter.emit(event.Phase{Name: event.Applying})
	stored := o.Stored
	if stored == nil {
		stored = doc.PrevRun
	}
	if doc.Errored {
		return doc.PrevRun, diag.Errs("Cannot apply incomplete plan",
			"The plan was made with errors and shows only a part of what has to happen. Mend the errors and plan again.")
	}
	prog, diags := e.compile(ctx, e.options.Config, doc.Prior, generated(doc), o.Questions.ask)
	if diags.HasErrors() {
		return doc.PrevRun, diags
	}
	diags = nil // the plan has told the warnings
	inputs, more := e.applyInputs(ctx, prog, doc, o.Variables)
	diags = diags.With(more)
	if diags.HasErrors() {
		return doc.PrevRun, diags
	}
	books, found, more := e.open(ctx, stored, doc, o)
	diags = diags.With(more)
	if diags.HasErrors() {
		return found, diags
	}
	setup := e.setup(ctx, prog, evaluate.Applying, doc.Timestamp)
	setup.InputAt = inputPlaces(o.Variables)
	setup.Inputs, setup.Lenient = inputs, doc.Mode == plan.RefreshOnly
	setup.Standing, setup.Ending = doc.Mode == plan.Destroy, doc.Mode == plan.Destroy
	setup.Partial = len(doc.Targets)+len(doc.Excludes) > 0
	run := evaluate.NewRun(prog, setup)
	end := e.persist(ctx, books, o.Store)
	diags = diags.With(applier.Apply(ctx, run, applier.Options{
		Plan: doc, Ledger: books, Clients: e.configured(), Instead: e.instead(), Provisioners: e.provisioner, Removed: e.removed(prog),
		Emit: e.emitter.emit, Halted: e.halted.Load,
		Parallelism: e.options.Parallelism, Evaluations: e.evaluations(), Clock: e.clock(), DeposedKey: deposedKey,
		Trace: tracer(o.Explain),
	}))
	end()
	o.Questions.answer(run)
	e.emitter.emit(event.Phase{Name: event.Finishing})
	final, err := books.Close(context.WithoutCancel(ctx))
	diags = diags.With(closed(err, books, o.Store))
	if len(doc.Targets)+len(doc.Excludes) > 0 {
		diags = diags.Append(diag.Warn("Applied changes may be incomplete",
			"The plan was made with -target or -exclude, so changes that the configuration asks for may be left. Run a plan without these options to see them:\n    plumb plan"))
	}
	return final, diags.With(e.leftBehind(doc, o, diags))
}

// closed tells how the end of the ledger went, and the store what it is to keep
// in mind.
func closed(err error, books *ledger.Ledger, store Store) diag.List {
	var harmless *ledger.Recovered
	switch {
	case err == nil:
		return nil
	case errors.As(err, &harmless):
		return diag.List{diag.Warn("The state was saved after all",
			"While changes were made, what came of them could not be saved, so no further ones were begun. At the end the whole state could be stored: nothing of what was done is missing. What failed: "+err.Error()+".").By(diag.Operator)}
	}
	if m, can := store.(Mourner); can {
		m.Unrecorded(books.Unrecorded())
	}
	return diag.List{saveFailed(err)}
}

// open begins to write the state: what the plan found is stored, and the store
// can be written, before anything is changed. Without a ledger the snapshot is what
// there is then: what was stored now, else what the plan was made from, which may be
// in the store and in its journal.
func (e *Engine) open(ctx context.Context, stored *state.Snapshot, doc *plan.Document, o ApplyOptions) (*ledger.Ledger, *state.Snapshot, diag.List) {
	stored, diags := first(ctx, stored, doc, o.Store)
	if diags.HasErrors() {
		return nil, doc.PrevRun, diags
	}
	books, err := ledger.Open(ledger.Options{
		Base: doc.Prior, Stored: stored, Unresolved: o.Unresolved, Store: o.Store, Journal: o.Journal,
		Emit: func(at addr.Object) { e.emitter.emit(event.StateSaved{Object: at}) },
	})
	if err != nil {
		return nil, doc.PrevRun, diag.List{unwritable(err)}
	}
	if err := books.Save(ctx); err != nil {
		if found := books.Stored(); found != stored {
			return nil, found, diag.List{saveFailed(err)}
		}
		return nil, doc.PrevRun, diag.List{saveFailed(err)}
	}
	if p, can := o.Store.(Prober); can {
		if err := p.Probe(ctx); err != nil {
			return nil, books.Current(), diag.List{unwritable(err)}
		}
	}
	return books, nil, nil
}

// leftBehind is the error, in a dialect that has it, of a destroy that went
// well and forgot objects, so that what was to be empty may not be.
func (e *Engine) leftBehind(doc *plan.Document, o ApplyOptions, so diag.List) diag.List {
	if doc.Mode != plan.Destroy || o.ForgottenIsFine || so.HasErrors() || !e.options.Dialect.Yes(settings.ForgottenFails) {
		return nil
	}
	names := forgottenNames(doc)
	if len(names) == 0 {
		return nil
	}
	return diag.List{diag.Err("Destroy was successful but left behind forgotten instances",
		"Everything went as planned, and these objects were taken out of the state without being destroyed, so they still exist:\n - "+strings.Join(names, "\n - ")+"\n\nThis ends as an error so that nobody takes what is left for gone; -suppress-forget-errors makes it a success.").By(diag.Author)}
}

// first writes the state of a store that has none yet, so that it is there
// whatever comes of the apply.
func first(ctx context.Context, stored *state.Snapshot, doc *plan.Document, store Store) (*state.Snapshot, diag.List) {
	if stored.Serial() > 0 {
		return stored, nil
	}
	next := doc.Prior.WithSerial(1)
	if err := store.Write(ctx, next); err != nil {
		return stored, diag.List{saveFailed(err)}
	}
	return next, nil
}

func saveFailed(err error) diag.Diag {
	return diag.Err("Failed to save state", "The state could not be saved: "+err.Error()+".").By(diag.Operator)
}

func unwritable(err error) diag.Diag {
	return diag.Err("The state cannot be written", "Nothing was changed, because what would come of the changes could not be recorded: "+err.Error()+".").By(diag.Operator)
}

func (e *Engine) provisioner(name string) applier.Provisioner {
	if p := e.options.Provisioners[name]; p != nil {
		return p
	}
	return nil
}

// deposedKey makes the random key of an object that is put aside.
func deposedKey() addr.DeposedKey {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return addr.DeposedKey(hex.EncodeToString(b[:]))
}
