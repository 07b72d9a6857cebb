package statecmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
)

func mv(name string, group command.Group) command.Command {
	return command.Command{
		Name: name, Gap: true, InLines: true, Args: "[options] SOURCE DESTINATION", Synopsis: "Give something in the state another address", Group: group,
		About: `Gives what the state has at one address another address. Both are addresses of instances, of resources, or of modules. What exists remotely is not touched: the next plan compares it with the configuration of the new address.`,
		New: func(f *command.Flags) command.Run {
			dry := f.Bool("dry-run", false, "Only say what would be moved.")
			backupOut := f.String("backup-out", "FILE", "", "With -state-out, keep that state from before in this file.")
			options := declareSurgery(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 2 {
					return s.Misused("Required argument missing", "Exactly two arguments expected: the source and destination addresses.")
				}
				o := options()
				o.BackupOut = *backupOut
				return runMove(ctx, s, o, *dry, args[0], args[1])
			}
		},
	}
}

func runMove(ctx context.Context, s *session.Session, o Options, dry bool, from, to string) int {
	both, diags := parse([]string{from, to}, addr.ParseTarget)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	told := func(moves []state.Rebind, diags diag.List) ([]state.Rebind, diag.List) {
		if !diags.HasErrors() {
			verb := "Move"
			if dry {
				verb = "Would move"
			}
			s.Print("%s %q to %q\n", verb, from, to)
		}
		return moves, diags
	}
	giver, getter, diags := o.open(ctx, s)
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	var more diag.List
	var done bool
	if getter == nil {
		more, done = change(ctx, s, giver, o, "state-mv", dry, func(before found) ([]state.Edit, diag.List) {
			moves, diags := told(move(before.Snapshot, before.Snapshot, both[0], both[1]))
			return within(before.Snapshot, moves), diags
		})
	} else {
		more, done = transfer(ctx, s, giver, getter, o, dry, func(before, into *state.Snapshot) ([]state.Rebind, diag.List) {
			return told(move(before, into, both[0], both[1]))
		})
	}
	if done && !dry {
		s.Print("Successfully moved 1 object(s).\n")
	}
	return finish(s, diags.With(more), done)
}

func rm(name string, group command.Group) command.Command {
	return command.Command{
		Name: name, Gap: true, InLines: true, Args: "[options] ADDRESS...", Synopsis: "Forget instances", Group: group,
		About: `Makes plumb forget what the state has at the addresses, which may have wildcards ('aws_instance.web_*', '**.aws_iam_role.*'). What exists remotely stays, and nobody tracks it any more; to have it destroyed, remove it from the configuration and apply.`,
		New: func(f *command.Flags) command.Run {
			dry := f.Bool("dry-run", false, "Only say what would be removed.")
			options := declareSurgery(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) == 0 {
					return s.Misused("Required argument missing", "At least one address is required.")
				}
				return runRemove(ctx, s, options(), *dry, args)
			}
		},
	}
}

func runRemove(ctx context.Context, s *session.Session, o Options, dry bool, args []string) int {
	removed := 0
	diags, done := edit(ctx, s, o, "state-rm", dry, func(before found) ([]state.Edit, diag.List) {
		targets, diags := parse(args, addr.ParsePattern)
		if diags.HasErrors() {
			return nil, diags
		}
		edits, gone := drops(before, targets)
		if removed = len(gone); removed == 0 && dry {
			s.Print("Would have removed nothing.\n")
			return nil, nil
		}
		if removed == 0 {
			return nil, invalidTarget("No matching objects found. \"plumb state list\" shows the addresses of the instances.")
		}
		verb := "Removed"
		if dry {
			verb = "Would remove"
		}
		for _, at := range gone {
			s.Print("%s %s\n", verb, at)
		}
		return edits, nil
	})
	if done && !dry {
		s.Print("Successfully removed %d resource instance(s).\n", removed)
	}
	return finish(s, diags, done)
}

