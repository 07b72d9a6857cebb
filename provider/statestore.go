package provider

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
)

// StateStorer is a provider that may keep states, as those of protocol 6 may. It is
// apart from [Provider], since it is asked before anything else is known, and by an
// instance of its own: the configuration of a store's provider stands in its block.
type StateStorer interface {
	Describer
	Configurer
	// OpenStateStore has a store checked and configured, after the provider was. The
	// configuration is an object of the store's schema, wholly known.
	OpenStateStore(ctx context.Context, typeName string, config value.Bare) (StateStore, diag.List)
}

// StateStore keeps states by their ids, which are the names of workspaces. What is in
// a state is not its business.
type StateStore interface {
	StateKeeper
	StateLocker
}

// StateKeeper reads and writes states.
type StateKeeper interface {
	// States are the ids of the states that there are, in any order.
	States(ctx context.Context) ([]string, diag.List)
	// ReadState gives a state, nothing for one that there is not.
	ReadState(ctx context.Context, id string) ([]byte, diag.List)
	// WriteState makes or replaces a state, which is not empty.
	WriteState(ctx context.Context, id string, content []byte) diag.List
	// DeleteState removes a state.
	DeleteState(ctx context.Context, id string) diag.List
}

// StateLocker lets one run at a time work with a state.
type StateLocker interface {
	// LockState takes the lock for an operation, such as "OperationTypeApply", and
	// gives the id to give it back by; "" says that the store has no locks. That
	// somebody else holds it is an error like any other.
	LockState(ctx context.Context, id, operation string) (lock string, diags diag.List)
	// UnlockState gives a lock back.
	UnlockState(ctx context.Context, id, lock string) diag.List
}
