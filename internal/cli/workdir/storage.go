package workdir

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/plumb-iac/plumb/state"
)

// StatePaths are the old options that say where a local state is.
type StatePaths struct {
	State, StateOut, Backup string
	// Workspace is another one than the selected, "" for that.
	Workspace string
	// FileMeant says that State and StateOut are meant whatever backend is
	// configured: the command is about a state, be it a copy.
	FileMeant bool
	// Looks says that states are only looked at, made or thrown away as a whole, so
	// that it does not matter which version of the language is required.
	Looks bool
	// BackupApart says that the backup is to replace none that is there.
	BackupApart bool
	// Vars are the options that give variables values; nil for none.
	Vars *inputs.Flags
}

// Storage is the state of one workspace, with its lock and journal. It
// implements engine.Store.
type Storage struct {
	s      *session.Session
	store  backend.Store
	dir    *Dir
	opened backend.Opened
	// failed says that the last write did not succeed, lost that an apply had
	// something new to write.
	failed, lost bool
	// unrecorded are objects of which the journal has not what was done.
	unrecorded []addr.Object
}

// OpenStorage finds the state's place by the configuration of the present
// directory.
func OpenStorage(ctx context.Context, s *session.Session, paths StatePaths) (*Storage, diag.List) {
	d, diags := Open(s)
	if diags.HasErrors() {
		return nil, diags
	}
	d.Vars = paths.Vars
	storage, more := d.Storage(ctx, nil, paths)
	return storage, diags.With(more)
}

// Storage finds the state's place. Without a tree the root module alone is read
// for its backend block.
func (d *Dir) Storage(ctx context.Context, tree *config.Tree, paths StatePaths) (*Storage, diag.List) {
	b, diags := d.backend(ctx, tree, paths)
	if diags.HasErrors() {
		return nil, diags
	}
	name := paths.Workspace
	if name == "" {
		name, _ = d.S.Workspace()
	}
	store, more := stateOf(b, name)
	if diags = diags.With(more); more.HasErrors() {
		return nil, diags
	}
	return d.storage(store), diags
}

func (d *Dir) storage(s backend.Store) *Storage { return &Storage{s: d.S, store: s, dir: d} }

// Same says whether two states are in one file.
func (st *Storage) Same(other *Storage) bool {
	a, err := os.Stat(st.store.Path())
	if err != nil {
		return false
	}
	b, err := os.Stat(other.store.Path())
	return err == nil && os.SameFile(a, b)
}

// Parse reads the content of a state file that is to be put here, encrypted or
// not.
func (st *Storage) Parse(ctx context.Context, src []byte) (*state.Snapshot, diag.List) {
	return st.dir.ParseState(ctx, src)
}

// Renew writes the state again if it is encrypted in another way than states are
// now, and gives what came of it.
func (st *Storage) Renew(ctx context.Context, s *state.Snapshot) diag.List {
	if !st.store.Stale() {
		return nil
	}
	if err := st.Write(ctx, s); err != nil {
		return diag.List{diag.Err("Failed to save state", "The state could not be encrypted anew: "+err.Error()+".").By(diag.Operator)}
	}
	return nil
}

// Read gives the state; an empty one where there is none.
func (st *Storage) Read(ctx context.Context) (*state.Snapshot, diag.List) {
	opened, diags := backend.Open(ctx, st.store, uuid.NewString())
	st.opened = opened
	return opened.Snapshot, diags
}

// Found says whether Read found a state.
func (st *Storage) Found() bool { return st.opened.Found() }

// Stored is the state as it is stored, without what a journal adds.
func (st *Storage) Stored() *state.Snapshot { return st.opened.Stored }

// Journal is where edits are kept until the state holds them; nil for nowhere.
func (st *Storage) Journal() engine.Journal {
	if st.opened.Journal == nil {
		return nil
	}
	return st.opened.Journal
}

// Unresolved are operations of an earlier run whose outcome is not known.
func (st *Storage) Unresolved() []state.Intent { return st.opened.Unresolved }

// Write makes a snapshot durable.
func (st *Storage) Write(ctx context.Context, s *state.Snapshot) error {
	err := st.store.Write(ctx, s)
	st.failed = err != nil
	return err
}

// PersistInterval is how often the state is stored while an apply goes on: not at all
// where the journal is beside it.
func (st *Storage) PersistInterval() time.Duration {
	if !st.store.Remote() {
		return 0
	}
	return st.s.Environment.PersistInterval()
}

// Unrecorded takes note of what the journal has not, for a [Storage.Rescue]. It is
// called where the last state of an apply was not stored, and not where an apply could
// not even begin.
func (st *Storage) Unrecorded(objects []addr.Object) { st.unrecorded, st.lost = objects, true }

// Probe says why the state could not be written now.
func (st *Storage) Probe(ctx context.Context) error { return st.store.Probe(ctx) }

// Replace stores after in place of before, with the next serial. What is
// settled needs no attention any more.
func (st *Storage) Replace(ctx context.Context, before, after *state.Snapshot, settled ...addr.Object) error {
	if st.opened.Stored != nil {
		before = st.opened.Stored // a journal adds to it what is not stored yet
	}
	if err := st.opened.Free(); err != nil {
		return err
	}
	st.opened.Unresolved = slices.DeleteFunc(slices.Clone(st.opened.Unresolved), func(i state.Intent) bool {
		return slices.Contains(settled, i.Object)
	})
	if before.Equal(after) {
		return st.opened.Settle(before)
	}
	return st.opened.Store(ctx, st.store, after.WithSerial(before.Serial()+1))
}

// Applied takes note of the state that an apply has stored, for another one to
// begin with.
func (st *Storage) Applied(after *state.Snapshot) { st.opened.Applied(after) }

// Put stores a state as it is.
func (st *Storage) Put(ctx context.Context, s *state.Snapshot) error {
	return st.opened.Store(ctx, st.store, s)
}

// slow is how long taking a lock may last before people are told.
const slow = 400 * time.Millisecond

// Lock takes the lock and gives what returns it, and the journal with it.
func (st *Storage) Lock(ctx context.Context, operation string, timeout time.Duration) (unlock func() diag.List, diags diag.List) {
	info := backend.Claim(st.store, operation, st.s.Version, st.s.Now())
	notice := time.AfterFunc(slow, func() {
		st.s.Print("Acquiring state lock. This may take a few moments...\n")
	})
	diags = backend.AcquireLock(ctx, st.store, info, timeout, nil)
	notice.Stop()
	if diags.HasErrors() {
		return func() diag.List { return nil }, diags
	}
	return func() diag.List {
		if st.opened.Journal != nil {
			_ = st.opened.Journal.Close() // what is in it is durable
		}
		return backend.UnlockDiag(st.store.Unlock(context.WithoutCancel(ctx), info.ID), info.ID)
	}, diags
}

// ForceUnlock removes a lock that somebody left behind.
func (st *Storage) ForceUnlock(ctx context.Context, id string) error {
	return st.store.ForceUnlock(ctx, id)
}
