package suite

import (
	"context"
	"io"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/state"
)

// Options say what to test and how.
type Options struct {
	// Engine is what the engines of the runs are made with; its Config is the
	// configuration with its tests.
	Engine engine.Options
	// Only names the files to test; empty for all.
	Only []string
	// Given are the values of variables from outside of a test file.
	Given func(*config.TestFile) map[string]engine.Input
	// Rescue keeps a state that could not be cleaned up and says where; nil where
	// nothing can.
	Rescue func(ctx context.Context, f *File, s *state.Snapshot) (where string, err error)
	// Random is where generated values come from; it is read by several
	// goroutines.
	Random   io.Reader
	Observer Observer
}

// Suite are the tests of a configuration.
type Suite struct {
	o     Options
	files []*File

	mu      sync.Mutex
	stopped bool
	// running is the engine of the run under way, shared what its run and others
	// share.
	running, shared *engine.Engine
}

// New finds the tests. The diagnostics are warnings about what is asked for and is
// not there.
func New(o Options) (*Suite, diag.List) {
	s := &Suite{o: o}
	var diags diag.List
	wanted := map[string]bool{}
	for _, name := range o.Only {
		wanted[path.Clean(name)] = false
	}
	for _, f := range o.Engine.Config.Tests {
		if _, ok := wanted[f.Name]; !ok && len(o.Only) > 0 {
			continue
		}
		wanted[f.Name] = true
		file := &File{Config: f}
		for _, r := range f.Runs {
			file.Runs = append(file.Runs, &TestRun{Config: r})
		}
		s.files = append(s.files, file)
	}
	for _, name := range o.Only {
		if !wanted[path.Clean(name)] {
			diags = diags.Append(diag.Warn("Unknown test file", "The specified test file, "+name+", could not be found. A test file is named by its path from the working directory.").By(diag.Operator))
		}
	}
	return s, diags
}

// Run makes the tests. It can be called once.
func (s *Suite) Run(ctx context.Context) *Result {
	result := &Result{Files: s.files}
	s.o.Observer.Found(s.files)
	s.share()
	defer func() { s.current().Close() }()
	for _, f := range s.files {
		s.file(ctx, f)
	}
	result.count()
	s.o.Observer.Ended(result)
	return result
}

// Stop ends the run under way gracefully; the rest is skipped, and what was made is
// cleaned up.
func (s *Suite) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.running != nil {
		s.running.Stop()
	}
}

// Stopped says whether a stop was asked for.
func (s *Suite) Stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

// share makes the engine whose providers all others share.
func (s *Suite) share() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared = engine.New(s.o.Engine)
}

func (s *Suite) current() *engine.Engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shared
}

// work lets an engine be stopped while it works.
func (s *Suite) work(e *engine.Engine, do func()) {
	s.mu.Lock()
	s.running = e
	if s.stopped {
		e.Stop()
	}
	s.mu.Unlock()
	do()
	s.mu.Lock()
	s.running = nil
	s.mu.Unlock()
}

// renew takes other providers, since those so far were told to stop.
func (s *Suite) renew() {
	old := s.current()
	s.share()
	old.Close()
}

func (s *Suite) newFileRun(f *File) *fileRun {
	return &fileRun{Suite: s, f: f, kept: map[string]*kept{}, validated: map[string]diag.List{}, told: map[strayNote]bool{}}
}

func (s *Suite) file(ctx context.Context, f *File) {
	x := s.newFileRun(f)
	s.o.Observer.File(f, Starting)
	x.begin()
	for i := range f.Runs {
		x.step(ctx, i)
	}
	s.o.Observer.File(f, TearingDown)
	x.cleanUp(ctx)
	for _, r := range f.Runs {
		f.Status = max(f.Status, r.Status)
	}
	if len(f.Runs) == 0 {
		f.Status = max(f.Status, Pass)
	}
	s.o.Observer.File(f, Complete)
}

// now is the time.
func (s *Suite) now() time.Time {
	if s.o.Engine.Now == nil {
		return time.Now()
	}
	return s.o.Engine.Now()
}

// statusOf is what diagnostics make of a status.
func statusOf(l diag.List, s Status) Status {
	if l.HasErrors() {
		return max(s, Error)
	}
	return s
}

// later are the names of the runs from the i-th on.
func later(runs []*TestRun, i int) []string {
	var out []string
	for _, r := range runs[i:] {
		out = append(out, r.Name())
	}
	return slices.Clip(out)
}
