package statecmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
)

func replaceProvider() command.Command {
	return command.Command{
		Name: "state replace-provider", Gap: true, Args: "[options] FROM TO", Synopsis: "Record another provider for resources",
		About: `Records another provider for all resources of one provider: FROM and TO are source addresses such as hashicorp/aws. What exists remotely is not touched.`,
		New: func(f *command.Flags) command.Run {
			approve := f.Bool("auto-approve", false, "Don't ask for approval.")
			options := declareSurgery(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 2 {
					return s.Misused("Required argument missing", "Exactly two arguments expected: the present and the new source address.")
				}
				return runReplaceProvider(ctx, s, options(), *approve, args[0], args[1])
			}
		},
	}
}

func runReplaceProvider(ctx context.Context, s *session.Session, o Options, approve bool, fromText, toText string) int {
	from, err := addr.ParseProvider(fromText, addr.DefaultHost)
	to, err2 := addr.ParseProvider(toText, addr.DefaultHost)
	for _, e := range []error{err, err2} {
		if e != nil {
			return s.Fail(diag.List{diag.Err("Invalid provider source address", e.Error()+".").By(diag.Operator)})
		}
	}
	changed, declined := 0, false
	diags, done := edit(ctx, s, o, "state-replace-provider", false, func(before found) ([]state.Edit, diag.List) {
		edits, names := replacements(before.Snapshot, from, to)
		if changed = len(edits); changed == 0 {
			return nil, nil
		}
		s.Print(s.Style().Named("Plumb will perform the following actions:")+"\n\n  ~ Updating provider:\n    - %s\n    + %s\n\nChanging %d resources:\n\n  %s\n\n", from, to, changed, strings.Join(names, "\n  "))
		if approve {
			return edits, nil
		}
		answer, err := s.Ask(ctx, session.Question{Query: "Do you want to make these changes?", Description: "Only 'yes' will be accepted to continue."})
		if err != nil {
			return nil, diag.List{diag.Err("Error asking for approval: "+err.Error(), "The state was left as it is, because nobody said yes. Where nobody can be asked, use -auto-approve.").By(diag.Operator)}
		}
		if declined = answer != "yes"; declined {
			return nil, nil
		}
		return edits, nil
	})
	switch {
	case declined:
		s.Print("Cancelled replacing providers.\n")
	case done && changed == 0:
		s.Print("No matching resources found.\n")
	case done:
		s.Print("Successfully replaced provider for %d resources.\n", changed)
	}
	return finish(s, diags, done)
}

func replacements(s *state.Snapshot, from, to addr.Provider) (edits []state.Edit, names []string) {
	for r := range s.Resources() {
		config := r.Provider()
		if config.Provider != from {
			continue
		}
		config.Provider = to
		edits = append(edits, state.PutProvider{Resource: r.Addr(), Provider: config})
		names = append(names, fmt.Sprint(r.Addr()))
	}
	return edits, names
}
