package jsonlog

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
	"github.com/plumb-iac/plumb/internal/view/testview"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/provider"
)

// Tests writes lines about tests; it is a suite.Observer.
type Tests struct {
	*Log
	// Verbose adds lines with the plan or the state of each run.
	Verbose bool
	Schemas planjson.Schemas
	// Providers are the schemas of all providers, which stand beside each plan and
	// state; nil for none.
	Providers func() map[addr.Provider]provider.Schemas
}

// Found implements suite.Observer.
func (t Tests) Found(files []*suite.File) {
	runs := 0
	for _, f := range files {
		runs += len(f.Runs)
	}
	t.line("info", fmt.Sprintf("Found %s and %s", view.Count(len(files), "file"), view.Count(runs, "run block")), "test_abstract", func(w *jsonout.Writer) {
		w.Key("test_abstract")
		w.Begin()
		for _, f := range files {
			w.Key(f.Name())
			w.BeginList()
			for _, r := range f.Runs {
				w.String(r.Name())
			}
			w.EndList()
		}
		w.End()
	})
}

// doing are the words of messages for what goes on.
var doing = map[suite.Progress]string{suite.Starting: "in progress", suite.TearingDown: "tearing down"}

// File implements suite.Observer.
func (t Tests) File(f *suite.File, p suite.Progress) {
	at := origin{file: f.Name()}
	word := doing[p]
	if p == suite.Complete {
		word = testview.Word(f.Status)
	}
	t.from(at, "info", f.Name()+"... "+word, "test_file", func(w *jsonout.Writer) {
		w.Key("test_file")
		w.Begin()
		w.KeyString("path", f.Name())
		w.KeyString("progress", p.String())
		if p == suite.Complete {
			w.KeyString("status", f.Status.String())
		}
		w.End()
	})
	if p == suite.Complete {
		t.diagnostics(at, f.Diags)
	}
}

// Run implements suite.Observer.
func (t Tests) Run(f *suite.File, r *suite.TestRun, p suite.Progress) {
	at := origin{f.Name(), r.Name()}
	word := doing[p]
	if p == suite.Complete {
		word = testview.Word(r.Status)
	}
	t.from(at, "info", fmt.Sprintf("  %q... %s", r.Name(), word), "test_run", func(w *jsonout.Writer) {
		w.Key("test_run")
		w.Begin()
		w.KeyString("path", f.Name())
		w.KeyString("run", r.Name())
		w.KeyString("progress", p.String())
		if p == suite.Complete {
			w.KeyString("status", r.Status.String())
		} else {
			w.KeyInt("elapsed", 0)
		}
		w.End()
	})
	if p != suite.Complete {
		return
	}
	if t.Verbose {
		t.result(at, r)
	}
	t.diagnostics(at, r.Diags)
}

// result writes what came of a run.
func (t Tests) result(at origin, r *suite.TestRun) {
	what := "plan"
	write := func(w *jsonout.Writer) { planjson.WriteTestPlan(w, r.Plan) }
	if r.Plan == nil {
		what = "state"
		write = func(w *jsonout.Writer) { planjson.WriteTestState(w, r.State, t.Schemas) }
	}
	if r.Plan == nil && r.State == nil {
		return
	}
	t.from(at, "info", "-verbose flag enabled, printing "+what, "test_"+what, func(w *jsonout.Writer) {
		w.Key("test_" + what)
		w.Begin()
		write(w)
		if t.Providers != nil {
			w.KeyString("provider_format_version", schemajson.Format)
			schemajson.WriteMember(w, t.Providers())
		}
		w.End()
	})
}

// Left implements suite.Observer.
func (t Tests) Left(f *suite.File, l *suite.Leftover) {
	at := origin{f.Name(), l.Run.Name()}
	if len(l.Objects) > 0 {
		message := "Plumb left some resources in state after executing " + f.Name() + "/" + l.Run.Name() + ", they need to be cleaned up manually."
		if l.Kept != "" {
			message += " The state that knows them was written to the file " + l.Kept + "."
		}
		t.from(at, "error", message, "test_cleanup", func(w *jsonout.Writer) {
			w.Key("test_cleanup")
			w.Begin()
			w.Key("failed_resources")
			w.BeginList()
			for _, o := range l.Objects {
				writeLeft(w, o)
			}
			w.EndList()
			w.End()
		})
	}
	t.diagnostics(at, l.Diags)
}

func writeLeft(w *jsonout.Writer, o addr.Object) {
	w.Begin()
	w.KeyString("instance", o.Instance.String())
	w.KeyFilled("deposed_key", string(o.Deposed))
	w.End()
}

// Ended implements suite.Observer.
func (t Tests) Ended(r *suite.Result) {
	plain := func(word string) string { return word }
	t.line("info", testview.Summary(r, plain), "test_summary", func(w *jsonout.Writer) {
		w.Key("test_summary")
		w.Begin()
		w.KeyString("status", r.Status.String())
		w.KeyInt("passed", int64(r.Passed))
		w.KeyInt("failed", int64(r.Failed))
		w.KeyInt("errored", int64(r.Errored))
		w.KeyInt("skipped", int64(r.Skipped))
		w.End()
	})
}
