package workspaces

import (
	"context"
	"slices"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
)

// Commands are the rows of this family, under its present and its old name.
func Commands() []command.Command {
	out := family("workspace", command.Other, "")
	old := family("env", command.Hidden, "The name \"env\" is old: use \"plumb workspace\".\n\n")
	for i := range old {
		if work := old[i].New; work != nil {
			old[i].New = func(f *command.Flags) command.Run { return outdated(work(f)) }
		}
	}
	return append(out, old...)
}

// outdated warns of the old name of a command before it runs.
func outdated(run command.Run) command.Run {
	return func(ctx context.Context, s *session.Session, args []string) int {
		s.Report(diag.List{diag.Warn("The \"plumb env\" family of commands is deprecated",
			"Its commands are those of \"plumb workspace\", by which they should be called.")})
		return run(ctx, s, args)
	}
}

func family(name string, group command.Group, old string) []command.Command {
	rows := []command.Command{
		{Name: name, Args: "<subcommand> [options] [args]", Synopsis: "Keep several states for one configuration", Family: true,
			About: "A workspace is a state of its own for the same configuration. Which one is used is remembered in the data directory."},
		{Name: name + " list", Args: "[options]", Synopsis: "List the workspaces", New: list,
			About: "Lists the workspaces and marks the selected one."},
		{Name: name + " show", Synopsis: "Name the selected workspace", New: show,
			About: "Writes the name of the selected workspace."},
		{Name: name + " new", InLines: true, Args: "[options] NAME", Synopsis: "Create a workspace and select it", New: create,
			About: "Creates a workspace and selects it."},
		{Name: name + " select", InLines: true, Args: "[options] NAME", Synopsis: "Select a workspace", New: choose,
			About: "Selects a workspace for the next commands."},
		{Name: name + " delete", InLines: true, Args: "[options] NAME", Synopsis: "Delete a workspace", New: remove,
			About: "Deletes a workspace and its state. One that tracks objects is only deleted with -force: the objects stay, and nobody tracks them any more."},
	}
	for i := range rows {
		rows[i].Group, rows[i].Gap = group, true
		rows[i].About = old + rows[i].About
	}
	return rows
}

func show(*command.Flags) command.Run {
	return func(_ context.Context, s *session.Session, _ []string) int {
		if diags := s.CheckWorkspace(); diags != nil {
			return s.Fail(diags)
		}
		name, _ := s.Workspace()
		s.Print("%s\n", name)
		return 0
	}
}

func list(f *command.Flags) command.Run {
	asJSON := f.Bool("json", false, "Write JSON.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		if len(args) > 0 {
			return s.Misused("Too many command line arguments", "The workspaces are those of the working directory, which -chdir selects.")
		}
		names, diags := workdir.Workspaces(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		s.Report(diags)
		current, overridden := s.Workspace()
		if *asJSON {
			return listJSON(s, names, current)
		}
		for _, n := range names {
			mark := "  "
			if n == current {
				mark = "* "
			}
			s.Print("%s%s\n", mark, n)
		}
		s.Print("\n")
		if overridden {
			s.Print("\nThe environment variable TF_WORKSPACE overrides the selected workspace.\n")
		}
		return 0
	}
}

// holding are the flags about the lock.
type holding struct {
	lock    *bool
	timeout *time.Duration
}

func declareHolding(f *command.Flags) holding {
	return holding{
		f.Bool("lock", true, "Don't hold the state's lock."),
		f.Duration("lock-timeout", 0, "How long to wait for a lock that another holds."),
	}
}

func create(f *command.Flags) command.Run {
	from := f.String("state", "FILE", "", "Begin with a copy of this state file.")
	hold := declareHolding(f)
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		name, ok := nameIn(s, args)
		if !ok {
			return 1
		}
		if _, overridden := s.Workspace(); overridden {
			s.Complain("\nThe environment variable TF_WORKSPACE decides the workspace, so a new one would\nnot be used. Unset it, or give it the new name, and run this command again.\n\n")
			return 1
		}
		names, diags := workdir.Workspaces(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		if slices.Contains(names, name) {
			s.Complain("Workspace %q already exists\n", name)
			return 1
		}
		return begin(ctx, s, vars, name, *from, hold)
	}
}

// begin creates a workspace, selects it and says so.
func begin(ctx context.Context, s *session.Session, vars *inputs.Flags, name, from string, hold holding) int {
	if diags := workdir.CreateWorkspace(ctx, s, vars, name, from, *hold.lock, *hold.timeout); diags.HasErrors() {
		return s.Fail(diags)
	}
	if err := s.SelectWorkspace(name); err != nil {
		s.Complain("The selection cannot be remembered: %s\n", err)
		return 1
	}
	s.Print("Created and switched to workspace %q!\n\n", name)
	if from != "" {
		s.Print("It has the state that %s had. From now on that and the state of the workspace are\napart, and both manage the same objects.\n", from)
		return 0
	}
	s.Print("The new workspace is empty: its state is apart from that of the others, so the\nnext plan knows nothing of what exists in them.\n")
	return 0
}

func choose(f *command.Flags) command.Run {
	orCreate := f.Bool("or-create", false, "Create the workspace if it doesn't exist.")
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		name, ok := nameIn(s, args)
		if !ok {
			return 1
		}
		current, overridden := s.Workspace()
		if overridden {
			s.Complain("\nThe environment variable TF_WORKSPACE decides the workspace. Unset or change it\nto use another one.\n\n")
			return 1
		}
		if name == current {
			return 0
		}
		names, diags := workdir.Workspaces(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		if !slices.Contains(names, name) {
			if *orCreate {
				yes, none := true, time.Duration(0)
				return begin(ctx, s, vars, name, "", holding{&yes, &none})
			}
			return nonexistent(s, name, "Create it with \"plumb workspace new\", or with the option -or-create of select.")
		}
		if err := s.SelectWorkspace(name); err != nil {
			s.Complain("The selection cannot be remembered: %s\n", err)
			return 1
		}
		s.Print("Switched to workspace %q.\n", name)
		return 0
	}
}

func nonexistent(s *session.Session, name, advice string) int {
	s.Complain("\nWorkspace %q doesn't exist.\n\n%s\n", name, advice)
	return 1
}

// nameIn is the single argument, checked to be a name.
func nameIn(s *session.Session, args []string) (string, bool) {
	if len(args) != 1 {
		s.Misused("Required argument missing", "Expected a single argument: NAME.")
		return "", false
	}
	if !session.ValidWorkspace(args[0]) {
		s.Complain("\nThe workspace name %q is not allowed: it becomes a part of paths and URLs, so it\ncan have letters, digits and the characters - _ . ~ only.\n\n", args[0])
		return "", false
	}
	return args[0], true
}
