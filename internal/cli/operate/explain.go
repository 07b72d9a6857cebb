package operate

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/cli/command"
	explained "github.com/plumb-iac/plumb/internal/cli/explain"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/plan"
)

// Explain is the row of explain.
func Explain() command.Command {
	return command.Command{
		Name: "explain", Args: "[options] ADDRESS [PLANFILE]",
		Synopsis: "Explain why a resource instance is planned as it is",
		About: `Plans, and shows for one resource instance, or one instance of a data source, every value on the way side by side: what is configured, what the last run stored, what its upgrade and reading found, what was proposed to the provider and what the provider planned; which side decided each value and by which rule; why the object is created, changed, replaced or destroyed; and what unknown values wait for. Nothing is changed.

With a saved plan its configuration, variables and state are planned again.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			asJSON := f.Bool("json", false, "Write JSON for programs.")
			asHTML := f.Bool("html", false, "Write a page that needs nothing else.")
			all := f.Bool("all", false, "Also show what is null everywhere, and all stages of what does not change.")
			deposed := f.String("deposed", "KEY", "", "Explain the deposed object of this key instead of the current one.")
			b.bool("destroy", false, "Explain a plan to destroy everything.", func(o *Options, v bool) { o.Destroy = v })
			b.bool("refresh", true, "Don't read the remote objects first: plan by what the state says.", func(o *Options, v bool) { o.NoRefresh = !v })
			b.list("replace", "ADDRESS", "Explain a plan with this option. Can be used several times.", func(o *Options, v []string) { o.Replace = v })
			b.deferral()
			b.variables()
			b.string("state", "FILE", "Old way to say where the local state is.", func(o *Options, v string) { o.State = v })
			b.string("record", "DIR", "Write the conversation with the providers into this directory, without secrets.", func(o *Options, v string) { o.Record = v })
			b.string("replay", "DIR", "Let recorded conversations answer instead of the providers.", func(o *Options, v string) { o.Replay = v })
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) < 1 || len(args) > 2 || s.Late != "" {
					return s.Misused("Address required", "The command takes the address of a resource instance, and perhaps a saved plan.")
				}
				file := ""
				if len(args) == 2 {
					file = args[1]
				}
				shape := explained.Text
				switch {
				case *asJSON && *asHTML:
					return s.Misused("Invalid output format", "The options -json and -html exclude each other.")
				case *asJSON:
					shape = explained.JSON
				case *asHTML:
					shape = explained.HTML
				}
				return runExplain(ctx, s, b.options(), wanted{args[0], addr.DeposedKey(*deposed)}, file, explained.Options{Shape: shape, All: *all, Style: s.Style()})
			}
		},
	}
}

// wanted is what is to be explained.
type wanted struct {
	address string
	deposed addr.DeposedKey
}

// object is the object that is meant, or why none can be.
func (w wanted) object() (addr.Object, diag.List) {
	if d := elsewhere(w.address); d != nil {
		return addr.Object{}, diag.List{*d}
	}
	at, err := addr.ParsePlanned(w.address)
	if err != nil {
		return addr.Object{}, diag.List{diag.Err("Invalid resource instance address", err.Error()).By(diag.Operator)}
	}
	return addr.Object{Instance: at, Deposed: w.deposed}, nil
}

func runExplain(ctx context.Context, s *session.Session, o Options, w wanted, file string, show explained.Options) (status int) {
	object, diags := w.object()
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	s.Machine = true
	o.Parallelism = defaultParallelism
	o.explain = &engine.Artefacts{Object: object}
	p := newOperation(s, o)
	p.face = quiet{p.face}
	defer p.end(&status)
	doc, diags := p.planAgain(ctx, file)
	p.face.Diagnostics(diags)
	if o.explain.Schema == nil {
		if !diags.HasErrors() {
			p.face.Diagnostics(diag.List{missing(object, doc)})
		}
		return 1
	}
	if err := explained.Write(s.Stdout, explain.Explain(o.explain), show); err != nil {
		s.Complain("%s\n", err)
		return 1
	}
	if diags.HasErrors() {
		return 1
	}
	return 0
}

// toExplain prepares the explanation after an apply; the function tells it.
func (o *Options) toExplain() (func(*session.Session), diag.List) {
	if o.Explain == "" {
		return func(*session.Session) {}, nil
	}
	object, diags := wanted{address: o.Explain}.object()
	switch {
	case diags.HasErrors():
		return nil, diags
	case o.JSON:
		return nil, diag.List{diag.Err("Unsupported option", "The options -explain and -json exclude each other.").By(diag.Operator)}
	}
	into := &engine.Artefacts{Object: object}
	o.explain = into
	return func(s *session.Session) {
		if into.Schema == nil {
			s.Report(diag.List{diag.Warn("Nothing to explain", "The plan has no resource instance "+o.Explain+".")})
			return
		}
		s.Print("\n")
		if err := explained.Write(s.Stdout, explain.Explain(into), explained.Options{Style: s.Style()}); err != nil {
			s.Complain("%s\n", err)
		}
	}, nil
}

// planAgain plans the working directory, or what a saved plan was made of.
func (p *operation) planAgain(ctx context.Context, file string) (*plan.Document, diag.List) {
	mode, wrong := p.o.mode()
	if wrong != nil {
		return nil, diag.List{*wrong}
	}
	if file == "" {
		return p.prepareAndPlan(ctx, mode, "")
	}
	var doc *plan.Document
	var diags diag.List
	for _, step := range []func() diag.List{
		p.open,
		func() diag.List {
			content, diags := p.read(ctx, file)
			if content != nil {
				doc = content.Document
			}
			return diags
		},
		func() diag.List { return p.store(ctx, "") },
		func() diag.List { p.before = doc.PrevRun; return nil },
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags = diags.With(step()); diags.HasErrors() {
			return nil, diags
		}
	}
	for name, v := range doc.Variables {
		if !v.Default && !v.Ephemeral {
			p.given.All()[name] = engine.Input{Value: v.Value, Source: engine.FromPlan}
		}
	}
	p.o.NoRefresh = p.o.NoRefresh || doc.SkipRefresh
	p.o.AllowDeferral = p.o.AllowDeferral || len(doc.Deferred) > 0
	again, more := p.plan(ctx, doc.Mode, selection{targets: doc.Targets, excludes: doc.Excludes, replace: doc.Replace})
	return again, diags.With(more)
}

// quiet is a face that says nothing but what is wrong.
type quiet struct{ face }

func (q quiet) Observe(event.Event) event.Verdict { return event.Continue }

func (q quiet) Tick(time.Time) {}

func (q quiet) Planned(*plan.Document) {}
