package operate

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view/human"
	"github.com/plumb-iac/plumb/plan"
)

// Import is the row of import.
func Import() command.Command {
	return command.Command{
		Name: "import", Gap: true, JSONLines: true, Args: "[options] ADDR ID",
		Synopsis: "Take an existing object under management",
		About: `Brings an object that exists already under management: ADDR is the address of an instance in the configuration, ID what the provider knows the object by. Only the state is changed; the next plan shows how the object differs from the configuration, whose arguments may be written down afterwards.

An import block in the configuration does the same, can be planned first, and can generate configuration.`,
		New: func(f *command.Flags) command.Run {
			b := &flagSet{f: f}
			b.string("config", "DIR", "Read the configuration in this directory instead of the working directory.", func(o *Options, v string) { o.ConfigDir = v })
			f.Old("ignore-remote-version")
			b.variables()
			b.running()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 2 {
					return s.Misused("Wrong number of arguments", "The import command expects two arguments: ADDR and ID.")
				}
				return runImport(ctx, s, b.options(), args[0], args[1])
			}
		},
	}
}

// importing is the face of an import: it tells how the object is brought in and
// nothing of what is read for that.
type importing struct {
	*person
	at addr.AbsInstance
	// done says that the object is there; storing it is nothing to tell.
	done bool
}

func importingFace(s *session.Session, at addr.AbsInstance) *importing {
	h := human.New(s.Stdout, human.Options{Style: s.Style(), Importing: true})
	return &importing{person: &person{View: h, s: s}, at: at}
}

// Observe tells of the object.
func (f *importing) Observe(e event.Event) event.Verdict {
	switch e := e.(type) {
	case event.Phase:
		f.done = f.done || e.Name == event.Applying
	case event.Begun:
		return f.told(e, e.Object, e.Op)
	case event.Ended:
		return f.told(e, e.Object, e.Op)
	case event.Failed:
		return f.told(e, e.Object, e.Op)
	}
	return event.Continue
}

func (f *importing) told(e event.Event, o addr.Object, op event.Op) event.Verdict {
	if f.done || o.Instance != f.at || op != event.Import && op != event.Refresh {
		return event.Continue
	}
	return f.person.Observe(e)
}

func runImport(ctx context.Context, s *session.Session, o Options, address, id string) (status int) {
	at, err := addr.ParseInstance(address)
	if err != nil {
		return s.Fail(diag.List{addr.Unparsable(err)})
	}
	if at.Resource.Mode != addr.Managed {
		return s.Fail(diag.List{diag.Err("A managed resource address is required. Importing into a data resource is not allowed.", "").By(diag.Operator)})
	}
	if o.JSON && o.JSONInto != "" {
		wrong := command.NotBoth()
		return s.Misused(wrong.Summary, wrong.Detail)
	}
	o.importing = &at
	p := newOperation(s, o)
	defer p.end(&status)
	var diags diag.List
	for _, step := range []func() diag.List{
		p.configured, p.open, p.configure,
		func() diag.List { return p.importable(at) },
		p.bared,
		func() diag.List { return p.store(ctx, "import") },
		func() diag.List { return p.unmanaged(at) },
		func() diag.List { return p.assemble(ctx) },
	} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	doc, more := p.planImport(ctx, at, id)
	if diags = diags.With(more); diags.HasErrors() || doc == nil {
		return p.fail(diags)
	}
	_, more = p.apply(ctx, doc, nil)
	if diags = diags.With(more); diags.HasErrors() {
		return p.fail(diags)
	}
	p.face.Diagnostics(diags)
	p.face.Imported()
	return 0
}

// configured checks that the directory of -config is there.
func (p *operation) configured() diag.List {
	if p.o.ConfigDir == "" {
		return nil
	}
	if info, err := os.Stat(p.o.ConfigDir); err != nil || !info.IsDir() {
		return noConfiguration(p.o.ConfigDir)
	}
	return nil
}

func noConfiguration(dir string) diag.List {
	return diag.List{diag.Err("No Plumb configuration files",
		"There is no configuration file (.tf) in the directory \""+cmp.Or(dir, ".")+"\". What is imported has to be declared.").By(diag.Operator)}
}

// importable checks that the configuration has the target.
func (p *operation) importable(at addr.AbsInstance) diag.List {
	m := p.tree.Module(at.Module.Module())
	switch {
	case p.tree.Empty():
		return noConfiguration(p.o.ConfigDir)
	case m == nil:
		return diag.List{diag.Err("Import to non-existent module",
			fmt.Sprintf("The configuration has no %s. What is imported has to be declared first, and so does the module that it is in.", at.Module.Module())).By(diag.Operator)}
	case m.Resources[at.Resource] != nil:
		return nil
	}
	return diag.List{diag.Err(fmt.Sprintf("resource address %q does not exist in the configuration.", at),
		fmt.Sprintf("What is imported has to be declared first, for example:\n\nresource %q %q {\n  # (resource arguments)\n}", at.Resource.Type, at.Resource.Name)).By(diag.Operator)}
}

// bared takes what the configuration says of objects out of it: an object may be
// imported before its arguments are written down.
func (p *operation) bared() diag.List {
	p.tree = p.tree.Bare()
	return nil
}

func (p *operation) unmanaged(at addr.AbsInstance) diag.List {
	if i := p.before.Instance(at); i == nil || i.Current() == nil {
		return nil
	}
	return diag.List{diag.Err("Resource already managed by "+p.dir.Dialect.Text(settings.Product), // as the scripts look for it that import what they may
		fmt.Sprintf("The state has an object at %s already. To import another one there, first make plumb forget it with \"plumb state rm\".", at)).By(diag.Operator)}
}

// planImport plans the import alone: what the configuration asks of others, such as
// data sources, is left to the next plan.
func (p *operation) planImport(ctx context.Context, at addr.AbsInstance, id string) (*plan.Document, diag.List) {
	target, err := addr.ParseTarget(at.String())
	if err != nil {
		return nil, diag.List{addr.Unparsable(err)}
	}
	var doc *plan.Document
	var diags diag.List
	p.run(func() {
		doc, diags = p.engine.Plan(ctx, engine.PlanOptions{
			State: p.before, Variables: p.given.All(), Targets: []addr.Target{target},
			Imports: []engine.Import{{Addr: at, ID: id}},
		})
	})
	diags = diags.Errors()
	if diags.HasErrors() || doc == nil {
		return nil, diags
	}
	only := *doc
	only.Changes, only.Drift, only.Outputs, only.Targets = nil, nil, nil, nil
	for _, c := range doc.Changes {
		if c.Addr == at && c.Importing != nil {
			only.Changes = []*plan.Change{c}
		}
	}
	if len(only.Changes) == 0 {
		return nil, diag.List{diag.Err("Configuration for import target does not exist",
			fmt.Sprintf("The configuration declares the resource, but no instance %s of it: look at its count or for_each.", at)).By(diag.Operator)}
	}
	return &only, diags
}
