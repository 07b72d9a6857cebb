package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/plumb-iac/plumb/internal/backend"
)

// Lock takes the server's lock, where it has one, and that of this machine.
func (s *store) Lock(ctx context.Context, info backend.LockInfo) error {
	if s.held != nil {
		return &backend.LockedError{Holder: &s.held.Info, Err: errors.New("the state is locked already by this process")}
	}
	if err := s.lockServer(ctx, info); err != nil {
		return err
	}
	local, err := s.here.Lock(info)
	if err != nil {
		return errors.Join(err, s.unlockServer(context.WithoutCancel(ctx), info))
	}
	s.held = local
	return nil
}

func (s *store) lockServer(ctx context.Context, info backend.LockInfo) error {
	if s.at.lock == nil {
		return nil
	}
	a, err := s.client.do(ctx, s.at.lockMethod, s.at.lock, info.JSON())
	if err != nil {
		return fmt.Errorf("failed to lock: %w; whether the server has taken the lock is not known (its ID would be %s)", err, info.ID)
	}
	switch a.status {
	case http.StatusOK:
		return nil
	case http.StatusConflict, http.StatusLocked:
		holder := a.holder()
		switch {
		case holder == nil:
			return &backend.LockedError{Err: fmt.Errorf("HTTP remote state already locked, failed to unmarshal body: the server does not tell who holds it (%s)%s", a.text, a.said())}
		case holder.ID == info.ID: // the answer to the first request was lost
			return nil
		}
		return &backend.LockedError{Holder: holder, Err: fmt.Errorf("HTTP remote state already locked: ID=%s", holder.ID)}
	}
	return a.unexpected()
}

// holder is the lock information in an answer, nil for none.
func (a answer) holder() *backend.LockInfo {
	info, err := backend.ParseLockInfo(a.body)
	if err != nil || info.ID == "" {
		return nil
	}
	return info
}

// Busy says whether another process of this machine works in this directory: the
// journal is its. Who else holds the server's lock cannot be asked.
func (s *store) Busy(context.Context) bool {
	return s.held == nil && s.here.Taken()
}

// Unlock gives the lock back. The one of this machine ends whatever the server
// says.
func (s *store) Unlock(ctx context.Context, id string) error {
	h := s.held
	if err := h.Under(id); err != nil {
		return err
	}
	s.held = nil
	return errors.Join(s.unlockServer(ctx, h.Info), h.Unlock())
}

// unlockServer sends what identifies the lock.
func (s *store) unlockServer(ctx context.Context, lock any) error {
	if s.at.unlock == nil {
		return nil
	}
	body, err := json.Marshal(lock)
	if err != nil {
		return err
	}
	a, err := s.client.do(ctx, s.at.unlockMethod, s.at.unlock, body)
	if err != nil {
		return fmt.Errorf("failed to unlock: %w", err)
	}
	if a.status != http.StatusOK {
		return a.unexpected()
	}
	return nil
}

// ForceUnlock gives back a lock that somebody left behind. Whether it has the ID is
// for the server to judge.
func (s *store) ForceUnlock(ctx context.Context, id string) error {
	if s.at.unlock == nil {
		return fmt.Errorf("there is no lock on %s: the backend has no unlock_address, so nothing is locked at the server", s.shown)
	}
	return s.unlockServer(ctx, backend.LockInfo{ID: id})
}
