package inspect

import (
	"context"
	"os"

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
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/provider/assemble"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
)

func show(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Write JSON for programs.")
	secrets := f.Bool("show-sensitive", false, "Show sensitive values.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) > 1 {
			return s.Misused("Too many command line arguments", "Expected at most one positional argument.")
		}
		v := &viewer{s: s, json: *asJSON, secrets: *secrets}
		dir, diags := workdir.Open(s)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		s.Report(diags)
		v.dir, dir.Vars = dir, vars
		switch {
		case len(args) == 0:
			return v.current(ctx)
		case workdir.IsPlan(args[0]):
			return v.saved(ctx, args[0])
		}
		return v.file(ctx, args[0])
	}
}

// viewer shows one thing.
type viewer struct {
	s             *session.Session
	dir           *workdir.Dir
	json, secrets bool
}

func (v *viewer) current(ctx context.Context) int {
	storage, diags := v.dir.Storage(ctx, nil, workdir.StatePaths{})
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
	if v.json {
		return v.wrote(planjson.WriteState(v.s.Stdout, snapshot, schemas))
	}
	return v.wrote(stateview.Show(v.s.Stdout, snapshot, schemas, v.s.Style()))
}

func (v *viewer) wrote(err error) int {
	if err != nil {
		return v.s.Fail(diag.List{diag.Err("Failed to show", err.Error()).By(diag.Engine)})
	}
	if v.json {
		v.s.Print("\n")
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
	for _, d := range content.Document.Deferred {
		c := &d.Change
		c.Schema = schemas(c.Provider.Provider, c.Addr.Resource.Mode, c.Addr.Resource.Type)
	}
	for _, c := range content.Document.Changes {
		c.Schema = schemas(c.Provider.Provider, c.Addr.Resource.Mode, c.Addr.Resource.Type)
	}
	for _, c := range content.Document.Drift {
		c.Schema = schemas(c.Provider.Provider, c.Addr.Resource.Mode, c.Addr.Resource.Type)
	}
	if v.json {
		return v.wrote(planjson.WritePlan(v.s.Stdout, content.Document, planjson.Options{
			Version: engine.LanguageVersion, Schemas: schemas,
			Configuration: func(w *jsonout.Writer) { v.configuration(w, tree, configSchemas(ctx, registry, schemas)) },
		}))
	}
	return v.wrote(planview.Write(v.s.Stdout, content.Document, planview.Options{Style: v.s.Style(), Automation: v.s.Automation(), ShowSensitive: v.secrets}))
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
