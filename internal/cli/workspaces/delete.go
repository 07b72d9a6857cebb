package workspaces

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/state"
)

func remove(f *command.Flags) command.Run {
	force := f.Bool("force", false, "Delete a workspace even if it tracks objects.")
	hold := declareHolding(f)
	vars := inputs.Declare(f)
	return func(ctx context.Context, s *session.Session, args []string) int {
		name, ok := nameIn(s, args)
		if !ok {
			return 1
		}
		names, diags := workdir.Workspaces(ctx, s, vars)
		if diags.HasErrors() {
			return s.Fail(diags)
		}
		current, _ := s.Workspace()
		switch {
		case !slices.Contains(names, name):
			return nonexistent(s, name, "\"plumb workspace list\" names those that do.")
		case name == current:
			s.Complain("Workspace %q is your active workspace.\n\nSelect another one before you delete it.\n", name)
			return 1
		case name == session.DefaultWorkspace:
			s.Complain("The default workspace always exists and cannot be deleted.\n")
			return 1
		}
		return drop(ctx, s, vars, name, *force, hold)
	}
}

func drop(ctx context.Context, s *session.Session, vars *inputs.Flags, name string, force bool, hold holding) int {
	storage, diags := workdir.OpenStorage(ctx, s, workdir.StatePaths{Workspace: name, Vars: vars, Looks: true})
	if diags.HasErrors() {
		return s.Fail(diags)
	}
	unlock := func() diag.List { return nil }
	if *hold.lock {
		var more diag.List
		if unlock, more = storage.Lock(ctx, "workspace-delete", *hold.timeout); more.HasErrors() {
			return s.Fail(more)
		}
	}
	snapshot, more := storage.Read(ctx)
	tracked := tracking(snapshot)
	if more.HasErrors() || len(tracked) > 0 && !force {
		s.Report(unlock())
		return s.Fail(more.With(notEmpty(name, tracked)))
	}
	s.Report(unlock())
	if diags := workdir.DeleteWorkspace(ctx, s, vars, name); diags.HasErrors() {
		return s.Fail(diags)
	}
	s.Print("Deleted workspace %q!\n", name)
	if len(tracked) > 0 {
		s.Print("WARNING: %q was non-empty.\nWhat it tracked may still exist, and nobody tracks it any more.\n\n", name)
	}
	return 0
}

// tracking are the managed instances of a state.
func tracking(s *state.Snapshot) []string {
	var out []string
	if s == nil {
		return nil
	}
	for r := range s.Resources() {
		for i := range r.Instances() {
			if r.Addr().Resource.Mode == addr.Managed {
				out = append(out, r.Addr().Instance(i.Key()).String())
			}
		}
	}
	return out
}

func notEmpty(name string, tracked []string) diag.List {
	if len(tracked) == 0 {
		return nil
	}
	return diag.List{diag.Err("Workspace is not empty",
		"Workspace \""+name+"\" tracks these resource instances:\n  - "+strings.Join(tracked, "\n  - ")+
			"\n\nIf it is deleted, plumb loses track of them, and removing them is manual work. Destroy them first, or use -force to have them forgotten.").By(diag.Operator)}
}

func listJSON(s *session.Session, names []string, current string) int {
	type workspace struct {
		Name      string `json:"name"`
		IsCurrent bool   `json:"is_current"`
	}
	out := struct {
		Format      string      `json:"format_version"`
		Workspaces  []workspace `json:"workspaces"`
		Diagnostics []struct{}  `json:"diagnostics"`
	}{"1.0", []workspace{}, []struct{}{}}
	for _, n := range names {
		out.Workspaces = append(out.Workspaces, workspace{n, n == current})
	}
	b, err := json.Marshal(out)
	if err != nil {
		s.Complain("%s\n", err)
		return 1
	}
	s.Print("%s\n", b)
	return 0
}
