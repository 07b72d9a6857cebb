package statecmd

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/state"
)

// Commands are the rows of this family.
func Commands() []command.Command {
	return []command.Command{
		{Name: "state", Args: "<subcommand> [options] [args]", Synopsis: "Look at the state and mend it", Family: true, Gap: true,
			About: "These commands look at the state and mend it by hand. A local state is copied to a backup before it is changed."},
		list("state list", command.Other), list("state ls", command.Hidden),
		show(),
		mv("state mv", command.Other), mv("state move", command.Hidden),
		rm("state rm", command.Other), rm("state remove", command.Hidden),
		pull(), push(), replaceProvider(), identities(),
		taint(), untaint(), forceUnlock(),
	}
}

func show() command.Command {
	return command.Command{
		Name: "state show", Args: "[options] ADDRESS", Synopsis: "Show an instance in the state",
		About: `Shows the attributes of one resource instance in the state.`,
		New: func(f *command.Flags) command.Run {
			options := declareState(f)
			f.Old("show-sensitive")
			return command.InForms(f, func(ctx context.Context, s *session.Session, args []string, forms command.Forms) int {
				if len(args) != 1 {
					return s.Misused("Required argument missing", "Exactly one argument expected: the address of a resource instance to show.")
				}
				return runShow(ctx, s, options(), forms, args[0])
			})
		},
	}
}

func runShow(ctx context.Context, s *session.Session, o Options, forms command.Forms, text string) int {
	at, err := addr.ParseInstance(text)
	if err != nil {
		return s.Fail(diag.List{diag.Err("Error parsing instance address: "+text, err.Error()+".").By(diag.Operator)})
	}
	snapshot := read(ctx, s, o)
	if snapshot == nil {
		return 1
	}
	schemas, done, diags := schemasOf(ctx, s, snapshot)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	defer done()
	if outdated := workdir.Outdated(alone(snapshot, at), schemas); outdated != nil {
		return s.Fail(outdated)
	}
	found := false
	if forms.JSON != nil {
		found, err = planjson.WriteInstance(forms.JSON, snapshot, at, schemas)
	}
	if forms.Text && err == nil {
		found, err = stateview.Instance(s.Stdout, snapshot, at, schemas, s.Style())
	}
	switch {
	case err != nil:
		return s.Fail(diag.List{diag.Err("Failed to show the instance", err.Error()).By(diag.Engine)})
	case !found:
		return s.Fail(diag.List{diag.Err("No instance found for the given address!", "The address has to be that of one instance in the state. \"plumb state list\" shows the addresses.").By(diag.Operator)})
	}
	return 0
}

// schemasOf gives the schemas of what a state holds; what is not installed has
// none.
func schemasOf(ctx context.Context, s *session.Session, snapshot *state.Snapshot) (planjson.Schemas, func(), diag.List) {
	dir, diags := workdir.Open(s)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	registry, more := dir.Providers(workdir.ProviderOptions{State: snapshot, SchemasOnly: true, Lenient: true})
	if diags = diags.With(more); more.HasErrors() {
		return nil, nil, diags
	}
	return workdir.Schemas(ctx, registry), registry.Close, diags
}

// alone is a state with no object but the current one of an instance.
func alone(s *state.Snapshot, at addr.AbsInstance) *state.Snapshot {
	i := s.Instance(at)
	if i == nil || i.Current() == nil {
		return nil
	}
	only, err := state.New("").Apply(state.Put{Object: addr.Object{Instance: at}, Provider: i.Provider(), New: i.Current()})
	if err != nil {
		return nil
	}
	return only
}
