package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/state/journal"
)

// journalFile is the journal in a file beside the state. It exists only while
// there is something in it.
type journalFile struct {
	path, state string
	log         *journal.Log
	file        *os.File
	// size is where the whole records end, reserved up to where the disk has
	// promised room.
	size, reserved int64
}

// room is how much is reserved behind the records, so that the result of an
// operation finds a place on a disk that has filled up since it began. It is
// renewed when half of it is used.
const room = 256 << 10

// Journal opens the journal. Nothing is written before the first Append.
func (s *store) Journal(context.Context) (backend.Journal, error) {
	path := s.write
	if t, err := filepath.EvalSymlinks(path); err == nil {
		path = t
	}
	dir, base := filepath.Split(path)
	j := &journalFile{path: filepath.Join(dir, "."+base+".journal"), state: path}
	src, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j.log = journal.Read(src)
	j.size = j.log.Size
	if len(src) > 0 && j.log.Records == 0 {
		return nil, fmt.Errorf("%s is not a journal, or its beginning is damaged; move it elsewhere to go on without it", j.path)
	}
	return j, nil
}

// Log is what was in the file.
func (j *journalFile) Log() *journal.Log { return j.log }

// Append writes records behind the last whole one.
func (j *journalFile) Append(records ...[]byte) error {
	if j.file == nil {
		if err := j.open(); err != nil {
			return err
		}
	}
	at := j.size
	for _, r := range records {
		n, err := j.file.WriteAt(r, at)
		if err != nil {
			// What is there of the record must not stand before a later one.
			return errors.Join(err, j.file.Truncate(j.size))
		}
		at += int64(n)
	}
	if err := syncData(j.file); err != nil {
		return err
	}
	j.size = at
	return j.reserve()
}

// reserve asks for room. The records before are safe even when there is none;
// the error is to stop what would need more.
func (j *journalFile) reserve() error {
	if j.reserved-j.size > room/2 {
		return nil
	}
	if err := allocate(j.file, j.size, room); err != nil {
		return fmt.Errorf("there is no room for further records: %w", err)
	}
	j.reserved = j.size + room
	return nil
}

// open creates the file, or cuts off what a crash left half written.
func (j *journalFile) open() error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = osfiles.Adopt(f, j.state)
	if err == nil {
		err = f.Truncate(j.size)
		j.reserved = 0
	}
	if err == nil {
		err = osfiles.SyncDir(filepath.Dir(j.path))
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	j.file = f
	return nil
}

// Reset removes the file.
func (j *journalFile) Reset() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
		j.file = nil
	}
	j.size = 0
	if e := os.Remove(j.path); e != nil {
		if errors.Is(e, fs.ErrNotExist) {
			return err
		}
		return errors.Join(err, e)
	}
	return errors.Join(err, osfiles.SyncDir(filepath.Dir(j.path)))
}
