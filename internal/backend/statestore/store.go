package statestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/here"
	"github.com/plumb-iac/plumb/state"
)

// store is the state of one workspace.
type store struct {
	o    Options
	id   string
	here here.Place
	held *here.Held
	// lock is the store's name for the lock that is held, "" where it has no locks.
	lock  string
	stale bool
}

// Path names the state for people.
func (s *store) Path() string { return fmt.Sprintf("state %q of the state store %s", s.id, s.o.Type) }

// Remote is true: where the store keeps its states is not known, and they outlive
// what is kept here.
func (s *store) Remote() bool { return true }

// Stale says that what Read found is to be written again although its content stays.
func (s *store) Stale() bool { return s.stale }

// Read asks for the state; nil for none.
func (s *store) Read(ctx context.Context) (*state.Snapshot, diag.List) {
	src, diags := s.o.Store.ReadState(ctx, s.id)
	if diags.HasErrors() {
		return nil, diags
	}
	snapshot, stale, more := s.o.Form.Parse(ctx, src, s.Path())
	s.stale = stale
	return snapshot, diags.With(more)
}

// Write replaces the state.
func (s *store) Write(ctx context.Context, snapshot *state.Snapshot) error {
	var content bytes.Buffer
	if err := s.o.Form.Content(ctx, snapshot)(&content); err != nil {
		return err
	}
	if err := problem(s.o.Store.WriteState(ctx, s.id, content.Bytes())); err != nil {
		return err
	}
	s.stale = false
	return nil
}

// Probe reads the state, since there is no other question that changes nothing. It
// makes sure of the keys, too, and that the journal finds a place.
func (s *store) Probe(ctx context.Context) error {
	if err := s.o.Form.Encryption.Ready(ctx); err != nil {
		return err
	}
	if err := s.here.Room(); err != nil {
		return err
	}
	_, diags := s.o.Store.ReadState(ctx, s.id)
	return problem(diags)
}

// Journal opens the journal of this directory.
func (s *store) Journal(ctx context.Context) (backend.Journal, error) {
	return s.here.Journal(ctx, s.o.Form.Encryption)
}

// Lock takes the store's lock, where it has one, and that of this machine.
func (s *store) Lock(ctx context.Context, info backend.LockInfo) error {
	if s.held != nil {
		return &backend.LockedError{Holder: &s.held.Info, Err: errors.New("the state is locked already by this process")}
	}
	id, diags := s.o.Store.LockState(ctx, s.id, info.Operation)
	if err := problem(diags); err != nil {
		return &backend.LockedError{Err: err}
	}
	local, err := s.here.Lock(info)
	if err != nil {
		return errors.Join(err, s.unlock(context.WithoutCancel(ctx), id))
	}
	s.held, s.lock = local, id
	return nil
}

// Busy says whether another process of this machine works in this directory: the
// journal is its. Who else holds the store's lock cannot be asked.
func (s *store) Busy(context.Context) bool { return s.held == nil && s.here.Taken() }

// Unlock gives the lock back. The one of this machine ends whatever the store says.
func (s *store) Unlock(ctx context.Context, id string) error {
	h := s.held
	if err := h.Under(id); err != nil {
		return err
	}
	s.held = nil
	return errors.Join(s.unlock(ctx, s.lock), h.Unlock())
}

// unlock gives the store's lock back. What is still held is known by the store's id,
// not by ours.
func (s *store) unlock(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	if err := problem(s.o.Store.UnlockState(ctx, s.id, id)); err != nil {
		return &backend.HeldError{ID: id, Err: err}
	}
	return nil
}

// ForceUnlock gives back a lock that somebody left behind. Whether it has the ID is
// for the store to judge.
func (s *store) ForceUnlock(ctx context.Context, id string) error {
	return problem(s.o.Store.UnlockState(ctx, s.id, id))
}
