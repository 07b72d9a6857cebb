package operate

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planfile"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

// Apply is the row of apply.
func Apply() command.Command {
	return command.Command{
		Name: "apply", JSONLines: true, Args: "[options] [PLAN]", Group: command.Main,
		Synopsis: "Make the changes that a plan shows",
		About:    `Makes a plan, asks for approval, and carries the plan out. With a saved plan it does exactly what that says, and nobody is asked.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.planning()
			b.approval()
			b.string("explain", "ADDRESS", "Explain this resource instance afterwards, as \"plumb explain\" does, with what became of it.", func(o *Options, v string) { o.Explain = v })
			b.running()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 1 {
					return s.Misused("Too many command line arguments", "Expected at most one positional argument.")
				}
				if len(args) == 1 {
					return runSaved(ctx, s, b.options(), args[0])
				}
				return runApply(ctx, s, b.options())
			}
		},
	}
}

// Destroy is the row of destroy.
func Destroy() command.Command {
	return command.Command{
		Name: "destroy", JSONLines: true, Args: "[options]", Group: command.Main,
		Synopsis: "Destroy everything that is managed here",
		About:    `Destroys everything that is managed here: it plans that, asks for approval, and does it. "plumb plan -destroy" shows the plan alone.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.planning()
			b.approval()
			b.bool("suppress-forget-errors", false, "Succeed even when objects were forgotten instead of destroyed.", func(o *Options, v bool) { o.SuppressForgetErrors = v })
			b.running()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 1 {
					return s.Misused("Too many command line arguments", "The destroy command takes no arguments: a saved plan is applied with \"plumb apply\".")
				}
				if len(args) == 1 {
					return notWithPlan(ctx, s, args[0])
				}
				o := b.options()
				o.alwaysDestroys = true
				return runApply(ctx, s, o)
			}
		},
	}
}

// notWithPlan says that a saved plan is applied, not destroyed.
func notWithPlan(ctx context.Context, s *session.Session, name string) int {
	dir, diags := workdir.Open(s)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	if _, diags := dir.ReadPlan(ctx, name, engine.Version); diags.HasErrors() {
		return s.Fail(diags)
	}
	return s.Fail(diag.List{diag.Err("Destroy can't be called with a plan file",
		"A saved plan is carried out with \"plumb apply "+name+"\", also when it destroys: \"plumb plan -destroy -out=FILE\" makes such a plan.").By(diag.Operator)})
}

