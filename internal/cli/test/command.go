package test

import (
	"context"
	"crypto/rand"
	"io"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/view/jsonlog"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/internal/view/testview"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/state"
)

// Options are what the command can be told.
type Options struct {
	Filters           []string
	Dir, JUnit, Cloud string
	Verbose           bool
	Forms             command.Forms
	Vars              *inputs.Flags
	Parallelism       int
}

// Command is the row of test.
func Command() command.Command {
	return command.Command{
		Name: "test", JSONLines: true, Args: "[options]",
		Synopsis: "Run the tests of the configuration",
		About: `Runs the test files (.tftest.hcl) of the working directory and of the directory "tests". Each run in them makes a plan, or makes a plan and applies it, and says what has to be true then. What a file's runs make is destroyed when the file ends; the state of the working directory is not touched.

Runs apply for real, with real providers, unless the test file says otherwise: command = plan only plans, and mock_provider and the override blocks put something in the place of providers.`,
		New: func(f *command.Flags) command.Run {
			o := &Options{}
			f.Each("filter", "FILE", "Run only the tests in this file, named by its path. Can be used several times.", func(v string) { o.Filters = append(o.Filters, v) })
			junit := f.String("junit-xml", "FILE", "", "Write a report in the form of JUnit to this file, too.")
			dir := f.String("test-directory", "DIR", config.DefaultTestDir, "Where tests are besides the working directory. The default is tests.")
			o.Vars = inputs.Declare(f)
			verbose := f.Bool("verbose", false, "Show the plan or the state of each run.")
			parallelism := f.Int("parallelism", 10, "Bound the number of calls to providers at a time. The default is 10.")
			f.Old("run-parallelism") // runs are made one after the other
			cloud := f.String("cloud-run", "SOURCE", "", "Not available: tests run on this machine.")
			return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
				o.Forms, o.JUnit, o.Dir, o.Verbose, o.Parallelism, o.Cloud = forms, *junit, *dir, *verbose, *parallelism, *cloud
				return run(ctx, s, *o, args)
			})
		},
	}
}

// work is one run of the command.
type work struct {
	s        *session.Session
	o        Options
	dir      *workdir.Dir
	tree     *config.Tree
	log      *jsonlog.Log
	registry *assemble.Registry
	// beside are the values for test files beside the root module, inside those
	// for the files in the directory of tests.
	beside, inside *inputs.Given
}

func run(ctx context.Context, s *session.Session, o Options, args []string) int {
	s.NoInput = true
	w := &work{s: s, o: o}
	if o.Forms.JSON != nil {
		w.log = s.Log(o.Forms.JSON)
	}
	if len(args) > 0 {
		w.report(diag.List{diag.Warn("Arguments are ignored", "The test command takes options only; -filter=FILE selects a test file.").By(diag.Operator)})
	}
	diags := w.prepare()
	if w.report(diags); diags.HasErrors() {
		return 1
	}
	defer w.registry.Close()
	return w.test(ctx)
}

// report shows diagnostics to whoever reads.
func (w *work) report(l diag.List) {
	if w.log != nil {
		w.log.Diagnostics(l)
	}
	if w.o.Forms.Text {
		w.s.Report(l)
	}
}

func (w *work) prepare() diag.List {
	if w.o.Cloud != "" {
		return diag.List{diag.Err("Remote tests are not available", "The option -cloud-run asks another machine to run the tests, which this version of plumb cannot. Without it they run here.").By(diag.Operator)}
	}
	dir, diags := workdir.Open(w.s)
	if diags.HasErrors() {
		return diags
	}
	w.dir, dir.Vars = dir, w.o.Vars
	var more diag.List
	w.beside, more = w.o.Vars.Collect(w.s, ".")
	diags = diags.With(more)
	if w.inside = w.beside; path.Clean(filepath.ToSlash(w.o.Dir)) != "." {
		w.inside, more = w.beside.In(w.s, w.o.Dir)
		diags = diags.With(more)
	}
	if diags.HasErrors() {
		return diags
	}
	w.tree, more = dir.Config(workdir.ConfigOptions{Early: w.beside.Early(), Tests: true, TestDir: w.o.Dir})
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	w.registry, more = dir.Providers(workdir.ProviderOptions{Tree: w.tree})
	return diags.With(more)
}

