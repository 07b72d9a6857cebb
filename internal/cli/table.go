package cli

import (
	"context"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/format"
	"github.com/plumb-iac/plumb/internal/cli/initialise"
	"github.com/plumb-iac/plumb/internal/cli/inspect"
	"github.com/plumb-iac/plumb/internal/cli/operate"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/statecmd"
	"github.com/plumb-iac/plumb/internal/cli/test"
	"github.com/plumb-iac/plumb/internal/cli/verify"
	"github.com/plumb-iac/plumb/internal/cli/workspaces"
)

// table is all commands.
func table() []command.Command {
	return withExamples(slices.Concat(
		[]command.Command{
			initialise.Command(), operate.Validate(), operate.Plan(), operate.Apply(), operate.Destroy(), operate.Refresh(),
			operate.Console(), operate.Explain(), operate.Graph(), operate.Import(), operate.Query(), initialise.Get(), format.Command(), test.Command(),
		},
		inspect.Commands(),
		statecmd.Commands(),
		verify.Commands(),
		workspaces.Commands(),
		later,
	))
}

// later are the commands that are known and not built yet.
var later = []command.Command{
	notYet("login", "get and keep a token for a host"),
	notYet("logout", "forget the token for a host"),
	notYet("stacks", "work with stacks"),
	{
		Name: "push", Group: command.Hidden,
		About: "This command once uploaded configuration to a service that is no more.",
		New: func(f *command.Flags) command.Run {
			f.Any()
			return func(_ context.Context, s *session.Session, _ []string) int {
				return s.Fail(diag.List{diag.Err("Command \"plumb push\" is no longer supported",
					"It uploaded configuration to a service that is no more. A state is put into its place with \"plumb state push\".").By(diag.Operator)})
			}
		},
	},
}

func notYet(name, synopsis string) command.Command {
	return command.Command{
		Name: name, Args: "[options]", Synopsis: "Not available yet: " + synopsis,
		About: "This command is known from other programs of the family. This version of plumb does not have it yet.",
		New: func(f *command.Flags) command.Run {
			f.Any()
			return func(_ context.Context, s *session.Session, _ []string) int {
				return s.Fail(diag.List{diag.Err("Command not available",
					"This version of plumb does not have the command \""+name+"\" yet. Nothing was done.").By(diag.Engine)})
			}
		},
	}
}