// Refresh is the row of refresh.
func Refresh() command.Command {
	return command.Command{
		Name: "refresh", JSONLines: true, Args: "[options]",
		Synopsis: "Record how the remote objects are",
		About:    `Reads all remote objects and records in the state how they are, without asking. "plumb apply -refresh-only" does the same and shows the differences first.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.f.Heading("What to read")
			b.list("target", "ADDRESS", "Only read this module, resource or instance. Can be used several times.", func(o *Options, v []string) { o.Targets = v })
			b.list("exclude", "ADDRESS", "Leave out this module, resource or instance. Can be used several times.", func(o *Options, v []string) { o.Excludes = v })
			b.deferral()
			b.variables()
			b.running()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments", "Expected no positional arguments. Did you mean to use -chdir?")
				}
				o := b.options()
				o.RefreshOnly, o.AutoApprove = true, true
				return runRefresh(ctx, s, o)
			}
		},
	}
}

func (b *flagSet) approval() {
	b.f.Heading("Approval")
	b.bool("auto-approve", false, "Don't ask for approval.", func(o *Options, v bool) { o.AutoApprove = v })
}

func runApply(ctx context.Context, s *session.Session, o Options) (status int) {
	mode, wrong := o.mode()
	if wrong != nil {
		return s.Misused(wrong.Summary, wrong.Detail)
	}
	if o.JSON && !o.AutoApprove {
		return s.Misused("Plan file or auto-approve required", "With -json nobody can be asked for approval: apply a saved plan, or give -auto-approve.")
	}
	told, diags := o.toExplain()
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	defer told(s)
	p := newOperation(s, o)
	defer p.end(&status)
	doc, diags := p.prepareAndPlan(ctx, mode, lockName(mode))
	course := rounds{auto: o.AutoApprove, ask: s.InputAllowed()}
	for first := true; ; first = false {
		if !p.presented(doc, diags) {
			return p.fail(diags)
		}
		next := course.planned(doc)
		if first || next == goOn {
			if status := p.round(ctx, doc, diags); status != 0 {
				return status
			}
			next = course.carriedOut(doc)
		} else {
			p.face.Diagnostics(diags)
		}
		if next == askFirst && another(ctx, s, len(doc.Deferred)) {
			next = goOn
		}
		if next != goOn {
			p.face.Diagnostics(remaining(doc, next))
			return 0
		}
		doc, diags = p.nextRound(ctx, doc)
	}
}

// presented shows a plan. It says whether that can be carried out.
func (p *operation) presented(doc *plan.Document, diags diag.List) bool {
	if doc == nil {
		return false
	}
	if !doc.Errored || len(doc.Changes)+len(doc.Outputs) > 0 {
		p.face.Planned(doc)
	}
	return !diags.HasErrors()
}

// round carries out a plan, once it is approved.
func (p *operation) round(ctx context.Context, doc *plan.Document, diags diag.List) int {
	if doc.Applyable && !p.o.AutoApprove {
		p.face.Diagnostics(diags)
		if agreed, diags := approve(ctx, p.s, doc); !agreed {
			p.face.Diagnostics(diags)
			return 1
		}
		return p.carryOut(ctx, doc, nil, nil)
	}
	// Nobody decides by these warnings, so they are told with those of the
	// apply, which checks again.
	return p.carryOut(ctx, doc, nil, diags.Without(diag.FoundByCheck))
}

func lockName(mode plan.Mode) string {
	if mode == plan.RefreshOnly {
		return "OperationTypeRefresh"
	}
	return "OperationTypeApply"
}

// carryOut applies and tells what came of it; untold are warnings from before.
func (p *operation) carryOut(ctx context.Context, doc *plan.Document, variables map[string]engine.Input, untold diag.List) int {
	after, diags := p.apply(ctx, doc, variables)
	diags = untold.With(diags)
	if diags.HasErrors() {
		return p.fail(diags)
	}
	p.face.Diagnostics(diags)
	p.face.Finished(p.done(doc), p.o.alwaysDestroys)
	if !p.o.alwaysDestroys {
		p.face.Outputs(after)
	}
	return 0
}

// done counts what was done. No event tells of what is forgotten: the plan does.
func (p *operation) done(doc *plan.Document) view.Tally {
	tally := p.face.Tally()
	if p.dir.Dialect.Yes(settings.ForgottenTold) {
		tally.Forgotten = planview.Count(doc).Forget
	}
	return tally
}

func runRefresh(ctx context.Context, s *session.Session, o Options) (status int) {
	mode, wrong := o.mode()
	if wrong != nil {
		return s.Misused(wrong.Summary, wrong.Detail)
	}
	p := newOperation(s, o)
	defer p.end(&status)
	doc, diags := p.prepareAndPlan(ctx, mode, "OperationTypeRefresh")
	if doc == nil || diags.HasErrors() {
		return p.fail(diags)
	}
	diags = diags.With(nothingToRefresh(p.before))
	all := *doc
	all.Targets = nil // reading a part of the objects leaves nothing incomplete
	after, more := p.apply(ctx, &all, nil)
	p.face.Diagnostics(diags.Without(diag.FoundByCheck).With(more).With(remaining(doc, later))) // the apply checks again
	if more.HasErrors() {
		return 1
	}
	p.face.Outputs(after)
	return 0
}

// nothingToRefresh warns when there is no object to read.
func nothingToRefresh(before *state.Snapshot) diag.List {
	for r := range before.Resources() {
		if r.Addr().Resource.Mode == addr.Managed {
			return nil
		}
	}
	return diag.List{diag.Warn("Empty or non-existent state", "The state has no managed object, so there is nothing to read.")}
}

func runSaved(ctx context.Context, s *session.Session, o Options, name string) (status int) {
	if o.Explain != "" {
		return s.Misused("Unsupported option", "The option -explain goes with a plan that is made now. A saved plan is explained by \"plumb explain ADDRESS PLANFILE\".")
	}
	if _, wrong := o.mode(); wrong != nil {
		return s.Misused(wrong.Summary, wrong.Detail)
	}
	p := newOperation(s, o)
	defer p.end(&status)
	p.s.NoInput = true
	var content *planfile.Content
	var diags diag.List
	for _, step := range []func() diag.List{
		p.open,
		func() (diags diag.List) { content, diags = p.read(ctx, name); return diags },
		func() diag.List { return p.store(ctx, "OperationTypeApply") },
		func() diag.List { return p.current(content.Document) },
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	variables, more := p.again(content)
	if diags = diags.With(more); diags.HasErrors() {
		return p.fail(diags)
	}
	p.face.Diagnostics(diags)
	p.face.Resumed(content.Document)
	status = p.carryOut(ctx, content.Document, variables, nil)
	if status == 0 {
		p.face.Diagnostics(remaining(content.Document, later))
	}
	return status
}

// again gives the ephemeral variables that a saved plan needs, and refuses
// other values than those it was made with.
func (p *operation) again(content *planfile.Content) (map[string]engine.Input, diag.List) {
	typed, diags := p.o.Vars.Typed(p.s)
	for name, in := range typed.All() {
		planned, exists := content.Document.Variables[name]
		declared := p.tree.Root.Variables[name]
		switch {
		case declared == nil:
			diags = diags.Append(undeclared(name))
		case planned.Ephemeral || declared.Ephemeral:
		case !exists || !same(in, planned.Value, declared):
			diags = diags.Append(diag.Err("Can't change variable when applying a saved plan",
				"The variable "+name+" has another value in the saved plan than on the command line. A saved plan is applied with the values that it was made with: leave the option out, or plan again.").By(diag.Operator))
		}
	}
	out := map[string]engine.Input{}
	for name, in := range p.given.All() {
		if v := p.tree.Root.Variables[name]; v != nil && v.Ephemeral {
			out[name] = in
		}
	}
	return out, diags
}

func undeclared(name string) diag.Diag {
	return diag.Err("Value for undeclared variable",
		"A value was given on the command line for a variable named \""+name+"\", and the root module of the plan has no such variable.").By(diag.Operator)
}

// same says whether a given value is the planned one.
func same(in engine.Input, planned cty.Value, v *config.Variable) bool {
	given, diags := engine.Convert(in, v)
	if diags.HasErrors() || planned == cty.NilVal {
		return false
	}
	a, _ := given.UnmarkDeep()
	b, _ := planned.UnmarkDeep()
	return a.RawEquals(b)
}
