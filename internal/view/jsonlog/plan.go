package jsonlog

import (
	"fmt"

	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/human"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/state"
)

// actionWords are the actions of planned changes.
var actionWords = map[plan.Action]string{
	plan.NoOp: "noop", plan.Create: "create", plan.Read: "read", plan.Update: "update",
	plan.DeleteThenCreate: "replace", plan.CreateThenDelete: "replace", plan.CreateThenForget: "replace", plan.ForgetThenCreate: "replace",
	plan.Delete: "delete", plan.Forget: "remove",
}

// reasonWords are the reasons that are worded otherwise than in plan JSON.
var reasonWords = map[plan.Reason]string{
	plan.ReplaceTainted: "tainted", plan.ReplaceRequested: "requested",
	plan.ReplaceTriggered: "replace_triggered_by", plan.ReplaceCannotUpdate: "cannot_update",
}

// driftWords word drift.
var driftWords = map[plan.Action]string{plan.NoOp: "move", plan.Update: "update", plan.Delete: "delete"}

// Plan writes what a plan holds: drift, changes, the summary and the outputs.
func (l *Log) Plan(d *plan.Document) {
	l.Drift(d)
	l.changes(d, func(*plan.Change) bool { return true })
	l.Deferred(d)
	l.DeferredInvocations(d.DeferredInvocations)
	l.Invocations(d.Invocations)
	c := planview.Count(d)
	l.summary(planview.Summary(c, l.forgotten), view.Tally{Imported: c.Import, Added: c.Add, Changed: c.Change, Destroyed: c.Destroy, Forgotten: c.Forget, Invoked: c.Invoke}, "plan")
	if len(d.Outputs) > 0 {
		l.plannedOutputs(d.Outputs)
	}
}

// Drift writes what changed outside: programs are told all of it, and judge for
// themselves what matters.
func (l *Log) Drift(d *plan.Document) {
	for _, c := range d.Drift {
		word := driftWords[c.Action]
		l.line("info", fmt.Sprintf("%s: Drift detected (%s)", c.Addr, word), "resource_drift", func(w *jsonout.Writer) {
			change(w, c, word)
		})
	}
}

// Changes writes what a saved plan has still to do, and not what is only moved or
// imported: that was done when planning, and is stored with the rest.
func (l *Log) Changes(d *plan.Document) {
	l.changes(d, func(c *plan.Change) bool { return c.Action != plan.NoOp })
}

func (l *Log) changes(d *plan.Document, which func(*plan.Change) bool) {
	for _, c := range d.Changes {
		if word := plannedWord(c); word != "noop" && planjson.Shown(c) && which(c) {
			l.line("info", c.Addr.String()+": Plan to "+word, "planned_change", func(w *jsonout.Writer) {
				change(w, c, word)
			})
		}
	}
}

// Deferred writes what waits for a later round.
func (l *Log) Deferred(d *plan.Document) {
	for _, x := range d.Deferred {
		word := plannedWord(&x.Change)
		l.line("info", x.Change.Object().String()+": Deferred ("+string(x.Reason)+")", "deferred_change", func(w *jsonout.Writer) {
			w.Key("deferred")
			w.Begin()
			w.KeyString("reason", string(x.Reason))
			change(w, &x.Change, word)
			w.End()
		})
	}
}

func plannedWord(c *plan.Change) string {
	switch {
	case c.Action == plan.NoOp && c.Importing != nil:
		return "import"
	case c.Action == plan.NoOp && c.Moved():
		return "move"
	}
	return actionWords[c.Action]
}

func change(w *jsonout.Writer, c *plan.Change, word string) {
	w.Key("change")
	w.Begin()
	w.Key("resource")
	resource(w, c.Addr)
	if c.Moved() {
		w.Key("previous_resource")
		resource(w, c.PrevAddr)
	}
	w.KeyString("action", word)
	reason := string(c.Reason)
	if r, ok := reasonWords[c.Reason]; ok {
		reason = r
	}
	w.KeyFilled("reason", reason)
	if i := c.Importing; i != nil {
		importing(w, i)
	}
	w.KeyFilled("generated_config", c.GeneratedConfig)
	w.End()
}

func importing(w *jsonout.Writer, i *plan.Importing) {
	w.Key("importing")
	w.Begin()
	w.KeyFilled("id", i.ID)
	w.KeyTrue("unknown", i.Unknown)
	if id := i.Identity; !id.IsZero() && !id.Cty().IsNull() && id.Cty().IsKnown() {
		w.Key("identity")
		w.Value(id.Cty())
	}
	w.End()
}

// TellForgotten has summaries tell how many objects are forgotten, which a dialect
// does. It is called before the first of them.
func (l *Log) TellForgotten() { l.forgotten = true }

// Applied writes the summary of an apply or, with destroy, of a destroy.
func (l *Log) Applied(t view.Tally, destroy bool) {
	if destroy {
		l.summary(human.Destroyed(t), t, "destroy")
		return
	}
	l.summary(human.Applied(t), t, "apply")
}

func (l *Log) summary(message string, t view.Tally, operation string) {
	l.line("info", message, "change_summary", func(w *jsonout.Writer) {
		w.Key("changes")
		w.Begin()
		w.KeyInt("add", int64(t.Added))
		w.KeyInt("change", int64(t.Changed))
		w.KeyInt("import", int64(t.Imported))
		w.KeyInt("remove", int64(t.Destroyed))
		if l.forgotten {
			w.KeyInt("forget", int64(t.Forgotten))
		}
		w.KeyInt("action_invocation", int64(t.Invoked))
		w.KeyInt("action_fail", int64(t.InvokeFailed))
		w.KeyString("operation", operation)
		w.End()
	})
}

func (l *Log) plannedOutputs(list []plan.OutputChange) {
	l.line("info", fmt.Sprintf("Outputs: %d", len(list)), "outputs", func(w *jsonout.Writer) {
		w.Key("outputs")
		w.Begin()
		for i := range list {
			w.Key(list[i].Name)
			w.Begin()
			w.KeyBool("sensitive", list[i].Sensitive)
			w.KeyString("action", actionWords[list[i].Action])
			w.End()
		}
		w.End()
	})
}

// Outputs writes the output values of a state. Sensitive ones are named only.
func (l *Log) Outputs(s *state.Snapshot) {
	n := 0
	for range s.Outputs() {
		n++
	}
	l.line("info", fmt.Sprintf("Outputs: %d", n), "outputs", func(w *jsonout.Writer) {
		w.Key("outputs")
		w.Begin()
		for name, o := range s.Outputs() {
			w.Key(name)
			w.Begin()
			w.KeyBool("sensitive", o.Sensitive)
			w.KeyFilled("deprecated", o.Deprecated)
			w.Key("type")
			w.Type(o.Value.Type())
			if !o.Sensitive {
				w.Key("value")
				w.Value(o.Value)
			}
			w.End()
		}
		w.End()
	})
}

var _ event.Observer = (*Log)(nil)
