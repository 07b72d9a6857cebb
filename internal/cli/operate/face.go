package operate

import (
	"fmt"
	"io"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/human"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// progress hears the events of an operation.
type progress interface {
	event.Observer
	Tick(time.Time)
	Tally() view.Tally
}

// face is how people or programs hear of an operation.
type face interface {
	progress
	// Planned shows a plan, Noted what can be done with it: file is where it
	// was saved, "" for nowhere; generated says that configuration was written.
	Planned(doc *plan.Document)
	Noted(file string, generated bool)
	// Resumed tells of a saved plan that is about to be applied.
	Resumed(doc *plan.Document)
	// Finished shows what an apply or, with destroy, a destroy has done, Outputs
	// the outputs afterwards.
	Finished(done view.Tally, destroy bool)
	Outputs(s *state.Snapshot)
	// Imported tells that what was to be imported is in the state.
	Imported()
	Diagnostics(l diag.List)
	// Say writes text for people.
	Say(text string)
	// TellForgotten has plans and summaries tell of what is forgotten. It is called
	// before the first of them.
	TellForgotten()
}

// faceFor is the face that the options ask for.
func faceFor(s *session.Session, o Options) face {
	log := func(out io.Writer) *machine {
		return &machine{s.Log(out)}
	}
	if o.JSON {
		return log(s.Stdout)
	}
	people := faceForPeople(s, o)
	if o.into != nil {
		return both{people, log(o.into)}
	}
	return people
}

func faceForPeople(s *session.Session, o Options) face {
	if o.importing != nil {
		return importingFace(s, *o.importing)
	}
	h := human.New(s.Stdout, human.Options{Style: s.Style(), Live: s.Redraws(), Size: s.Size, Concise: o.Concise})
	return &person{View: h, s: s, o: o}
}

// both tells people and a program.
type both struct{ people, program face }

// Observe tells both.
func (b both) Observe(e event.Event) event.Verdict {
	b.program.Observe(e)
	return b.people.Observe(e)
}

func (b both) Tick(now time.Time)        { b.people.Tick(now); b.program.Tick(now) }
func (b both) Tally() view.Tally         { return b.people.Tally() }
func (b both) Planned(d *plan.Document)  { b.people.Planned(d); b.program.Planned(d) }
func (b both) Noted(file string, g bool) { b.people.Noted(file, g); b.program.Noted(file, g) }
func (b both) Resumed(d *plan.Document)  { b.people.Resumed(d); b.program.Resumed(d) }
func (b both) Say(text string)           { b.people.Say(text); b.program.Say(text) }
func (b both) Imported()                 { b.people.Imported(); b.program.Imported() }
func (b both) TellForgotten()            { b.people.TellForgotten(); b.program.TellForgotten() }
func (b both) Outputs(s *state.Snapshot) { b.people.Outputs(s); b.program.Outputs(s) }
func (b both) Diagnostics(l diag.List)   { b.people.Diagnostics(l); b.program.Diagnostics(l) }

// Finished tells both.
func (b both) Finished(done view.Tally, destroy bool) {
	b.people.Finished(done, destroy)
	b.program.Finished(done, destroy)
}

// person is the face towards people.
type person struct {
	*human.View
	s         *session.Session
	o         Options
	forgotten bool
}

func (p *person) TellForgotten() { p.forgotten = true }

func (p *person) planOptions() planview.Options {
	return planview.Options{Style: p.s.Style(), Automation: p.s.Automation(), ShowSensitive: p.o.ShowSensitive, Forgotten: p.forgotten}
}

func (p *person) Planned(doc *plan.Document) {
	p.Close()
	planview.Write(p.s.Stdout, doc, p.planOptions())
}

func (p *person) Noted(file string, generated bool) {
	o := p.planOptions()
	if generated {
		o.Generated = p.o.GenerateConfig
	}
	if file != "" {
		planview.Saved(p.s.Stdout, file, o)
		return
	}
	planview.NotSaved(p.s.Stdout, o)
}

func (p *person) Resumed(*plan.Document) {}

func (p *person) Imported() {
	p.Close()
	fmt.Fprintf(p.s.Stdout, "\n%s\n\nThe resources that were imported are shown above. They are in the state now and\nmanaged from here.\n\n", p.s.Style().Paint("Import successful!", view.Bold, view.Green))
}

func (p *person) Diagnostics(l diag.List) {
	p.Close()
	p.s.Report(l)
}

func (p *person) Finished(done view.Tally, destroy bool) {
	p.Close()
	text := human.Applied(done)
	if destroy {
		text = human.Destroyed(done)
	}
	fmt.Fprintf(p.s.Stdout, "\n%s\n", p.s.Style().Paint(text, view.Bold, view.Green))
}

func (p *person) Outputs(s *state.Snapshot) {
	p.Close()
	stateview.Closing(p.s.Stdout, s, p.s.Style())
}

// machine is the face towards programs.
type machine struct{ *jsonlog.Log }

func (m *machine) Planned(doc *plan.Document) { m.Plan(doc) }

func (m *machine) Noted(string, bool) {}

// Say leaves out what is for people.
func (m *machine) Say(string) {}

func (m *machine) Imported() {
	m.Said("Import successful! The resources that were imported are shown above. They are in the state now and managed from here.")
}

func (m *machine) Resumed(doc *plan.Document) { m.Changes(doc) }

func (m *machine) Finished(done view.Tally, destroy bool) { m.Applied(done, destroy) }
