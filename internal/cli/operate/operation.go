package operate

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// operation is one run of the engine on a working directory. Its parts are made
// in the order of its methods.
type operation struct {
	s    *session.Session
	o    Options
	face face

	dir     *workdir.Dir
	given   *inputs.Given
	tree    *config.Tree
	storage *workdir.Storage
	engine  *engine.Engine
	// before is the state that the operation starts from, or its next round: the
	// stored one with what a journal adds.
	before *state.Snapshot
	// queries says that query files belong to the configuration.
	queries bool
	// looks says that nothing is planned: it does not matter which version of the
	// language the configuration requires.
	looks bool
	ends  []func() diag.List
	// replaced are the objects that earlier rounds replaced on request.
	replaced []addr.AbsInstance
	// unrecorded is why -json-into cannot be done.
	unrecorded diag.List
}

func newOperation(s *session.Session, o Options) *operation {
	s.NoInput = !o.Input || o.JSON
	p := &operation{s: s, o: o}
	p.record()
	p.face = faceFor(s, p.o)
	return p
}

// record opens the file of -json-into. Where it cannot be written the operation
// does not open.
func (p *operation) record() {
	if p.o.JSONInto == "" || p.o.JSON {
		return
	}
	f, diags := command.OpenInto(p.o.JSONInto)
	if p.unrecorded = diags; diags.HasErrors() {
		return
	}
	p.o.into = f
	p.later(func() diag.List {
		if err := f.Close(); err != nil {
			return diag.List{diag.Warn("Events may not be recorded", err.Error())}
		}
		return nil
	})
}

// end undoes what was taken, last first. Where that fails, so does the command.
func (p *operation) end(status *int) {
	var diags diag.List
	for i := len(p.ends) - 1; i >= 0; i-- {
		diags = diags.With(p.ends[i]())
	}
	p.face.Diagnostics(diags)
	if diags.HasErrors() {
		*status = 1
	}
}

func (p *operation) later(end func() diag.List) { p.ends = append(p.ends, end) }

// open reads settings, lock file and the variables that were given.
func (p *operation) open() diag.List {
	if p.unrecorded.HasErrors() {
		return p.unrecorded
	}
	dir, diags := workdir.Open(p.s)
	if diags.HasErrors() {
		return diags
	}
	p.dir = dir
	if dir.Dialect.Yes(settings.ForgottenTold) {
		p.face.TellForgotten()
	}
	if p.o.Vars == nil {
		p.o.Vars = &inputs.Flags{}
	}
	p.dir.Vars = p.o.Vars
	given, more := p.o.Vars.Collect(p.s, cmp.Or(p.o.ConfigDir, "."))
	p.given = given
	return diags.With(more)
}

// configure loads the configuration.
func (p *operation) configure() diag.List {
	tree, diags := p.dir.Config(workdir.ConfigOptions{Dir: p.o.ConfigDir, Early: p.given.Early(), Query: p.queries, AnyVersion: p.looks})
	p.tree = tree
	return diags
}

// store opens the state, locks it and reads it.
func (p *operation) store(ctx context.Context, lockAs string) diag.List {
	storage, diags := p.dir.Storage(ctx, p.tree, workdir.StatePaths{State: p.o.State, StateOut: p.o.StateOut, Backup: p.o.Backup})
	if diags.HasErrors() {
		return diags
	}
	p.storage = storage
	if p.o.Lock && lockAs != "" {
		unlock, more := storage.Lock(ctx, lockAs, p.o.LockTimeout)
		if diags = diags.With(more); more.HasErrors() {
			return diags
		}
		p.later(unlock)
	}
	before, more := storage.Read(ctx)
	p.before = before
	return diags.With(more)
}

