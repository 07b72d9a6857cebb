package inspect

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
)

// opened is a configuration with its state, as these commands need them. The
// variables are for what has to be known to find either.
func opened(ctx context.Context, s *session.Session, vars *inputs.Flags) (*workdir.Dir, *config.Tree, *state.Snapshot, diag.List) {
	given, diags := vars.Collect(s, ".")
	if diags.HasErrors() {
		return nil, nil, nil, diags
	}
	dir, more := workdir.Open(s)
	if diags = diags.With(more); more.HasErrors() {
		return nil, nil, nil, diags
	}
	tree, more := dir.Config(workdir.ConfigOptions{Early: given.Early()})
	if diags = diags.With(more); more.HasErrors() {
		return nil, nil, nil, diags
	}
	storage, more := dir.Storage(ctx, tree, workdir.StatePaths{})
	if diags = diags.With(more); more.HasErrors() {
		return nil, nil, nil, diags
	}
	snapshot, more := storage.Read(ctx)
	return dir, tree, snapshot, diags.With(more)
}

func providers(f *command.Flags) command.Run {
	f.Each("test-directory", "DIR", "Where tests are; the default is tests.", func(string) {})
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) > 0 {
			return s.Misused("Too many command line arguments", "Expected no positional arguments. Did you mean to use -chdir?")
		}
		_, tree, snapshot, diags := opened(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		if tree.Empty() {
			return s.Fail(diag.List{diag.Err("No configuration files", "There is no configuration file (.tf) in "+s.Dir()+".").By(diag.Operator)})
		}
		s.Report(diags)
		s.Print("\nProviders required by configuration:\n.\n")
		branches(s, tree.Root, "")
		s.Print("\n")
		if inState := workdir.InState(snapshot); len(inState) > 0 {
			slices.SortFunc(inState, func(a, b addr.Provider) int { return strings.Compare(a.String(), b.String()) })
			s.Print("Providers required by state:\n\n")
			for _, p := range inState {
				s.Print("    provider[%s]\n\n", p)
			}
		}
		return 0
	}
}

// branches draws what a module and those it calls ask for.
func branches(s *session.Session, m *config.Module, indent string) {
	own := &config.Tree{Root: &config.Module{Settings: m.Settings, Resources: m.Resources, Providers: m.Providers, Actions: m.Actions}}
	required := install.Required(own, nil)
	names := slices.Sorted(maps.Keys(m.Children))
	last := len(required) + len(names) - 1
	for i, r := range required {
		text := "provider[" + r.Provider.String() + "]"
		if c := strings.Join(r.Constraints, ", "); c != "" {
			text += " " + c
		}
		s.Print("%s%s%s\n", indent, twig(i == last), text)
	}
	for i, name := range names {
		end := len(required)+i == last
		s.Print("%s%smodule.%s\n", indent, twig(end), name)
		next := indent + "│   "
		if end {
			next = indent + "    "
		}
		branches(s, m.Children[name], next)
	}
}

func twig(last bool) string {
	if last {
		return "└── "
	}
	return "├── "
}

func providersSchema(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Required.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, _ []string) int {
		if !*asJSON {
			return s.Misused("The -json option is required", "Schemas are written as JSON only: run \"plumb providers schema -json\".")
		}
		dir, tree, snapshot, diags := opened(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		registry, more := dir.Providers(workdir.ProviderOptions{Tree: tree, State: snapshot, SchemasOnly: true})
		if diags = diags.With(more); more.HasErrors() {
			return s.Fail(diags)
		}
		defer registry.Close()
		all := map[addr.Provider]provider.Schemas{}
		for _, r := range install.Required(tree, workdir.InState(snapshot)) {
			schemas, more := registry.Schemas(ctx, r.Provider)
			if diags = diags.With(more); more.HasErrors() {
				continue
			}
			all[r.Provider] = schemas
		}
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		more, err := schemajson.WriteProviders(s.Stdout, all)
		s.Print("\n")
		if err != nil {
			s.Complain("%s\n", err)
			return 1
		}
		return s.Done(more.Errors())
	}
}
