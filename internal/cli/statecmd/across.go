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

// open finds the state that gives and the one that gets what is moved; getter is
// nil where they are one.
func (o Options) open(ctx context.Context, s *session.Session) (giver, getter *workdir.Storage, diags diag.List) {
	dir, diags := workdir.Open(s)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	dir.Vars = o.Paths.Vars
	here, there := o.Paths, o.Paths
	here.StateOut = ""
	there.State, there.StateOut, there.Backup = o.Paths.StateOut, "", o.BackupOut
	giver, more := dir.Storage(ctx, nil, here)
	if diags = diags.With(more); more.HasErrors() || o.Paths.StateOut == "" {
		return giver, nil, diags
	}
	getter, more = dir.Storage(ctx, nil, there)
	if diags = diags.With(more); !more.HasErrors() && getter.Same(giver) {
		getter = nil
	}
	return giver, getter, diags
}

// transfer moves from one state to another, which need not exist. The one that
// gets is stored first, so that whatever fails nothing is in neither.
func transfer(ctx context.Context, s *session.Session, giver, getter *workdir.Storage, o Options, dry bool, decide func(before, into *state.Snapshot) ([]state.Rebind, diag.List)) (diags diag.List, done bool) {
	from, diags := hold(ctx, giver, o)
	if diags.HasErrors() {
		return diags, false
	}
	defer func() { diags = diags.With(from.unlock()) }()
	if !from.Found() {
		s.Complain("%s", noState)
		return diags, false
	}
	into, more := hold(ctx, getter, o)
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

// hold locks and reads a state.
func hold(ctx context.Context, storage *workdir.Storage, o Options) (out side, diags diag.List) {
	out = side{Storage: storage, unlock: func() diag.List { return nil }}
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