// assemble makes the engine.
func (p *operation) assemble(ctx context.Context) diag.List {
	registry, diags := p.dir.Providers(workdir.ProviderOptions{Tree: p.tree, State: p.before,
		Record: p.o.Record, Replay: p.o.Replay, Secrets: p.secrets()})
	if diags.HasErrors() {
		return diags
	}
	p.later(func() diag.List { registry.Close(); return registry.Recorded() })
	workspace, _ := p.s.Workspace()
	options := engine.Options{
		Config: p.tree, Dialect: p.dir.Dialect, Providers: registry, Provisioners: workdir.Provisioners(p.s), Files: osfiles.Disk{},
		Observer: p.face, Parallelism: p.o.Parallelism, Now: p.s.Now,
		Deprecations: deprecations[p.o.Deprecation],
		Workspace:    workspace, WorkDir: p.s.Launch,
	}
	if p.s.InputAllowed() {
		options.Input = func(ctx context.Context, q engine.Question) (string, error) {
			return p.s.Ask(ctx, session.Question{Query: q.Query, Description: q.Description, Secret: q.Secret})
		}
	}
	p.engine = engine.New(options)
	p.later(func() diag.List { p.engine.Close(); return nil })
	return diags
}

// secrets are the texts of the sensitive variables that were given.
func (p *operation) secrets() []string {
	var out []string
	for name, in := range p.given.All() {
		if v := p.tree.Root.Variables[name]; v == nil || !v.Sensitive && !v.Ephemeral {
			continue
		}
		if in.Value != cty.NilVal && in.Value.Type() == cty.String && !in.Value.IsNull() && in.Value.IsKnown() {
			out = append(out, value.Strip(in.Value).Cty().AsString())
		} else if in.Text != "" {
			out = append(out, in.Text)
		}
	}
	slices.Sort(out)
	return out
}

// run does what takes long: it drains on the first interrupt and keeps the face
// informed of the time.
func (p *operation) run(work func()) {
	done := p.s.Interrupts.OnInterrupt(session.Draining{Drain: p.engine.Stop, Tell: p.face.Say,
		Why:  "What is running is brought to an end, so that the state stays true.",
		Lost: "Objects whose creation was under way are listed at the next start."})
	defer done()
	ticker := time.NewTicker(tick)
	ended, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		for {
			select {
			case <-ticker.C:
				p.face.Tick(p.s.Now())
			case <-ended:
				return
			}
		}
	}()
	work()
	ticker.Stop()
	close(ended)
	<-told
}

// tick is how often the face is told the time.
const tick = time.Second

// plan plans; people are asked for missing variables.
func (p *operation) plan(ctx context.Context, mode plan.Mode, sel selection) (*plan.Document, diag.List) {
	var doc *plan.Document
	var diags diag.List
	p.run(func() {
		// What is wrong with the configuration itself is no plan gone wrong:
		// nothing is shown or saved then.
		if found := p.engine.Validate(ctx); found.HasErrors() {
			diags = found
			return
		}
		doc, diags = p.engine.Plan(ctx, engine.PlanOptions{
			Mode: mode, State: p.before, Variables: p.given.All(),
			Targets: sel.targets, Excludes: sel.excludes, Replace: sel.replace, Invoke: sel.invoke,
			SkipRefresh: p.o.NoRefresh, Deferral: p.o.AllowDeferral, GenerateConfig: p.o.GenerateConfig != "", Explain: p.o.explain,
		})
	})
	return doc, diags
}

// apply carries out a plan and stores what comes of it.
func (p *operation) apply(ctx context.Context, doc *plan.Document, variables map[string]engine.Input) (*state.Snapshot, diag.List) {
	var after *state.Snapshot
	var diags diag.List
	p.run(func() {
		after, diags = p.engine.Apply(ctx, doc, engine.ApplyOptions{
			Store: p.storage, Journal: p.storage.Journal(), Variables: variables,
			Stored: p.storage.Stored(), Explain: p.o.explain,
			ForgottenIsFine: p.o.SuppressForgetErrors,
		})
	})
	if !diags.HasErrors() {
		diags = diags.With(p.storage.Renew(ctx, after))
	}
	diags = diags.With(p.storage.Rescue(context.WithoutCancel(ctx), after))
	p.before = after
	return after, diags
}

// fail reports and gives the exit status of a failure.
func (p *operation) fail(l diag.List) int {
	p.face.Diagnostics(l)
	return 1
}
