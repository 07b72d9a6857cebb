package operate

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/engine/suite"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/internal/view/diagview"
)

// Validate is the row of validate.
func Validate() command.Command {
	return command.Command{
		Name: "validate", Args: "[options]", Group: command.Main,
		Synopsis: "Check the configuration on its own",
		About:    `Checks the configuration, with its tests, on its own: syntax, references, types, and what the providers have to say of their blocks. It asks for no state, no variables and nothing remote, so it can run anywhere.`,
		New: func(f *command.Flags) command.Run {
			noTests := f.Bool("no-tests", false, "Leave test files alone.")
			queries := f.Bool("query", false, "Check the query files (.tfquery.hcl), too.")
			tests := f.String("test-directory", "DIR", "", "Where tests are besides the working directory; the default is tests.")
			vars := inputs.Declare(f)
			return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
				if len(args) > 1 {
					return s.Misused("Too many command line arguments", "Expected at most one positional argument.")
				}
				dir, diags := named(args)
				if !diags.HasErrors() {
					diags = validate(ctx, s, vars, workdir.ConfigOptions{Dir: dir, Query: *queries, Tests: !*noTests, TestDir: *tests})
				}
				return verdict(s, diags, forms)
			})
		},
	}
}

// named is the directory that was named, "" for the working directory. Its
// modules and providers are those that are installed in the working directory.
func named(args []string) (string, diag.List) {
	if len(args) == 0 {
		return "", nil
	}
	if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
		return "", diag.List{diag.Err("Failed to read module directory", "The directory "+args[0]+" does not exist or cannot be read.").By(diag.Operator)}
	}
	return filepath.ToSlash(filepath.Clean(args[0])), nil
}

func verdict(s *session.Session, diags diag.List, forms command.Forms) int {
	var err error
	if forms.JSON != nil {
		err = diagview.Validate(forms.JSON, diags, s.Source)
	}
	switch {
	case !forms.Text:
	case diags.HasErrors():
		s.Report(diags)
	default:
		err = errors.Join(err, diagview.ValidateText(s.Stdout, diags, s.DiagOptions()))
	}
	if err != nil || diags.HasErrors() {
		return 1
	}
	return 0
}

func validate(ctx context.Context, s *session.Session, vars *inputs.Flags, o workdir.ConfigOptions) diag.List {
	given, diags := vars.Typed(s)
	if diags.HasErrors() {
		return diags
	}
	dir, more := workdir.Open(s)
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	o.Early = given.Early()
	tree, more := dir.Config(o)
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	if diags = diags.With(dir.CheckBackend(tree)); diags.HasErrors() {
		return diags
	}
	registry, more := dir.Providers(workdir.ProviderOptions{Tree: tree, Each: true})
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	defer registry.Close()
	workspace, _ := s.Workspace()
	options := engine.Options{
		Config: tree, Dialect: dir.Dialect, Providers: registry, Provisioners: workdir.Provisioners(s), Files: osfiles.Disk{},
		Now: s.Now, Workspace: workspace, WorkDir: s.Launch,
	}
	e := engine.New(options)
	defer e.Close()
	if diags = diags.With(e.Validate(ctx)); diags.HasErrors() || len(tree.Tests) == 0 {
		return diags
	}
	tests, _ := suite.New(suite.Options{Engine: options})
	return diags.With(tests.Validate(ctx))
}
