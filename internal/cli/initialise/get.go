package initialise

import (
	"context"

	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/install"
)

// Get is the row of get.
func Get() command.Command {
	return command.Command{
		Name: "get", InLines: true, Args: "[options]", Synopsis: "Install the modules that are called",
		About: `Installs the modules that the configuration calls, as init does, and nothing else.`,
		New: func(f *command.Flags) command.Run {
			update := f.Bool("update", false, "Fetch modules again that are there already.")
			tests := f.String("test-directory", "DIR", "", "Where tests are besides the working directory; the default is tests.")
			vars := inputs.Declare(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments. Did you mean to use -chdir?", "")
				}
				given, diags := vars.Collect(s, ".")
				if diags.HasErrors() {
					return s.Fail(diags)
				}
				dir, more := workdir.Open(s)
				if diags = diags.With(more); more.HasErrors() {
					return s.Fail(diags)
				}
				_, more = dir.Install(ctx, workdir.InstallOptions{Early: given.Early(), Upgrade: *update, TestDir: *tests, Observe: func(e install.Event) { s.Print("%s\n", e) }})
				return s.Done(diags.With(more))
			}
		},
	}
}
