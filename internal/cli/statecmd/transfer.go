package statecmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

func pull() command.Command {
	return command.Command{
		Name: "state pull", Machine: true, Gap: true, Args: "[options]", Synopsis: "Write the state to the standard output",
		About: `Writes the state to the standard output, in the present version of its format.`,
		New: func(f *command.Flags) command.Run {
			vars := inputs.Declare(f)
			return func(ctx context.Context, s *session.Session, _ []string) int {
				storage, diags := workdir.OpenStorage(ctx, s, workdir.StatePaths{Vars: vars})
				if diags.HasErrors() {
					return s.Fail(diags)
				}
				snapshot, more := storage.Read(ctx)
				if diags = diags.With(more); diags.HasErrors() || !storage.Found() {
					return s.Done(diags)
				}
				s.Report(diags)
				if err := v4.Write(s.Stdout, snapshot, v4.Options{Version: s.Language}); err != nil {
					s.Complain("%s\n", err)
					return 1
				}
				s.Print("\n")
				return 0
			}
		},
	}
}

func push() command.Command {
	return command.Command{
		Name: "state push", Gap: true, InLines: true, Args: "[options] PATH", Synopsis: "Replace the stored state by that of a file",
		About: `Replaces the stored state by that of a file, or of the standard input when PATH is "-". A state of another lineage or with a lower serial is refused unless -force is given.`,
		New: func(f *command.Flags) command.Run {
			force := f.Bool("force", false, "Write even when the lineage differs or the stored serial is higher.")
			options := declareEdit(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 1 {
					return s.Misused("Required argument missing", "Exactly one argument expected: the path of a state file, or - for the standard input.")
				}
				return runPush(ctx, s, options(), *force, args[0])
			}
		},
	}
}

func runPush(ctx context.Context, s *session.Session, o Options, force bool, path string) (status int) {
	src, err := source(s, path)
	if err != nil {
		s.Complain("%s\n", err)
		return 1
	}
	if len(bytes.TrimSpace(src)) == 0 {
		s.Complain("Error reading source state %q: no state\n\nThere is nothing in it. The stored state was left as it is.\n", path)
		return 1
	}
	storage, diags := workdir.OpenStorage(ctx, s, o.Paths)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	next, diags := storage.Parse(ctx, src)
	if diags.HasErrors() {
		s.Complain("Error reading source state %q:\n", path)
		return s.Fail(diags)
	}
	if !o.NoLock {
		unlock, more := storage.Lock(ctx, "state-push", o.LockTimeout)
		if more.HasErrors() {
			return s.Fail(more)
		}
		defer func() { status = max(status, s.Done(unlock())) }()
	}
	present, more := storage.Read(ctx)
	if more.HasErrors() {
		return s.Fail(more)
	}
	if why := unfit(present, next); why != "" && !force && storage.Found() {
		s.Complain("Failed to write state: %s\n", why)
		return 1
	}
	if err := storage.Put(ctx, next); err != nil {
		return s.Fail(diag.List{diag.Err("Failed to save the state", err.Error()).By(diag.Operator)})
	}
	return 0
}

func source(s *session.Session, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(s.Lines())
	}
	return os.ReadFile(path)
}

// unfit says why a state should not replace another.
func unfit(present, next *state.Snapshot) string {
	switch {
	case present.Lineage() != "" && present.Lineage() != next.Lineage():
		return fmt.Sprintf("cannot import state with lineage %q over unrelated state with lineage %q", next.Lineage(), present.Lineage())
	case present.Serial() > next.Serial():
		return fmt.Sprintf("cannot import state with serial %d over newer state with serial %d", next.Serial(), present.Serial())
	case present.Serial() == next.Serial() && !present.Equal(next):
		return fmt.Sprintf("cannot overwrite existing state with serial %d with a different state that has the same serial", present.Serial())
	}
	return ""
}

func forceUnlock() command.Command {
	return command.Command{
		Name: "force-unlock", Args: "[options] LOCK_ID", Synopsis: "Remove a lock that was left behind",
		About: `Removes the lock on the state of the selected workspace. Do it only when you know that whoever took the lock is gone. The message about the lock has its id.`,
		New: func(f *command.Flags) command.Run {
			force := f.Bool("force", false, "Don't ask for confirmation.")
			vars := inputs.Declare(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 1 {
					return s.Misused("Required argument missing", "Expected a single argument: LOCK_ID.")
				}
				return runUnlock(ctx, s, vars, *force, args[0])
			}
		},
	}
}

func runUnlock(ctx context.Context, s *session.Session, vars *inputs.Flags, force bool, id string) int {
	storage, diags := workdir.OpenStorage(ctx, s, workdir.StatePaths{Vars: vars})
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	if !force {
		answer, err := s.Ask(ctx, session.Question{Query: "Do you really want to force-unlock?", Description: "The lock is removed from the state, whoever holds it.\nOther commands on the same state can then run at the same time and damage it.\nOnly 'yes' will be accepted to confirm."})
		if err != nil || answer != "yes" {
			s.Print("force-unlock cancelled.\n")
			return 1
		}
	}
	if err := storage.ForceUnlock(ctx, id); err != nil {
		s.Complain("Failed to unlock state: %s\n", err)
		return 1
	}
	s.Print("%s\n\nOther commands can take the lock again.\n", s.Style().Named("Plumb state has been successfully unlocked!"))
	return 0
}
