package scenario

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/state"
)

// test runs the test files of a configuration. It has nothing to do with the
// state of the story.
func (tl *teller) test(c command) diag.List {
	files := newFiles(tl.story.configs[tl.config])
	tree, diags := config.Load(files, ".", config.LoadOptions{Tests: true, Reading: config.ReadingOf(tl.story.dialect)})
	if diags.HasErrors() {
		tl.section("", "diagnostics", tl.diagnostics(diags))
		return diags
	}
	given := tl.planOptions(c).Variables
	watch := &testWatcher{teller: tl}
	s, more := suite.New(suite.Options{
		Engine: engine.Options{
			Dialect: tl.story.dialect, Config: tree, Providers: tl.world, Files: files, WorkDir: "/work", Workspace: "default",
			Provisioners: map[string]engine.Provisioner{"local-exec": provisioner{tl.world}},
			Parallelism:  tl.parallel(c), Now: func() time.Time { return clock },
		},
		Only:  c.flags["filter"],
		Given: func(*config.TestFile) map[string]engine.Input { return given },
		Rescue: func(_ context.Context, f *suite.File, _ *state.Snapshot) (string, error) {
			if strings.Contains(f.Name(), "nowhere") {
				return "", fmt.Errorf("no space left on device")
			}
			return "kept.tfstate", nil
		},
		Observer: watch,
	})
	watch.suite, watch.stop = s, c.flag("stop")
	tl.section("", "diagnostics", tl.diagnostics(diags.With(more)))
	s.Run(context.Background())
	tl.world.hush() // plans and applies, one after the other
	tl.section("calls", "calls", tl.took())
	tl.section("remote", "remote", tl.remote())
	return nil
}

// testWatcher writes down how tests go on. It asks for a stop when the run named
// stop begins.
type testWatcher struct {
	*teller
	suite *suite.Suite
	stop  string
}

func (w *testWatcher) Found([]*suite.File) {}

func (w *testWatcher) File(f *suite.File, p suite.Progress) {
	if p == suite.Complete {
		w.line("%s: %s", f.Name(), f.Status)
		w.section("", "diagnostics", w.diagnostics(f.Diags))
	}
}

func (w *testWatcher) Run(_ *suite.File, r *suite.TestRun, p suite.Progress) {
	switch p {
	case suite.Starting:
		if r.Name() == w.stop {
			w.suite.Stop()
		}
	case suite.TearingDown:
		w.line("clean up after %s", r.Name())
	case suite.Complete:
		w.line("run %s: %s", r.Name(), r.Status)
		w.section("", "diagnostics", w.diagnostics(r.Diags))
		if r.State != nil {
			w.section("state", "state", w.teller.state(r.State))
		}
	}
}

func (w *testWatcher) Left(_ *suite.File, l *suite.Leftover) {
	w.line("left after %s, kept in %q: %v", l.Run.Name(), l.Kept, l.Objects)
	w.section("", "diagnostics", w.diagnostics(l.Diags))
}

func (w *testWatcher) Ended(r *suite.Result) {
	w.line("%s: %d passed, %d failed, %d errored, %d skipped", r.Status, r.Passed, r.Failed, r.Errored, r.Skipped)
}
