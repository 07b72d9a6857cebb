package testview

import (
	"fmt"
	"io"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/plan/planjson"
)

// Options say how tests are shown.
type Options struct {
	view.Style
	// Verbose shows the plan or the state of each run; Plan says how a plan is
	// shown, Schemas are those of the objects.
	Verbose bool
	Plan    planview.Options
	Schemas planjson.Schemas
	// Diagnose shows diagnostics.
	Diagnose func(diag.List)
	// Errors is where it is told what is left over.
	Errors io.Writer
}

// View tells people how tests go on.
type View struct {
	out io.Writer
	o   Options
}

// New makes a view that writes to out.
func New(out io.Writer, o Options) *View { return &View{out, o} }

// Found implements suite.Observer.
func (v *View) Found([]*suite.File) {}

// File implements suite.Observer.
func (v *View) File(f *suite.File, p suite.Progress) {
	switch p {
	case suite.Starting:
		fmt.Fprintf(v.out, "%s... %s\n", f.Name(), v.o.Paint("in progress", view.Gray))
	case suite.TearingDown:
		fmt.Fprintf(v.out, "%s... %s\n", f.Name(), v.o.Paint("tearing down", view.Gray))
	case suite.Complete:
		fmt.Fprintf(v.out, "%s... %s\n", f.Name(), v.status(f.Status))
		v.diagnose(f.Diags)
	}
}

// Run implements suite.Observer.
func (v *View) Run(_ *suite.File, r *suite.TestRun, p suite.Progress) {
	if p != suite.Complete {
		return
	}
	fmt.Fprintf(v.out, "  run %q... %s\n", r.Name(), v.status(r.Status))
	if v.o.Verbose {
		v.result(r)
	}
	v.diagnose(r.Diags)
}

// diagnose shows diagnostics, with a blank line behind warnings, which stand among
// the lines.
func (v *View) diagnose(l diag.List) {
	v.o.Diagnose(l)
	if len(l.Warnings()) > 0 {
		fmt.Fprintln(v.out)
	}
}

// result shows what came of a run.
func (v *View) result(r *suite.TestRun) {
	switch {
	case r.Plan != nil:
		planview.Write(v.out, r.Plan, v.o.Plan)
		fmt.Fprintln(v.out)
	case r.State != nil:
		var text strings.Builder
		_ = stateview.Show(&text, r.State, v.o.Schemas, v.o.Style) // a Builder takes all
		fmt.Fprintf(v.out, "\n%s\n", text.String())
	}
}

// Left implements suite.Observer.
func (v *View) Left(f *suite.File, l *suite.Leftover) {
	at := f.Name() + "/" + l.Run.Name()
	if len(l.Diags) > 0 {
		fmt.Fprintln(v.o.Errors, v.o.Wrap("Plumb encountered an error destroying resources created while executing "+at+"."))
		v.o.Diagnose(l.Diags)
	}
	if len(l.Objects) == 0 {
		return
	}
	fmt.Fprintf(v.o.Errors, "\n%s\n", v.o.Wrap("Plumb left the following resources in state after executing "+at+", and they need to be cleaned up manually:"))
	for _, o := range l.Objects {
		fmt.Fprintf(v.o.Errors, "  - %s\n", o)
	}
	if l.Kept != "" {
		fmt.Fprintf(v.o.Errors, "\n%s\n", v.o.Wrap("The state that knows them was written to the file "+l.Kept+"."))
	}
}

// Ended implements suite.Observer.
func (v *View) Ended(r *suite.Result) {
	ink := view.Green
	if r.Status > suite.Pass {
		ink = view.Red
	}
	fmt.Fprintf(v.out, "\n%s\n", Summary(r, func(word string) string { return v.o.Paint(word, view.Bold, ink) }))
}

// Summary is the closing line; word colours its first word.
func Summary(r *suite.Result, word func(string) string) string {
	first := word("Success!")
	if r.Status > suite.Pass {
		first = word("Failure!")
	}
	text := fmt.Sprintf("%s %d passed, %d failed", first, r.Passed, r.Failed+r.Errored)
	if r.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", r.Skipped)
	}
	return text + "."
}

// status is the word for people, in its colour.
func (v *View) status(s suite.Status) string {
	ink := map[suite.Status]view.Ink{suite.Pass: view.Green, suite.Fail: view.Red, suite.Error: view.Red}[s]
	if ink == "" {
		ink = view.Gray
	}
	return v.o.Paint(Word(s), ink)
}

// Word is the word that people read of a status: to them an error is a failure.
func Word(s suite.Status) string {
	if s == suite.Error {
		return suite.Fail.String()
	}
	return s.String()
}