func (w *work) test(ctx context.Context) int {
	workspace, _ := w.s.Workspace()
	options := suite.Options{
		Only: w.o.Filters, Given: w.given, Random: rand.Reader, Observer: w.observer(ctx),
		Rescue: func(ctx context.Context, _ *suite.File, s *state.Snapshot) (string, error) {
			return w.dir.KeepTest(ctx, w.tree, s)
		},
		Engine: engine.Options{
			Config: w.tree, Dialect: w.dir.Dialect, Providers: w.registry, Provisioners: workdir.Provisioners(w.s), Files: osfiles.Disk{},
			Parallelism: w.o.Parallelism, Now: w.s.Now, Workspace: workspace, WorkDir: w.s.Launch,
		},
	}
	tests, notes := suite.New(options)
	done := w.s.Interrupts.OnInterrupt(session.Draining{Drain: tests.Stop,
		Why:  "The run under way is brought to an end, and what the tests made is destroyed.",
		Lost: "What the tests made may still exist; what is known of it is written down."})
	w.report(notes)
	result := tests.Run(ctx)
	done()
	notes = nil
	if w.o.JUnit != "" {
		notes = w.junit(result)
	}
	w.report(notes)
	if result.Status > suite.Pass || notes.HasErrors() {
		return 1
	}
	return 0
}

// given are the values from outside of a test file.
func (w *work) given(f *config.TestFile) map[string]engine.Input {
	if strings.HasPrefix(f.Name, path.Clean(filepath.ToSlash(w.o.Dir))+"/") {
		return w.inside.All()
	}
	return w.beside.All()
}

func (w *work) observer(ctx context.Context) suite.Observer {
	schemas := workdir.Schemas(ctx, w.registry)
	var all observers
	if w.log != nil {
		all = append(all, jsonlog.Tests{Log: w.log, Verbose: w.o.Verbose, Schemas: schemas, Providers: sync.OnceValue(func() map[addr.Provider]provider.Schemas { return w.schemas(ctx) })})
	}
	if w.o.Forms.Text {
		all = append(all, testview.New(w.s.Stdout, testview.Options{
			Style: w.s.Style(), Verbose: w.o.Verbose, Schemas: schemas, Diagnose: w.s.Report, Errors: w.s.Stderr,
			Plan: planview.Options{Style: w.s.Style(), Automation: w.s.Automation()},
		}))
	}
	return all
}

// observers are told the same, each in turn.
type observers []suite.Observer

func (o observers) Found(files []*suite.File) {
	for _, each := range o {
		each.Found(files)
	}
}

func (o observers) File(f *suite.File, p suite.Progress) {
	for _, each := range o {
		each.File(f, p)
	}
}

func (o observers) Run(f *suite.File, r *suite.TestRun, p suite.Progress) {
	for _, each := range o {
		each.Run(f, r, p)
	}
}

func (o observers) Left(f *suite.File, l *suite.Leftover) {
	for _, each := range o {
		each.Left(f, l)
	}
}

func (o observers) Ended(r *suite.Result) {
	for _, each := range o {
		each.Ended(r)
	}
}

// schemas are those of all providers; what cannot be had is told by the runs that
// need it.
func (w *work) schemas(ctx context.Context) map[addr.Provider]provider.Schemas {
	out := map[addr.Provider]provider.Schemas{}
	for _, r := range install.Required(w.tree, nil) {
		if s, diags := w.registry.Schemas(ctx, r.Provider); !diags.HasErrors() {
			out[r.Provider] = s
		}
	}
	return out
}

// junit writes the report.
func (w *work) junit(r *suite.Result) diag.List {
	err := osfiles.Replace(w.o.JUnit, osfiles.Replacement{Content: func(f io.Writer) error { return testview.WriteJUnit(f, r, w.s.Source) }})
	if err != nil {
		return diag.List{diag.Err("Failed to write the report", "The file of -junit-xml cannot be written: "+err.Error()+".").By(diag.Operator)}
	}
	return nil
}
