package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/state"
	v4 "github.com/plumb-iac/plumb/state/v4"
)

// store is one state file.
type store struct {
	// read and write are the same path unless the state goes somewhere else.
	read, write string
	// backup is where the replaced state goes, "" for nowhere.
	backup   string
	backedUp bool
	version  string
	shown    string
	held     *held
}

// Path names the state for people.
func (s *store) Path() string { return s.shown }

// Read gives the state in the file; nil for none, or an empty one.
func (s *store) Read(context.Context) (*state.Snapshot, diag.List) {
	src, err := s.content(s.read)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, failed("Failed to read the state", describe(s.read, err))
	}
	snapshot, diags := v4.Parse(src)
	for i := range diags {
		diags[i].Detail = "In " + s.shown + ": " + diags[i].Detail
	}
	return snapshot, diags
}

// Busy says whether another process holds the lock at this moment.
func (s *store) Busy(context.Context) bool {
	return s.held == nil && lockTaken(s.write)
}

// content reads a file, through the lock where it is the locked one: closing
// another handle of a locked file would give the lock up on some systems.
func (s *store) content(path string) ([]byte, error) {
	if s.held != nil && path == s.write {
		return io.ReadAll(io.NewSectionReader(s.held.file, 0, 1<<62))
	}
	return os.ReadFile(path)
}

// describe adds what a bare error does not say.
func describe(path string, err error) error {
	if err == nil {
		return nil
	}
	if info, e := os.Stat(path); e == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; the state is a file", path)
	}
	return err
}

// Write replaces the state file.
func (s *store) Write(_ context.Context, snapshot *state.Snapshot) error {
	if err := s.keepBackup(); err != nil {
		return fmt.Errorf("the backup of the state cannot be written, so the state was left alone: %w", err)
	}
	path, err := target(s.write)
	if err != nil {
		return describe(s.write, err)
	}
	encode := func(w io.Writer) error { return v4.Write(w, snapshot, v4.Options{Version: s.version}) }
	if s.held == nil {
		return describe(s.write, saveFile(path, osfiles.Replacement{Content: encode}))
	}
	next, err := osfiles.ReplaceOpen(path, osfiles.Replacement{Content: encode, Ready: lockFile, Old: s.held.file})
	if next != nil {
		s.held.follow(next)
	}
	return describe(s.write, err)
}

// keepBackup copies the present state, once.
func (s *store) keepBackup() error {
	if s.backup == "" || s.backedUp {
		return nil
	}
	src, err := s.content(s.write)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(bytes.TrimSpace(src)) == 0:
		s.backedUp = true
		return nil
	case err != nil:
		return describe(s.write, err)
	}
	err = saveFile(s.backup, osfiles.Replacement{
		Content: osfiles.Bytes(src),
		Ready:   func(f *os.File) error { return osfiles.Adopt(f, s.write) },
	})
	s.backedUp = err == nil
	return err
}

// Probe writes a file as big as the state next to it, and removes it.
func (s *store) Probe(context.Context) error {
	path, err := target(s.write)
	if err != nil {
		return describe(s.write, err)
	}
	size := int64(4 << 10)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s is a directory; the state is a file", path)
		}
		size = min(max(size, info.Size()), 4<<20)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".plumb-probe-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, size))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// Save writes a snapshot to any file, whole or not at all: for copies that
// people ask for, and for the last resort when the store has failed.
func Save(path string, snapshot *state.Snapshot, version string) error {
	return saveFile(path, osfiles.Replacement{Content: func(w io.Writer) error {
		return v4.Write(w, snapshot, v4.Options{Version: version})
	}})
}

var _ backend.Store = (*store)(nil)
