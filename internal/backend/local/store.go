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
	"github.com/plumb-iac/plumb/internal/backend/journalfile"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/state"
)

// store is one state file.
type store struct {
	// read and write are the same path unless the state goes somewhere else.
	read, write string
	// backup says where the replaced state goes; nil for nowhere.
	backup   func() string
	backedUp bool
	form     backend.Form
	shown    string
	held     *held
	// stale says that what was read is stored in another way than Write stores.
	stale bool
}

// Path names the state for people.
func (s *store) Path() string { return s.shown }

// Read gives the state in the file; nil for none, or an empty one.
func (s *store) Read(ctx context.Context) (*state.Snapshot, diag.List) {
	src, err := s.bytes(s.read)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, failed("Failed to read the state", describe(s.read, err))
	}
	snapshot, stale, diags := s.form.Parse(ctx, src, s.shown)
	s.stale = stale
	return snapshot, diags
}

// Stale says that what Read found is to be written again although its content
// stays.
func (s *store) Stale() bool { return s.stale }

// Busy says whether another process holds the lock at this moment.
func (s *store) Busy(context.Context) bool {
	return s.held == nil && osfiles.LockTaken(s.write)
}

// bytes reads a file, through the lock where it is the locked one: closing
// another handle of a locked file would give the lock up on some systems.
func (s *store) bytes(path string) ([]byte, error) {
	if s.held != nil && path == s.write {
		return whole(s.held.file)
	}
	return os.ReadFile(path)
}

// whole reads a file from its beginning, into as much room as it takes.
func whole(f *os.File) ([]byte, error) {
	var room int64
	if info, err := f.Stat(); err == nil {
		room = info.Size()
	}
	b := bytes.NewBuffer(make([]byte, 0, room+bytes.MinRead))
	_, err := b.ReadFrom(io.NewSectionReader(f, 0, 1<<62))
	return b.Bytes(), err
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
func (s *store) Write(ctx context.Context, snapshot *state.Snapshot) error {
	if err := s.replace(ctx, snapshot); err != nil {
		return err
	}
	s.stale = false
	return nil
}

func (s *store) replace(ctx context.Context, snapshot *state.Snapshot) error {
	if err := s.keepBackup(ctx); err != nil {
		return fmt.Errorf("the backup of the state cannot be written, so the state was left alone: %w", err)
	}
	path, err := target(s.write)
	if err != nil {
		return describe(s.write, err)
	}
	encode := s.form.Content(ctx, snapshot)
	if s.held == nil {
		return describe(s.write, saveFile(path, osfiles.Replacement{Content: encode}))
	}
	next, err := osfiles.ReplaceOpen(path, osfiles.Replacement{Content: encode, Ready: osfiles.LockFile, Old: s.held.file})
	if next != nil {
		s.held.follow(next)
	}
	return describe(s.write, err)
}

// keepBackup copies the present state, once.
func (s *store) keepBackup(ctx context.Context) error {
	if s.backup == nil || s.backedUp {
		return nil
	}
	src, err := s.bytes(s.write)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(bytes.TrimSpace(src)) == 0:
		s.backedUp = true
		return nil
	case err != nil:
		return describe(s.write, err)
	}
	if src, err = s.form.Again(ctx, src); err != nil {
		return err
	}
	err = saveFile(s.backup(), osfiles.Replacement{
		Content: osfiles.Bytes(src),
		Ready:   func(f *os.File) error { return osfiles.Adopt(f, s.write) },
	})
	s.backedUp = err == nil
	return err
}

// Probe writes a file as big as the state next to it, and removes it.
// It makes sure of the keys, too.
func (s *store) Probe(ctx context.Context) error {
	if err := s.form.Encryption.Ready(ctx); err != nil {
		return err
	}
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

// Journal opens the journal beside the state file.
func (s *store) Journal(ctx context.Context) (backend.Journal, error) {
	path := s.write
	if t, err := filepath.EvalSymlinks(path); err == nil {
		path = t
	}
	dir, base := filepath.Split(path)
	j, err := journalfile.Open(ctx, filepath.Join(dir, "."+base+".journal"), path, s.form.Encryption)
	if err != nil {
		return nil, err
	}
	return j, nil
}

// Remote is false: the state is a file.
func (s *store) Remote() bool { return false }

// Save writes a snapshot to any file, whole or not at all: for copies that
// people ask for, and for the last resort when the store has failed.
func Save(ctx context.Context, path string, snapshot *state.Snapshot, form backend.Form) error {
	return saveFile(path, osfiles.Replacement{Content: form.Content(ctx, snapshot)})
}

var _ backend.Store = (*store)(nil)
