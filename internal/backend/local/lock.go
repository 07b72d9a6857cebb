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
)

// held is a lock: an open, locked file, and where the information about it is.
type held struct {
	id   string
	path string
	file *os.File
	// created says that the file did not exist before.
	created bool
}

// errLocked is what the system's refusal means.
var errLocked = errors.New("another process holds the lock of the state")

// Lock takes the lock of the state file, which it creates when there is none.
func (s *store) Lock(_ context.Context, info backend.LockInfo) error {
	if s.held != nil {
		return &backend.LockedError{Holder: s.holder(), Err: fmt.Errorf("the state is locked already by this process")}
	}
	path, err := target(s.write)
	if err != nil {
		return describe(s.write, err)
	}
	h, err := lockPath(path)
	if errors.Is(err, errLocked) {
		return &backend.LockedError{Holder: s.holder(), Err: err}
	}
	if err != nil {
		return describe(s.write, err)
	}
	h.id, s.held = info.ID, h
	info.Path = s.shown
	if err := os.WriteFile(infoPath(path), info.JSON(), 0o644); err != nil {
		return errors.Join(fmt.Errorf("the lock information cannot be written: %w", err), s.release())
	}
	return nil
}

// lockPath opens and locks the file that has the name. Another process may
// give the name to a new file between the two; then it starts again.
func lockPath(path string) (*held, error) {
	for {
		_, err := os.Stat(path)
		created := errors.Is(err, fs.ErrNotExist)
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lockFile(f); err != nil {
			_ = f.Close() // the refusal is what matters
			return nil, err
		}
		if sameFile(f, path) {
			return &held{path: path, file: f, created: created}, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

func sameFile(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
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
	if info, e := h.file.Stat(); e == nil && h.created && info.Size() == 0 && sameFile(h.file, h.path) {
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
	h, err := lockPath(path)
	if errors.Is(err, errLocked) {
		return fmt.Errorf("the process that holds the lock is still running (%s); local locks end with their process", holder.Who)
	}
	if err != nil {
		return err
	}
	s.held = h
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

// lockTaken asks whether somebody else has the lock of a file, without taking
// it.
func lockTaken(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return lockedElsewhere(f)
}
