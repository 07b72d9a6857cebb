package inspect

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/internal/view/configjson"
	"github.com/plumb-iac/plumb/internal/view/planview"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
)

func show(f *command.Flags) command.Run {
	var what subject
	f.Heading("What to show, if not what the path says")
	what.current = f.Bool("state", false, "Show the present state, as without an argument.")
	what.plan = f.String("plan", "FILE", "", "Show this saved plan.")
	what.config = f.Bool("config", false, "Write the configuration of the working directory. Needs -json.")
	what.module = f.String("module", "DIR", "", "Write an outline of the module in this directory, for which nothing has to be installed. Needs -json.")
	f.Heading("How to show it")
	secrets := f.Bool("show-sensitive", false, "Show sensitive values.")
	vars := inputs.Declare(f)
	return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
		if summary, detail := what.misused(args, !forms.Text); summary != "" {
			return s.Misused(summary, detail)
		}
		v := &viewer{s: s, forms: forms, secrets: *secrets}
		dir, diags := workdir.Open(s)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		s.Report(diags)
		v.dir, dir.Vars = dir, vars
		switch {
		case *what.config:
			return v.configured(ctx, vars)
		case *what.module != "":
			return v.module(*what.module)
		case *what.plan != "":
			return v.saved(ctx, *what.plan)
		case len(args) == 0:
			return v.current(ctx)
		case workdir.IsPlan(args[0]):
			return v.saved(ctx, args[0])
		}
		return v.file(ctx, args[0])
	})
}

// subject is what the options ask to show; none of them leaves it to the
// argument.
type subject struct {
	current, config *bool
	plan, module    *string
}

// misused says what is wrong with the options, "" for nothing.
func (o subject) misused(args []string, asJSON bool) (summary, detail string) {
	asked := 0
	for _, a := range []bool{*o.current, *o.config, *o.plan != "", *o.module != ""} {
		if a {
			asked++
		}
	}
	switch {
	case asked > 1:
		return "Conflicting object types to show", "The options -state, -plan=FILE, -config and -module=DIR exclude each other: one thing is shown at a time."
	case asked == 1 && len(args) > 0:
		return "Unexpected command line arguments", "An option says already what is shown, so no argument is expected."
	case len(args) > 1:
		return "Too many command line arguments", "Expected at most one positional argument."
	case *o.config && !asJSON:
		return "JSON output required for configuration", "A configuration is written as JSON only: add the option -json."
	case *o.module != "" && !asJSON:
		return "JSON output required for module", "A module is written as JSON only: add the option -json."
	}
	return "", ""
}

// viewer shows one thing.
type viewer struct {
	s       *session.Session
	dir     *workdir.Dir
	forms   command.Forms
	secrets bool
}

func (v *viewer) current(ctx context.Context) int {
	storage, diags := v.dir.Storage(ctx, nil, workdir.StatePaths{Looks: true})
	if diags.HasErrors() {
		return v.s.Fail(diags)
	}
	snapshot, more := storage.Read(ctx)
	if diags = diags.With(more); diags.HasErrors() {
		return v.s.Fail(diags)
	}
	if !storage.Found() {
		snapshot = nil
	}
	return v.state(ctx, snapshot, diags)
}

// file shows a state file.
func (v *viewer) file(ctx context.Context, name string) int {
	src, err := os.ReadFile(name)
	if err != nil {
		return v.unreadable("The file cannot be read: " + err.Error() + ".")
	}
	snapshot, diags := v.dir.ParseState(ctx, src)
	if diags.HasErrors() {
		return v.unreadable("It is not a plan file, and it is not a state either: " + diags.Errors()[0].Detail)
	}
	if snapshot == nil {
		return v.unreadable("The file is empty.")
	}
	return v.state(ctx, snapshot, diags)
}

func (v *viewer) unreadable(detail string) int {
	return v.s.Fail(diag.List{diag.Err("Failed to read the given file as a state or plan file", detail).By(diag.Operator)})
}

func (v *viewer) state(ctx context.Context, snapshot *state.Snapshot, diags diag.List) int {
	registry, more := v.dir.Providers(workdir.ProviderOptions{State: snapshot, SchemasOnly: true, Lenient: true})
	if diags = diags.With(more); more.HasErrors() {
		return v.s.Fail(diags)
	}
	defer registry.Close()
	v.s.Report(diags)
	schemas := workdir.Schemas(ctx, registry)
	if outdated := workdir.Outdated(snapshot, schemas); outdated != nil {
		return v.s.Fail(outdated)
	}
	var err error
	if v.forms.JSON != nil {
		err = planjson.WriteState(v.forms.JSON, snapshot, schemas)
	}
	if v.forms.Text {
		err = errors.Join(err, stateview.Show(v.s.Stdout, snapshot, schemas, v.s.Style()))
	}
	return v.wrote(err)
}

