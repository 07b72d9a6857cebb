package here

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/journalfile"
	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// Place is where the files of one state are.
type Place struct{ journal, lock string }

// New gives the place of a state in a directory by a name that no other state has.
func New(dir, name string) Place {
	path := filepath.Join(dir, name)
	return Place{journal: path + ".journal", lock: path + ".lock"}
}

// Journal opens the journal.
func (p Place) Journal(ctx context.Context, how *encryption.Target) (backend.Journal, error) {
	j, err := journalfile.Open(ctx, p.journal, "", how)
	if err != nil {
		return nil, err
	}
	return j, nil
}

// Room says why a journal would find no place; nil for nothing.
func (p Place) Room() error {
	dir := filepath.Dir(p.journal)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".plumb-probe-*")
	if err != nil {
		return fmt.Errorf("there is no place for the journal: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Held is a lock that was taken, and of it what is on this machine, as far as there can
// be something.
type Held struct {
	Info backend.LockInfo
	file *os.File
	path string
}

// Lock takes the lock of this machine, or gives a *backend.LockedError.
func (p Place) Lock(info backend.LockInfo) (*Held, error) {
	held := &Held{Info: info, path: p.lock}
	if os.MkdirAll(filepath.Dir(p.lock), 0o755) != nil {
		return held, nil
	}
	f, _, err := osfiles.OpenLocked(p.lock)
	switch {
	case errors.Is(err, osfiles.ErrLocked):
		return nil, &backend.LockedError{Holder: p.holder(), Err: errors.New("another process uses the state from this directory")}
	case err != nil:
		return held, nil
	}
	held.file = f
	_, err = f.WriteAt(info.JSON(), 0)
	if err := errors.Join(err, f.Truncate(int64(len(info.JSON())))); err != nil {
		return nil, errors.Join(fmt.Errorf("the lock information cannot be written: %w", err), held.Unlock())
	}
	return held, nil
}

// Under says why the lock is none to be given back under an ID; nil when it is one. A
// nil Held was never taken.
func (h *Held) Under(id string) error {
	switch {
	case h == nil:
		return errors.New("the state is not locked by this process")
	case h.Info.ID != id:
		return fmt.Errorf("the lock has the ID %q, not %q", h.Info.ID, id)
	}
	return nil
}

// Unlock gives the lock of this machine back.
func (h *Held) Unlock() error {
	if h.file == nil {
		return nil
	}
	return errors.Join(os.Remove(h.path), h.file.Close())
}

// holder is who has the lock; nil for nobody knows.
func (p Place) holder() *backend.LockInfo {
	src, err := os.ReadFile(p.lock)
	if err != nil {
		return nil
	}
	info, err := backend.ParseLockInfo(src)
	if err != nil || info.ID == "" {
		return nil
	}
	return info
}

// Taken says whether another process of this machine holds the lock.
func (p Place) Taken() bool { return osfiles.LockTaken(p.lock) }
