package statecmd

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/state"
)

// side is one of two states between which something is moved.
type side struct {
	*workdir.Storage
	before *state.Snapshot
	unlock func() diag.List
}

// sides are the paths of the state that gives and of the one that gets.
func (o Options) sides() (here, there workdir.StatePaths) {
	here, there = o.Paths, o.Paths
	here.StateOut, there.State, there.StateOut, there.Backup = "", o.Paths.StateOut, "", o.BackupOut
	return here, there
}

// together says whether -state-out names the file that the state is in.
func together(ctx context.Context, s *session.Session, o Options) bool {
	here, there := o.sides()
	from, diags := workdir.OpenStorage(ctx, s, here)
	into, more := workdir.OpenStorage(ctx, s, there)
	return !diags.HasErrors() && !more.HasErrors() && from.Same(into)
}

// transfer moves from the state to that of -state-out, which need not exist. The
// one that gets is stored first, so that whatever fails nothing is in neither.
func transfer(ctx context.Context, s *session.Session, o Options, dry bool, decide func(before, into *state.Snapshot) ([]state.Rebind, diag.List)) (diags diag.List, done bool) {
	here, there := o.sides()
	from, diags := openSide(ctx, s, here, o)
	if diags.HasErrors() {
		return diags, false
	}
	defer func() { diags = diags.With(from.unlock()) }()
	if !from.Found() {
		s.Complain("%s", noState)
		return diags, false
	}
	into, more := openSide(ctx, s, there, o)
	if diags = diags.With(more); more.HasErrors() {
		return diags, false
	}
	defer func() { diags = diags.With(into.unlock()) }()
	moves, more := decide(from.before, into.before)
	if diags = diags.With(more); more.HasErrors() || dry {
		return diags, !more.HasErrors()
	}
	lost, got := across(from.before, moves)
	if diags, done = write(ctx, into.Storage, into.before, got, diags); !done {
		return diags, false
	}
	if diags, done = write(ctx, from.Storage, from.before, lost, diags); !done {
		diags = diags.Append(diag.Err("Objects are in two states",
			"What was moved is in "+o.Paths.StateOut+" now, and could not be taken out of where it was, for the reason given above. Mend the cause, then forget it there with \"plumb state rm\", or else both states manage the same objects.").By(diag.Operator))
	}
	return diags, done
}

// openSide finds, locks and reads a state.
func openSide(ctx context.Context, s *session.Session, paths workdir.StatePaths, o Options) (side, diag.List) {
	storage, diags := workdir.OpenStorage(ctx, s, paths)
	if diags.HasErrors() {
		return side{}, diags
	}
	out := side{Storage: storage, unlock: func() diag.List { return nil }}
	if !o.NoLock {
		unlock, more := storage.Lock(ctx, "state-mv", o.LockTimeout)
		if diags = diags.With(more); more.HasErrors() {
			return out, diags
		}
		out.unlock = unlock
	}
	before, more := storage.Read(ctx)
	out.before = before
	if diags = diags.With(more); diags.HasErrors() {
		return out, diags.With(out.unlock())
	}
	return out, diags
}
