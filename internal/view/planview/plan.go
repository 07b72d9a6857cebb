package planview

import (
	"io"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/internal/view/diffview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Options say how a plan is shown.
type Options struct {
	view.Style
	// Automation leaves hints about what to run next away.
	Automation bool
	// ShowSensitive shows sensitive values.
	ShowSensitive bool
	// Forgotten has the legend and the summary tell of what is forgotten, as a
	// dialect does.
	Forgotten bool
	// Generated is the file that configuration was generated into, if any.
	Generated string
}

// legend are the symbols and what they stand for, in order. A margin makes a
// symbol as wide as the others.
var legend = []struct {
	action       plan.Action
	text, margin string
}{
	{plan.Create, "create", ""},
	{plan.Update, "update in-place", ""},
	{plan.Delete, "destroy", ""},
	{plan.DeleteThenCreate, "destroy and then create replacement", ""},
	{plan.CreateThenDelete, "create replacement and then destroy", ""},
	{plan.CreateThenForget, "create replacement and then forget", ""},
	{plan.ForgetThenCreate, "forget and then create replacement", ""},
	{plan.Read, "read (data resources)", ""},
	{plan.Forget, "forget", " "},
}

// painter renders differences, sensitive ones too where it is told to.
type painter struct {
	diffview.Painter
	secrets bool
}

// writer renders a plan part by part.
type writer struct {
	painter
	b strings.Builder
	d *plan.Document
	o Options
}

// Write shows a plan.
func Write(out io.Writer, d *plan.Document, o Options) error {
	w := &writer{painter: painter{Painter: diffview.Painter{Style: o.Style}, secrets: o.ShowSensitive}, d: d, o: o}
	stanzas := w.stanzas()
	outputs := w.outputChanges(d)
	something := len(stanzas) > 0 || len(outputs) > 0 || len(d.Invocations) > 0
	drift := w.drift(something)
	if drift && something {
		w.b.WriteString("\n" + w.Rule() + "\n")
	}
	switch {
	case len(stanzas) > 0 || len(d.Invocations) > 0:
		w.actions(stanzas)
	case len(outputs) == 0 && len(w.d.Deferred) > 0 && w.d.Mode != plan.RefreshOnly && !w.d.Errored:
		w.noneNow()
	case len(outputs) == 0:
		w.nothing(drift)
	}
	w.waits(something)
	if len(outputs) > 0 {
		w.outputs(outputs, len(stanzas) == 0 && len(d.Invocations) == 0 && d.Applyable)
	}
	w.waiting()
	_, err := io.WriteString(out, w.b.String())
	return err
}

func (w *writer) drift(something bool) bool {
	list := RelevantDrift(w.d)
	if len(list) == 0 {
		return false
	}
	w.b.WriteString("\n" + w.Paint("Note:", view.Bold, view.Cyan) + w.Bold(w.Named(" Objects have changed outside of Plumb")) + "\n\n")
	w.prose(textDriftIntro)
	relevant := relevantPaths(w.d)
	for _, c := range list {
		paths := relevant[c.Addr]
		if w.d.Mode == plan.RefreshOnly {
			paths = nil
		}
		w.b.WriteString("\n" + w.drifted(c, paths))
	}
	w.b.WriteString("\n")
	if w.d.Mode == plan.RefreshOnly {
		w.b.WriteString("\n")
		w.prose(textRefreshOnlyDrift)
	} else if something {
		w.b.WriteString("\n")
		w.prose(textDriftOutro)
	}
	return true
}

func (w *writer) stanzas() []string {
	runs := triggered(w.d.Invocations)
	var out []string
	for _, c := range w.d.Changes {
		if !planjson.Shown(c) {
			continue
		}
		text := w.planned(c)
		if text == "" {
			continue
		}
		out = append(out, text+w.around(runs[c.Addr]))
	}
	return out
}

// moments are the actions to run before and after a change.
type moments struct{ before, after []*plan.Invocation }

// triggered sorts planned actions by the object and moment that trigger them.
func triggered(list []*plan.Invocation) map[addr.AbsInstance]moments {
	out := map[addr.AbsInstance]moments{}
	for _, i := range list {
		if i.Trigger == nil {
			continue
		}
		m := out[i.Trigger.Resource]
		if strings.HasPrefix(strings.ToLower(i.Trigger.Event), "before") {
			m.before = append(m.before, i)
		} else {
			m.after = append(m.after, i)
		}
		out[i.Trigger.Resource] = m
	}
	return out
}

// around renders the actions around a change.
func (p painter) around(m moments) string {
	return p.invocations("before", m.before) + p.invocations("after", m.after)
}

func (p painter) invocations(when string, list []*plan.Invocation) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + diffview.Unit + "# Actions to be invoked " + when + " this change in order:\n")
	for _, i := range list {
		p.action(&b, i)
	}
	b.WriteString("\n")
	return b.String()
}

