package statecmd

import (
	"context"
	"slices"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/internal/cli/workdir"
	"github.com/plumb-iac/plumb/state"
)

// Options are the flags that say where the state is and how to hold it.
type Options struct {
	Paths       workdir.StatePaths
	NoLock      bool
	LockTimeout time.Duration
	// AbsentIsEmpty takes a state that is not there for one that holds nothing;
	// else that is a failure of its own.
	AbsentIsEmpty bool
	// BackupOut is where the state from before goes, of the file that gets what is
	// moved out of another one; "" for the usual place.
	BackupOut string
}

// declareState adds the flags of commands that read a state.
func declareState(f *command.Flags) func() Options {
	path := f.String("state", "FILE", "", "Use this local state file instead of the configured one.")
	vars := inputs.Declare(f)
	return func() Options { return Options{Paths: workdir.StatePaths{State: *path, Vars: vars, FileMeant: true}} }
}

// declareSurgery adds the flags of commands that give the state another shape. They
// are run one after the other, and each keeps a backup of its own.
func declareSurgery(f *command.Flags) func() Options {
	options := declareEdit(f)
	return func() Options {
		o := options()
		o.Paths.BackupApart = true
		return o
	}
}

// declareEdit adds the flags of commands that change a state.
func declareEdit(f *command.Flags) func() Options {
	read := declareState(f)
	out := f.String("state-out", "FILE", "", "Write the state to this file. \"state mv\" moves from the state into that of this file.")
	backup := f.String("backup", "FILE", "", "Keep the state from before in this file.")
	lock := f.Bool("lock", true, "Don't hold the state's lock.")
	timeout := f.Duration("lock-timeout", 0, "How long to wait for a lock that another holds.")
	f.Old("ignore-remote-version")
	return func() Options {
		o := read()
		o.Paths.StateOut, o.Paths.Backup = *out, *backup
		o.NoLock, o.LockTimeout = !*lock, *timeout
		return o
	}
}

// noState is what people are told where there is no state.
const noState = `No state file was found!

Commands about the state need one. Run them in a directory where plumb has
created something, or say where the state is with -state.
`

// read gives the stored state; nil where there is none, which was said.
func read(ctx context.Context, s *session.Session, o Options) *state.Snapshot {
	o.Paths.Looks = true
	storage, diags := workdir.OpenStorage(ctx, s, o.Paths)
	if diags.HasErrors() {
		s.Report(diags)
		return nil
	}
	snapshot, more := storage.Read(ctx)
	if diags = diags.With(more); diags.HasErrors() {
		s.Report(diags)
		return nil
	}
	if !storage.Found() {
		s.Complain("%s", noState)
		return nil
	}
	return snapshot
}

// found is a state with the operations of earlier runs whose outcome is not
// known.
type found struct {
	*state.Snapshot
	unresolved []state.Intent
}

// decision says what to do to a state. An operation that an edit settles is not
// on record any more.
type decision func(found) ([]state.Edit, diag.List)

// edit changes the state that the options name.
func edit(ctx context.Context, s *session.Session, o Options, operation string, dry bool, decide decision) (diags diag.List, done bool) {
	storage, diags := workdir.OpenStorage(ctx, s, o.Paths)
	if diags.HasErrors() {
		return diags, false
	}
	more, done := change(ctx, s, storage, o, operation, dry, decide)
	return diags.With(more), done
}

// change locks a state, decides on what it holds, and writes the result. When dry,
// it stops before writing.
func change(ctx context.Context, s *session.Session, storage *workdir.Storage, o Options, operation string, dry bool, decide decision) (diags diag.List, done bool) {
	if !o.NoLock {
		unlock, more := storage.Lock(ctx, operation, o.LockTimeout)
		if diags = diags.With(more); more.HasErrors() {
			return diags, false
		}
		defer func() { diags = diags.With(unlock()) }()
	}
	before, more := storage.Read(ctx)
	if diags = diags.With(more); more.HasErrors() {
		return diags, false
	}
	if !storage.Found() && !o.AbsentIsEmpty {
		s.Complain("%s", noState)
		return diags, false
	}
	edits, more := decide(found{before, storage.Unresolved()})
	if diags = diags.With(more); more.HasErrors() || dry || len(edits) == 0 {
		return diags, !more.HasErrors()
	}
	return write(ctx, storage, before, edits, diags)
}

func write(ctx context.Context, storage *workdir.Storage, before *state.Snapshot, edits []state.Edit, diags diag.List) (diag.List, bool) {
	after, err := before.Apply(edits...)
	if err != nil {
		return diags.Append(diag.Err("The state cannot be changed in this way", err.Error()).By(diag.Engine)), false
	}
	var settled []addr.Object
	for _, e := range edits {
		if x, is := e.(state.Settle); is {
			settled = append(settled, x.Object)
		}
	}
	if err := storage.Replace(ctx, before, after, settled...); err != nil {
		return diags.Append(diag.Err("Failed to save the state", err.Error()).By(diag.Operator)), false
	}
	return slices.DeleteFunc(diags, func(d diag.Diag) bool {
		return d.Severity == diag.Warning && slices.ContainsFunc(settled, func(o addr.Object) bool { return o.String() == d.Address })
	}), true
}

// finish reports and gives the exit status.
func finish(s *session.Session, diags diag.List, done bool) int {
	s.Report(diags)
	if !done || diags.HasErrors() {
		return 1
	}
	return 0
}
