package engine

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/planner"
	"github.com/plumb-iac/plumb/internal/refactor"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// Plan compares the configuration with the state and with what really exists,
// and says what would have to happen. It changes nothing. With errors the
// document is marked Errored and kept for showing; it may be nil when the
// configuration could not be used at all.
//
// It asks of the configuration only what the plan comes across: references,
// types and schemas everywhere, values and the providers' own checks for the
// objects that there are. So nothing that a plan holds is unchecked; a mistake in
// what nothing asks for, such as the arguments of a resource with count = 0, is
// found by Validate alone. A caller that wants plans of valid configurations
// only, as the command line does, calls it first.
func (e *Engine) Plan(ctx context.Context, o PlanOptions) (*plan.Document, diag.List) {
	e.running.Lock()
	defer e.running.Unlock()
	e.emitter.emit(event.Phase{Name: event.Planning})
	if o.State == nil {
		o.State = state.New(uuid.NewString())
	}
	prog, diags := e.compile(ctx, e.options.Config, o.State, generating(o), o.Questions.ask)
	if diags.HasErrors() {
		return nil, diags
	}
	diags = diags.With(prog.SelfReferences()).With(cycles(prog)).With(invoking(prog, &o))
	inputs, more := e.inputs(ctx, prog, o.Variables)
	diags = diags.With(more)
	if diags.HasErrors() {
		return nil, diags
	}
	stamp := e.options.Now().UTC()
	run := e.planRun(ctx, prog, o, inputs, stamp)
	refactored, more := e.refactor(prog, o)
	diags = diags.With(more).With(partial(o)).With(leftBehind(refactored.moves, o))
	if diags.HasErrors() {
		return nil, diags
	}
	doc, more := planner.Plan(ctx, run, e.planning(o, refactored))
	if still := refactor.StillDeclared(prog.Tree, run); still.HasErrors() {
		// Whatever else went wrong may come of this.
		return nil, diags.With(still)
	}
	diags = diags.With(more)
	if doc == nil {
		return nil, diags
	}
	o.Questions.answer(run)
	doc.Variables, doc.Timestamp = inputs.book, stamp
	doc.Workspace = e.options.Workspace
	e.latest.doc, e.latest.inputs = doc, inputs.values
	doc.LanguageVersion, doc.Version = LanguageVersion, Version
	return doc, diags.With(notices(doc))
}

// planRun is what a plan is evaluated in.
func (e *Engine) planRun(ctx context.Context, prog *evaluate.Program, o PlanOptions, in given, stamp time.Time) *evaluate.Run {
	setup := e.setup(ctx, prog, evaluate.Planning, stamp)
	setup.Inputs, setup.Unfit, setup.InputAt = in.values, in.unfit, in.at
	setup.Lenient, setup.Ending = o.Mode == plan.RefreshOnly, o.Mode == plan.Destroy
	setup.Partial = len(o.Targets)+len(o.Excludes) > 0
	// Destroying goes by the state: what it has lost already is no reason to keep
	// the rest.
	setup.Standing = o.Deferral || o.Mode == plan.Destroy
	// Where nothing is made, or the command line names an action, a later round
	// knows no more.
	setup.StandingActions = o.Deferral && o.Mode == plan.Normal && len(o.Invoke) == 0
	if o.Deferral {
		e.clients.renew()
	}
	run := evaluate.NewRun(prog, setup)
	for _, i := range o.Imports {
		run.AddImport(evaluate.Imported{Addr: i.Addr, ID: i.ID, Identity: i.Identity})
	}
	return run
}

// planning is what the planner is to know.
func (e *Engine) planning(o PlanOptions, from refactored) planner.Options {
	return planner.Options{
		Mode: o.Mode, PrevRun: from.state, Stored: o.State, Moved: from.moved, Forgotten: from.forgotten,
		Targets: o.Targets, Excludes: o.Excludes, Replace: o.Replace, SkipRefresh: o.SkipRefresh, Deferral: o.Deferral, Invoke: o.Invoke,
		NamesTriggerOnCreate: e.options.Dialect.Yes(settings.TriggeredCreateReason),
		ForgetFirst:          e.options.Dialect.Yes(settings.ForgetFirst),
		RemembersKept:        e.options.Dialect.Yes(settings.DestroyFalseRemembered),
		SpreadsUp:            e.options.Dialect.Yes(settings.CreateFirstSpreadsUp),
		EmptyUnset:           e.options.Dialect.Yes(settings.EmptyUnset),
		WholeRelevantPaths:   e.options.Dialect.Yes(settings.WholeRelevantPaths),
		Clients:              e.configured(), Instead: e.instead(), Emit: e.emitter.emit, Halted: e.halted.Load,
		Parallelism: e.options.Parallelism, Evaluations: e.evaluations(), Now: e.options.Now, Clock: e.clock(),
		Trace: tracer(o.Explain),
	}
}

// notices are warnings that belong to the whole plan.
func notices(doc *plan.Document) diag.List {
	var out diag.List
	if forgotten := forgottenNames(doc); len(forgotten) > 0 {
		out = append(out, diag.Warn("Some objects will no longer be managed by Plumb",
			"This plan takes the following objects out of the state. They are not destroyed, and it is up to you what becomes of them:\n - "+strings.Join(forgotten, "\n - ")+"\n\nTo manage them again later, import them."))
	}
	return out
}

// forgottenNames are the objects that the plan takes out of the state without
// destroying them.
func forgottenNames(doc *plan.Document) []string {
	var out []string
	for _, c := range doc.Changes {
		if c.Action.Forgets() {
			out = append(out, c.Object().String())
		}
	}
	return out
}

// tracer lets the planner note the artefacts of one object.
func tracer(into *Artefacts) planner.Tracer {
	if into == nil {
		return nil
	}
	wanted := into.Object
	return func(o addr.Object) *Artefacts {
		if o == wanted {
			return into
		}
		return nil
	}
}
