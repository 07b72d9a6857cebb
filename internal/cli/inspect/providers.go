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
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
)

// opened is a configuration with its state, as these commands need them. The
// variables are for what has to be known to find either.
func opened(ctx context.Context, s *session.Session, vars *inputs.Flags, o workdir.ConfigOptions) (*workdir.Dir, *config.Tree, *state.Snapshot, diag.List) {
	given, diags := vars.Collect(s, ".")
	if diags.HasErrors() {
		return nil, nil, nil, diags
	}
	dir, more := workdir.Open(s)
	if diags = diags.With(more); more.HasErrors() {
		return nil, nil, nil, diags
	}
	o.Early, o.AnyVersion = given.Early(), true
	tree, more := dir.Config(o)
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
	tests := f.String("test-directory", "DIR", config.DefaultTestDir, "Where tests are besides the working directory; the default is tests.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) > 0 {
			return s.Misused("Too many command line arguments", "Expected no positional arguments. Did you mean to use -chdir?")
		}
		_, tree, snapshot, diags := opened(ctx, s, vars, workdir.ConfigOptions{Tests: true, TestDir: *tests})
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		if tree.Empty() {
			return s.Fail(diag.List{diag.Err("No configuration files", "There is no configuration file (.tf) in "+s.Dir()+".").By(diag.Operator)})
		}
		s.Report(diags)
		s.Print("\nProviders required by configuration:\n.\n")
		draw(s, append(branches(tree.Root), testBranches(tree)...), "")
		s.Print("\n")
		if inState := install.InState(snapshot); len(inState) > 0 {
			slices.SortFunc(inState, func(a, b addr.Provider) int { return strings.Compare(a.String(), b.String()) })
			s.Print("Providers required by state:\n\n")
			for _, p := range inState {
				s.Print("    provider[%s]\n\n", p)
			}
		}
		return 0
	}
}

// branch is a line of the drawing with those below it.
type branch struct {
	text  string
	below []branch
}

// branches are what a module and those it calls ask for.
func branches(m *config.Module) []branch {
	out := asked(&config.Tree{Root: &config.Module{Settings: m.Settings, Resources: m.Resources, Providers: m.Providers, Actions: m.Actions}})
	for _, name := range slices.Sorted(maps.Keys(m.Children)) {
		out = append(out, branch{"module." + name, branches(m.Children[name])})
	}
	return out
}

func asked(t *config.Tree) []branch {
	var out []branch
	for _, r := range install.Required(t, nil) {
		text := "provider[" + r.Provider.String() + "]"
		c, err := lockfile.Normalise(r.Constraints...)
		if err != nil {
			c = strings.Join(r.Constraints, ", ")
		}
		if c != "" {
			text += " " + c
		}
		out = append(out, branch{text: text})
	}
	return out
}

// testBranches are what the other modules ask for that test files run.
func testBranches(t *config.Tree) []branch {
	var out []branch
	for _, f := range t.Tests {
		file := branch{text: f.Path().Key()}
		for _, r := range f.Runs {
			if r.Tree != nil {
				file.below = append(file.below, branch{"run." + r.Name, branches(r.Tree.Root)})
			}
		}
		out = append(out, file)
	}
	return out
}

// draw writes branches.
func draw(s *session.Session, list []branch, indent string) {
	for i, b := range list {
		next := indent + "│   "
		if i == len(list)-1 {
			next = indent + "    "
		}
		s.Print("%s%s%s\n", indent, twig(i == len(list)-1), b.text)
		draw(s, b.below, next)
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
		dir, tree, snapshot, diags := opened(ctx, s, vars, workdir.ConfigOptions{})
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		registry, more := dir.Providers(workdir.ProviderOptions{Tree: tree, State: snapshot, SchemasOnly: true})
		if diags = diags.With(more); more.HasErrors() {
			return s.Fail(diags)
		}
		defer registry.Close()
		all := map[addr.Provider]provider.Schemas{}
		for _, r := range install.Required(tree, install.InState(snapshot)) {
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
		if err != nil {
			s.Complain("%s\n", err)
			return 1
		}
		return s.Done(more.Errors())
	}
}