func (v *viewer) wrote(err error) int {
	if err != nil {
		return v.s.Fail(diag.List{diag.Err("Failed to show", err.Error()).By(diag.Engine)})
	}
	return 0
}

// saved shows a plan file.
func (v *viewer) saved(ctx context.Context, name string) int {
	content, diags := v.dir.ReadPlan(ctx, name, engine.Version)
	if diags.HasErrors() {
		return v.unreadable(diags[0].Detail)
	}
	tree, diags := v.dir.Config(workdir.ConfigOptions{Sources: content.Sources, Manifest: content.Modules})
	if diags.HasErrors() {
		return v.s.Fail(diags)
	}
	registry, diags := v.dir.Providers(workdir.ProviderOptions{Tree: tree, State: content.Document.Prior, SchemasOnly: true, Lenient: true})
	if diags.HasErrors() {
		return v.s.Fail(diags)
	}
	defer registry.Close()
	schemas := workdir.Schemas(ctx, registry)
	describe(content.Document, schemas)
	var err error
	if v.forms.JSON != nil {
		err = planjson.WritePlan(v.forms.JSON, content.Document, planjson.Options{
			Version: engine.LanguageVersion, Schemas: schemas,
			Configuration: func(w *jsonout.Writer) { v.configuration(w, tree, configSchemas(ctx, registry, schemas)) },
		})
	}
	if v.forms.Text {
		err = errors.Join(err, planview.Write(v.s.Stdout, content.Document, planview.Options{Style: v.s.Style(), Automation: v.s.Automation(), ShowSensitive: v.secrets, Forgotten: v.dir.Dialect.Yes(settings.ForgottenTold)}))
	}
	return v.wrote(err)
}

// describe gives the changes of a plan, which a file has without, their schemas.
func describe(d *plan.Document, schemas planjson.Schemas) {
	all := slices.Concat(d.Changes, d.Drift)
	for _, waiting := range d.Deferred {
		all = append(all, &waiting.Change)
	}
	for _, c := range all {
		c.Schema = schemas(c.Provider.Provider, c.Addr.Resource.Mode, c.Addr.Resource.Type)
	}
}

// configured writes the configuration of the working directory.
func (v *viewer) configured(ctx context.Context, vars *inputs.Flags) int {
	given, diags := vars.Collect(v.s, ".")
	if diags.HasErrors() {
		return v.s.Fail(diags)
	}
	tree, more := v.dir.Config(workdir.ConfigOptions{Early: given.Early()})
	if diags = diags.With(more); diags.HasErrors() {
		return v.s.Fail(diags)
	}
	registry, more := v.dir.Providers(workdir.ProviderOptions{Tree: tree, SchemasOnly: true})
	if diags = diags.With(more); diags.HasErrors() {
		return v.s.Fail(diags)
	}
	defer registry.Close()
	v.s.Report(diags)
	w := jsonout.New(v.forms.JSON)
	v.configuration(w, tree, configSchemas(ctx, registry, workdir.Schemas(ctx, registry)))
	return v.wrote(w.Err())
}

// module writes an outline of one module: what can be told of it without
// providers and without the modules that it calls.
func (v *viewer) module(dir string) int {
	tree, diags := v.dir.Config(workdir.ConfigOptions{Dir: dir, RootOnly: true})
	if diags.HasErrors() {
		return v.s.Fail(diags)
	}
	v.s.Report(diags)
	w := jsonout.New(v.forms.JSON)
	configjson.Write(w, tree, configjson.Options{Outline: true, VariableDetail: v.dir.Dialect.Yes(settings.PlanVariableDetail)})
	return v.wrote(w.Err())
}

func (v *viewer) configuration(w *jsonout.Writer, tree *config.Tree, s configjson.Schemas) {
	configjson.Write(w, tree, configjson.Options{Schemas: s, VariableDetail: v.dir.Dialect.Yes(settings.PlanVariableDetail)})
}

func configSchemas(ctx context.Context, r *assemble.Registry, resources planjson.Schemas) configjson.Schemas {
	return configjson.Schemas{
		Resource: resources,
		Provider: func(p addr.Provider) *schema.Block {
			s, diags := r.Schemas(ctx, p)
			if diags.HasErrors() || s.Provider() == nil {
				return nil
			}
			return s.Provider().Block
		},
		Action: func(p addr.Provider, name string) *schema.Block {
			s, diags := r.Schemas(ctx, p)
			if diags.HasErrors() {
				return nil
			}
			if a, more := s.Action(name); !more.HasErrors() && a != nil {
				return a.Block
			}
			return nil
		},
	}
}
