package workdir

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
)

// copying is a state that is to be copied.
type copying struct {
	*state.Snapshot
	to *Storage
}

// take copies the states of all workspaces to a new place, with consent.
func (d *Dir) take(ctx context.Context, from, to *Place, o SetUpOptions) diag.List {
	if from == nil {
		from = &Place{Type: "local"}
	} else if !o.Migrate && !o.ForceCopy {
		return diag.List{diag.Err("Backend configuration changed",
			"The backend block is not the one that was set up. To copy the state to where it says, run \"plumb init -migrate-state\". To use it and leave the state where it is, run \"plumb init -reconfigure\".").By(diag.Operator)}
	} else {
		d.S.Print("Backend configuration changed!\n\nThe backend block is not the one that was set up. Looking for states in both\nplaces.\n\n")
	}
	if to == nil {
		to = &Place{Type: "local"}
	}
	if same(from, to) {
		return nil
	}
	how := d.crypt.State()
	source, diags := d.open(ctx, *from, StatePaths{}, how)
	target, more := d.open(ctx, *to, StatePaths{}, how)
	if diags = diags.With(more); diags.HasErrors() {
		return diags
	}
	routes, diags := d.routes(ctx, source, target)
	if diags.HasErrors() {
		return diags
	}
	for _, r := range routes {
		if !r.needed(ctx) {
			continue
		}
		unlock, more := r.lock(ctx, o)
		defer unlock()
		if diags = diags.With(more); more.HasErrors() {
			return diags
		}
	}
	agreed, more := d.agree(ctx, routes, o.ForceCopy)
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	for _, c := range agreed {
		if err := c.to.Put(ctx, c.Snapshot); err != nil {
			return diags.Append(diag.Err("Failed to copy the state", err.Error()).By(diag.Operator))
		}
	}
	return diags.With(d.settleWorkspace(target))
}

// route is the way of a workspace's state to another place. It gets another name
// where that place has one workspace only.
type route struct {
	workspace string
	from, to  *Storage
}

// routes are those of all workspaces, or where the new place keeps one state that
// of the selected one.
func (d *Dir) routes(ctx context.Context, source, target backend.Backend) ([]route, diag.List) {
	names, diags := source.Workspaces(ctx)
	if target.Multiple() {
		var out []route
		for _, n := range names {
			out = append(out, route{n, d.storage(source.Store(n)), d.storage(target.Store(n))})
		}
		return out, diags
	}
	selected, _ := d.S.Workspace()
	if !slices.Contains(names, selected) {
		selected = backend.DefaultWorkspace
	}
	if len(names) > 1 {
		left := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == selected })
		diags = diags.Append(diag.Warn("States of other workspaces stay where they are",
			fmt.Sprintf("The new backend keeps one state. It gets that of the workspace %q, which is selected, under the name \"default\". What these have stays in the old place: %s.", selected, strings.Join(left, ", "))).By(diag.Operator))
	}
	return []route{{selected, d.storage(source.Store(selected)), d.storage(target.Store(backend.DefaultWorkspace))}}, diags
}

// needed says whether there is something to copy, or that this cannot be known:
// agree says why.
func (r route) needed(ctx context.Context) bool {
	s, diags := r.from.Read(ctx)
	return diags.HasErrors() || r.from.Found() && !s.Empty()
}

// lock takes the locks of both ends.
func (r route) lock(ctx context.Context, o SetUpOptions) (unlock func(), diags diag.List) {
	if o.NoLock {
		return func() {}, nil
	}
	first, diags := r.from.Lock(ctx, "migration source state", o.LockTimeout)
	if diags.HasErrors() {
		return func() {}, diags
	}
	second, more := r.to.Lock(ctx, "migration destination state", o.LockTimeout)
	return func() { r.from.s.Report(second()); r.from.s.Report(first()) }, diags.With(more)
}

// settleWorkspace selects the one workspace of a backend that has no other.
func (d *Dir) settleWorkspace(target backend.Backend) diag.List {
	name, overridden := d.S.Workspace()
	if target.Multiple() || overridden || name == backend.DefaultWorkspace {
		return nil
	}
	if err := d.S.SelectWorkspace(backend.DefaultWorkspace); err != nil {
		return diag.List{diag.Err("The selection of the workspace cannot be remembered", err.Error()).By(diag.Operator)}
	}
	return nil
}

// agree finds the states that are to be copied, and asks about each unless that is
// forced. Nothing is copied before all answers are known.
func (d *Dir) agree(ctx context.Context, routes []route, forced bool) (agreed []copying, diags diag.List) {
	for _, r := range routes {
		before, more := r.from.Read(ctx)
		there, more2 := r.to.Read(ctx)
		diags = diags.With(more).With(more2)
		if diags.HasErrors() {
			return nil, diags
		}
		if !r.from.Found() || before.Empty() || there.Lineage() == before.Lineage() && there.Serial() >= before.Serial() {
			continue
		}
		if !forced {
			yes, problem := d.consent(ctx, r.workspace, r.to.Found())
			if problem != nil {
				return nil, diags.Append(*problem)
			}
			if !yes {
				continue
			}
		}
		agreed = append(agreed, copying{before, r.to})
	}
	return agreed, diags
}

// consent asks whether to copy the state of a workspace. Not to be able to ask is
// no answer.
func (d *Dir) consent(ctx context.Context, workspace string, there bool) (bool, *diag.Diag) {
	if !d.S.InputAllowed() {
		problem := diag.Err("Can't ask approval for state migration when interactive input is disabled.",
			"The state of the workspace \""+workspace+"\" is kept elsewhere so far, and nobody may be asked whether to copy it. Give -force-copy to copy it, or -reconfigure to leave it where it is. Nothing was changed.").By(diag.Operator)
		return false, &problem
	}
	what := "The state of the workspace \"" + workspace + "\" is kept elsewhere so far."
	if there {
		what += "\nThere is another state in the new place, which would be replaced."
	}
	answer, err := d.S.Ask(ctx, session.Question{Query: "Do you want to copy existing state to the new backend?", Description: what + "\nEnter \"yes\" to copy and \"no\" to leave it."})
	if err != nil {
		problem := diag.Err("Error asking for approval: "+err.Error(), "Nobody said whether to copy the state. Give -force-copy to copy it, or -reconfigure to leave it where it is. Nothing was changed.").By(diag.Operator)
		return false, &problem
	}
	return answer == "yes", nil
}
