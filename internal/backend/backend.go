package backend

import (
	"context"
	"io"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
)

// DefaultWorkspace always exists.
const DefaultWorkspace = "default"

// Backend is a place where the states of all workspaces are kept.
type Backend interface {
	// Multiple says whether there can be other workspaces than the default one.
	// Where there cannot, nothing is asked about others.
	Multiple() bool
	// Workspaces are the names of the workspaces that exist, the default one
	// first, then sorted. Where the default one has to be created, init does.
	Workspaces(ctx context.Context) ([]string, diag.List)
	// Create makes a workspace, without a state or with an empty one. One that exists
	// is fine.
	Create(ctx context.Context, workspace string) diag.List
	// Delete removes a workspace and its state. Whether it may is decided
	// before.
	Delete(ctx context.Context, workspace string) diag.List
	// Store is the state of a workspace, which need not exist yet.
	Store(workspace string) Store
}

// Store is the state of one workspace. One lock at a time may be held through
// it.
type Store interface {
	// Read gives the stored state, nil for none.
	Read(ctx context.Context) (*state.Snapshot, diag.List)
	// Write replaces the state.
	Write(ctx context.Context, s *state.Snapshot) error
	// Stale says that what Read found is to be written again although its content
	// stays, because it is encrypted in another way than Write encrypts.
	Stale() bool
	// Probe says why the state could not be written now, without changing it.
	Probe(ctx context.Context) error
	// Lock takes the lock or gives a *LockedError. It does not wait.
	Lock(ctx context.Context, info LockInfo) error
	// Busy says whether somebody else holds the lock at this moment, as far as
	// that can be known.
	Busy(ctx context.Context) bool
	// Unlock gives the lock back that Lock took under the id.
	Unlock(ctx context.Context, id string) error
	// ForceUnlock removes a lock that somebody left behind.
	ForceUnlock(ctx context.Context, id string) error
	// Journal is the journal of the state; nil where there can be none.
	Journal(ctx context.Context) (Journal, error)
	// Remote says whether the state is kept elsewhere than on this machine, so that
	// it outlives what is kept here, the journal included.
	Remote() bool
	// Path names the state for people.
	Path() string
}

// Journal keeps edits until the state holds them. To close it lets another run write
// it, as the end of the process does; what is in it stays, and it is not used any
// more.
type Journal interface {
	io.Closer
	// Append adds records and returns when they are durable.
	Append(records ...[]byte) error
	// Reset puts records in the place of all that the journal holds, durably or not at
	// all. Without any it is empty.
	Reset(records ...[]byte) error
	// Free says why this run may not write it, nil for nothing: another run does,
	// or did since it was read, which works without the lock or beside one that does.
	Free() error
	// Log is what the journal holds at this moment. Errors are those of reading it
	// again after it was written to.
	Log() (*journal.Log, error)
	// Path names the journal for people.
	Path() string
}