// drops are the edits that forget what targets name: objects, and operations
// whose outcome is not known. What is gone comes in the order of the targets.
func drops(s found, targets []addr.Target) (edits []state.Edit, gone []addr.AbsInstance) {
	selector := addr.NewSelector(targets)
	places := map[addr.AbsInstance]int{}
	takes := func(at addr.AbsInstance) bool {
		by := selector.Selecting(at)
		if len(by) > 0 {
			places[at] = by[0]
		}
		return len(by) > 0
	}
	for _, i := range s.unresolved {
		if !takes(i.Object.Instance) {
			continue
		}
		edits = append(edits, state.Settle{Object: i.Object})
		if s.Instance(i.Object.Instance) == nil {
			gone = append(gone, i.Object.Instance)
		}
	}
	for r := range s.Resources() {
		for i := range r.Instances() {
			at := r.Addr().Instance(i.Key())
			if !takes(at) {
				continue
			}
			gone = append(gone, at)
			for key := range i.Objects() {
				edits = append(edits, state.Drop{Object: addr.Object{Instance: at, Deposed: key}})
			}
		}
	}
	slices.SortStableFunc(gone, func(a, b addr.AbsInstance) int { return places[a] - places[b] })
	return edits, gone
}

func taint() command.Command { return taintCommand("taint", true) }

func untaint() command.Command { return taintCommand("untaint", false) }

func taintCommand(name string, tainted bool) command.Command {
	about := "Marks a resource instance as damaged: the next plan replaces it. Nothing is done to what exists remotely. The option -replace of plan does the same in one step."
	synopsis := "Mark an instance as damaged"
	if !tainted {
		about = "Takes the mark from a resource instance that \"taint\" or a failed creation put on it, so that it is not replaced."
		synopsis = "Take the mark from a damaged instance"
	}
	return command.Command{
		Name: name, Gap: true, InLines: true, Args: "[options] ADDRESS", Synopsis: synopsis, About: about,
		New: func(f *command.Flags) command.Run {
			allowMissing := f.Bool("allow-missing", false, "Succeed even when there is no such instance.")
			options := declareEdit(f)
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) != 1 {
					return s.Misused("Required argument missing", "The "+name+" command expects exactly one argument: the address of the resource to "+name+".")
				}
				o := options()
				o.AbsentIsEmpty = true
				return runTaint(ctx, s, o, *allowMissing, tainted, args[0])
			}
		},
	}
}

func runTaint(ctx context.Context, s *session.Session, o Options, allowMissing, tainted bool, text string) int {
	at, err := addr.ParseInstance(text)
	if err != nil {
		return s.Fail(diag.List{addr.Unparsable(err)})
	}
	verb, outcome := "taint", fmt.Sprintf("Resource instance %s has been marked as tainted.\n", at)
	if !tainted {
		verb, outcome = "untaint", fmt.Sprintf("Resource instance %s has been successfully untainted.\n", at)
	}
	if tainted && at.Resource.Mode != addr.Managed {
		s.Complain("Resource instance %s cannot be tainted\n", at)
		return 1
	}
	diags, done := edit(ctx, s, o, verb, false, func(before found) ([]state.Edit, diag.List) {
		i := before.Instance(at)
		switch {
		case i == nil || i.Current() == nil:
			outcome = ""
			return nil, missing(at, allowMissing)
		case !tainted && i.Current().Status != state.Tainted:
			return nil, diag.List{diag.Err("Resource instance is not tainted", fmt.Sprintf("The instance %s has no such mark, so there is nothing to remove.", at)).By(diag.Operator)}
		}
		return []state.Edit{state.Taint{Instance: at, Tainted: tainted}}, nil
	})
	if done && !diags.HasErrors() {
		s.Print("%s", outcome)
	}
	return finish(s, diags, done)
}

func missing(at addr.AbsInstance, allowed bool) diag.List {
	if allowed {
		return diag.List{diag.Warn("No such resource instance", fmt.Sprintf("There is no resource instance %s in the state. That is no error because of -allow-missing.", at))}
	}
	return diag.List{diag.Err("No such resource instance", fmt.Sprintf("There is no resource instance %s in the state. One that is new in the configuration gets there when it is created: run \"plumb apply\" first.", at)).By(diag.Operator)}
}
