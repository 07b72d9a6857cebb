package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// held is a lock: an open, locked file, and where the information about it is.
type held struct {
	id   string
	path string
	file *os.File
	// created says that the file did not exist before.
	created bool
}

// errTaken is what the system's refusal means here.
var errTaken = errors.New("another process holds the lock of the state")

// Lock takes the lock of the state file, which it creates when there is none.
func (s *store) Lock(_ context.Context, info backend.LockInfo) error {
	if s.held != nil {
		return &backend.LockedError{Holder: s.holder(), Err: fmt.Errorf("the state is locked already by this process")}
	}
	path, err := target(s.write)
	if err != nil {
		return describe(s.write, err)
	}
	f, created, err := osfiles.OpenLocked(path)
	if errors.Is(err, osfiles.ErrLocked) {
		return &backend.LockedError{Holder: s.holder(), Err: errTaken}
	}
	if err != nil {
		return describe(s.write, err)
	}
	s.held = &held{id: info.ID, path: path, file: f, created: created}
	info.Path = s.shown
	if err := os.WriteFile(infoPath(path), info.JSON(), 0o644); err != nil {
		return errors.Join(fmt.Errorf("the lock information cannot be written: %w", err), s.release())
	}
	return nil
}

// follow goes on with the file that has got the name, which is locked already.
func (h *held) follow(f *os.File) {
	// Nothing depends on the old file any more.
	_ = h.file.Close()
	h.file, h.created = f, false
}

// Unlock gives the lock back.
func (s *store) Unlock(_ context.Context, id string) error {
	switch {
	case s.held == nil:
		return fmt.Errorf("the state is not locked by this process")
	case s.held.id != id:
		return fmt.Errorf("the lock has the ID %q, not %q", s.held.id, id)
	}
	return s.release()
}

// release removes what the lock has left, while it is still held.
func (s *store) release() error {
	h := s.held
	s.held = nil
	err := os.Remove(infoPath(h.path))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if info, e := h.file.Stat(); e == nil && h.created && info.Size() == 0 && osfiles.Named(h.file, h.path) {
		err = errors.Join(err, os.Remove(h.path))
	}
	return errors.Join(err, h.file.Close())
}

// ForceUnlock removes lock information that a process left when it died. The
// lock itself went with the process.
func (s *store) ForceUnlock(_ context.Context, id string) error {
	holder := s.holder()
	switch {
	case holder == nil:
		return fmt.Errorf("there is no lock on %s", s.shown)
	case holder.ID != id:
		return fmt.Errorf("the lock of %s has the ID %q, not %q", s.shown, holder.ID, id)
	}
	path, err := target(s.write)
	if err != nil {
		return err
	}
	f, created, err := osfiles.OpenLocked(path)
	if errors.Is(err, osfiles.ErrLocked) {
		return fmt.Errorf("the process that holds the lock is still running (%s); local locks end with their process", holder.Who)
	}
	if err != nil {
		return err
	}
	s.held = &held{path: path, file: f, created: created}
	return s.release()
}

// holder is what the lock information says, nil for nothing.
func (s *store) holder() *backend.LockInfo {
	path, err := target(s.write)
	if err != nil {
		return nil
	}
	src, err := os.ReadFile(infoPath(path))
	if err != nil || len(bytes.TrimSpace(src)) == 0 {
		return nil
	}
	info, err := backend.ParseLockInfo(src)
	if err != nil {
		return nil
	}
	return info
}

// infoPath is where the holder of a lock is written down.
func infoPath(state string) string {
	dir, base := filepath.Split(state)
	return filepath.Join(dir, "."+base+".lock.info")
}