func (w *writer) actions(stanzas []string) {
	c := Count(w.d)
	if len(c.Actions) > 0 {
		w.b.WriteString("\n" + w.Wrap(w.Named(textLegend)) + "\n")
		for _, l := range legend {
			if c.Actions[l.action] > 0 && (l.action != plan.Forget || w.o.Forgotten) {
				w.b.WriteString(l.margin + w.Symbol(l.action) + l.text + "\n")
			}
		}
	}
	if w.d.Errored {
		w.b.WriteString(w.Named("\nPlumb planned the following actions, but then encountered a problem:\n"))
	} else {
		w.b.WriteString("\n" + w.Bold(w.Named("Plumb will perform the following actions:")) + "\n")
	}
	for _, s := range stanzas {
		w.b.WriteString("\n" + s)
	}
	w.b.WriteString("\n" + w.Bold("Plan:") + strings.TrimPrefix(Summary(c, w.o.Forgotten), "Plan:") + "\n")
	w.invoked()
}

// invoked lists the actions that are run on their own.
func (w *writer) invoked() {
	first := true
	for _, i := range w.d.Invocations {
		if i.Trigger != nil {
			continue
		}
		if first {
			w.b.WriteString("\n" + w.Bold(w.Named("Plumb will invoke the following action(s):")) + "\n")
			first = false
		}
		w.b.WriteString("\n  " + w.Bold("# "+i.Addr) + " will be invoked\n")
		w.action(&w.b, i)
		w.b.WriteString("\n")
	}
}

// outputChange is an output that changes, with its difference.
type outputChange struct {
	name string
	node *diff.Node
}

func (p painter) outputChanges(d *plan.Document) []outputChange {
	var out []outputChange
	for i := range d.Outputs {
		if d.Outputs[i].Action == plan.NoOp {
			continue
		}
		if n := p.output(&d.Outputs[i]); n.Action != plan.NoOp {
			out = append(out, outputChange{d.Outputs[i].Name, n})
		}
	}
	return out
}

func (w *writer) outputs(list []outputChange, alone bool) {
	w.b.WriteString("\n" + w.Bold("Changes to Outputs:") + "\n")
	width := 0
	for i := range w.d.Outputs {
		width = max(width, len(w.d.Outputs[i].Name))
	}
	for _, o := range list {
		w.b.WriteString(w.Warning(o.node, 0) + w.Symbol(o.node.Action) + diffview.Pad(o.name, width) + " = " + w.Value(o.node, 0, diffview.Manner{}) + "\n")
	}
	if alone && !w.d.Errored {
		w.b.WriteString("\n")
		w.prose(textOutputsOnly)
	}
}

func (p painter) output(o *plan.OutputChange) *diff.Node {
	before, after := value.Strip(filled(o.Before)).Cty(), value.Strip(filled(o.After)).Cty()
	if o.Sensitive && !p.secrets {
		before, after = mark(before), mark(after)
	}
	return diff.Output(before, after)
}

func mark(v cty.Value) cty.Value { return value.Mark(v, value.Sensitive) }

func (w *writer) prose(text string) { w.b.WriteString(w.Wrap(text) + "\n") }
