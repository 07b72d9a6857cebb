package operate

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/plan"
)

// Plan is the row of plan.
func Plan() command.Command {
	return command.Command{
		Name: "plan", JSONLines: true, Args: "[options]", Group: command.Main,
		Synopsis: "Show what would change, and why",
		About: `Compares the configuration with the state and with what really exists, and shows what would have to happen to make them agree. Nothing is changed.

With -out the plan is saved to a file, and "plumb apply FILE" does exactly what it says.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.planning()
			b.string("out", "FILE", "Save the plan to this file.", func(o *Options, v string) { o.Out = v })
			b.string("generate-config-out", "FILE", "Write configuration for import blocks that have none to this new file.", func(o *Options, v string) { o.GenerateConfig = v })
			b.bool("detailed-exitcode", false, "End with status 2 when there is something to do, now or in a later round, 0 when there is not, 1 on errors.", func(o *Options, v bool) { o.DetailedExit = v })
			b.running()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments", "The working directory of a plan is selected with the global option -chdir.")
				}
				return runPlan(ctx, s, b.options())
			}
		},
	}
}

// changesFound is the exit status of -detailed-exitcode for a plan that does
// something.
const changesFound = 2

func runPlan(ctx context.Context, s *session.Session, o Options) (status int) {
	mode, wrong := o.mode()
	if wrong != nil {
		return s.Misused(wrong.Summary, wrong.Detail)
	}
	p := newOperation(s, o)
	defer p.end(&status)
	doc, diags := p.prepareAndPlan(ctx, mode, "OperationTypePlan")
	if doc == nil {
		return p.fail(diags)
	}
	p.face.Planned(doc)
	p.s.AddSources(engine.GeneratedSources(doc))
	generated, more := p.generate(plannedBlocks(doc))
	if diags = diags.With(more); generated {
		diags = diags.Append(diag.Warn("Config generation is experimental",
			"What is generated, and in which form, may be different in another version."))
	}
	if o.Out != "" {
		diags = diags.With(p.save(ctx, doc, o.Out))
	}
	p.face.Diagnostics(diags)
	if diags.HasErrors() {
		return 1
	}
	if doc.Applyable {
		p.face.Noted(o.Out, generated)
	}
	if o.DetailedExit && (doc.Applyable || len(doc.Deferred) > 0) {
		return changesFound
	}
	return 0
}

// prepareAndPlan does everything up to the plan. The document is nil when there
// is nothing to show but diagnostics.
func (p *operation) prepareAndPlan(ctx context.Context, mode plan.Mode, lockAs string) (*plan.Document, diag.List) {
	sel, diags := p.o.selection()
	if len(sel.replace) > 0 && mode != plan.Normal {
		diags = diags.Append(diag.Err("Unsupported plan mode", "The option -replace is for normal plans only: neither -destroy nor -refresh-only goes with it.").By(diag.Operator))
	}
	diags = diags.With(p.generateTarget())
	for _, step := range []func() diag.List{
		p.open,
		p.configure,
		func() diag.List { return p.inhabited(mode) },
		func() diag.List { return p.store(ctx, lockAs) },
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags.HasErrors() {
			return nil, diags
		}
		diags = diags.With(step())
	}
	if diags.HasErrors() {
		return nil, diags
	}
	doc, more := p.plan(ctx, mode, sel)
	return doc, diags.With(more)
}

// inhabited refuses to plan without any configuration, which would destroy
// everything.
func (p *operation) inhabited(mode plan.Mode) diag.List {
	if !p.tree.Empty() || mode == plan.Destroy {
		return nil
	}
	why := "An empty configuration would mean that everything is to be destroyed, which is rarely meant. To do that, use \"plumb destroy\"; otherwise write a configuration first, or select its directory with -chdir."
	if mode == plan.RefreshOnly {
		why = "Without configuration there are no outputs, so those that are stored would be lost. Write a configuration first, or select its directory with -chdir."
	}
	return diag.List{diag.Err("No configuration files", "There is no configuration file (.tf) in this directory. "+why).By(diag.Operator)}
}
