package journalfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/internal/encryption"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/state/journal"
)

// File is a journal in a file, which exists only while there is something in it.
// It implements backend.Journal.
type File struct {
	// path is the file, like the one whose permissions and owner it gets; "" for a
	// file that nobody else may read.
	path, like string
	// log is what the journal holds, nil since it was written to.
	log  *journal.Log
	file *os.File
	// ctx is that of the run, and does not end with it: what is to be recorded has
	// happened.
	ctx context.Context
	// crypt encrypts what is appended; nil where journals are in the clear.
	// carried are the records of the journal that was found, where it has to be
	// written anew before it is appended to.
	crypt   *encryption.Journal
	target  *encryption.Target
	anew    bool
	carried []byte
	// size is where the whole records end, reserved up to where the disk has
	// promised room.
	size, reserved int64
	// found is how long the file was when it was read, while it is not open.
	found int64
}

// room is how much is reserved behind the records, so that the result of an
// operation finds a place on a disk that has filled up since it began. It is
// renewed when half of it is used.
const room = 256 << 10

// Open opens the journal in the file at path. Nothing is written before the first
// Append. The file gets the permissions and the owner of the one called like;
// where that is "", nobody but the owner may read it. It is encrypted as the
// target says, nil for not at all. Errors are those of reading and decrypting, and
// what is no journal is one, as is a journal with whole records behind damage.
func Open(ctx context.Context, path, like string, how *encryption.Target) (*File, error) {
	j := &File{path: path, like: like, ctx: context.WithoutCancel(ctx), target: how}
	src, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	opened, err := j.decrypt(src)
	if err != nil {
		return nil, err
	}
	j.log = journal.Read(opened.Plain)
	j.size, j.found = j.log.Size, int64(len(src))
	// Keys are made anew in each run, so that none can be appended with to what
	// another run has encrypted.
	if encryption.EncryptedJournal(src) || !how.Plain() {
		j.anew, j.carried = true, opened.Plain[:j.log.Size]
	}
	if len(src) > 0 && j.log.Records == 0 && !unborn(src, opened) {
		return nil, fmt.Errorf("%s is not a journal, or its beginning is damaged; move it elsewhere to go on without it", j.path)
	}
	switch {
	case opened.Damaged:
		return nil, damaged(path, opened.Whole)
	case j.log.Damaged:
		return nil, damaged(path, j.log.Size)
	}
	return j, nil
}

// damaged is the error about a journal with whole records behind damage.
func damaged(path string, whole int64) error {
	return fmt.Errorf("%s is damaged at byte %d: records of a run stand behind it and cannot be read. Keep a copy of the file. Then shorten it to %[2]d bytes (truncate -s %[2]d) to go on with the records before, and import what exists and \"state list\" does not show", path, whole)
}

// unborn says whether a journal without records never had one: nothing was
// written into it, or the first write did not come to its end.
func unborn(src []byte, opened encryption.Opened) bool {
	if encryption.EncryptedJournal(src) {
		return len(opened.Plain) == 0 && (!opened.Torn || opened.Cut)
	}
	return journal.Unborn(src)
}

// Path is where the file is.
func (j *File) Path() string { return j.path }

// Log is what the journal holds: what was in the file when it was opened, or what
// has become of it since. Errors are those of reading the file again.
func (j *File) Log() (*journal.Log, error) {
	if j.log != nil {
		return j.log, nil
	}
	src := make([]byte, j.size)
	if j.size > 0 {
		if _, err := j.file.ReadAt(src, 0); err != nil {
			return nil, err
		}
	}
	opened, err := j.decrypt(src)
	if err != nil {
		return nil, err
	}
	j.log = journal.Read(opened.Plain)
	return j.log, nil
}

// decrypt reads what is in the file, or was.
func (j *File) decrypt(src []byte) (encryption.Opened, error) {
	opened, err := j.target.OpenJournal(j.ctx, src)
	if err != nil {
		return opened, fmt.Errorf("%s: %w", j.path, err)
	}
	return opened, nil
}

// Append writes records behind the last whole one.
func (j *File) Append(records ...[]byte) error {
	if j.file == nil {
		if err := j.open(); err != nil {
			return err
		}
	}
	at := j.size
	j.log = nil
	for _, r := range records {
		n, err := j.write(r, at)
		if err != nil {
			// What is there of the record must not stand before a later one.
			return errors.Join(err, j.file.Truncate(j.size))
		}
		at += n
	}
	if err := syncData(j.file); err != nil {
		return err
	}
	j.size = at
	return j.reserve()
}

// write puts a record at an offset, encrypted where it has to be.
func (j *File) write(record []byte, at int64) (int64, error) {
	if j.crypt != nil {
		var err error
		if record, err = j.crypt.Seal(record); err != nil {
			return 0, err
		}
	}
	n, err := j.file.WriteAt(record, at)
	return int64(n), err
}

// reserve asks for room. The records before are safe even when there is none;
// the error is to stop what would need more.
func (j *File) reserve() error {
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
func (j *File) open() error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o755); err != nil {
		return err
	}
	if err := j.Free(); err != nil {
		return err
	}
	if j.anew {
		if err := j.begin(j.carried); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, j.permissions())
	if err != nil {
		return err
	}
	if err = osfiles.LockFile(f); errors.Is(err, osfiles.ErrLocked) {
		err = inUse(j.path)
	}
	if err == nil {
		err = j.adopt(f)
	}
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

// Free says whether the file is as it was when it was read, and no other run writes
// it: one that works on the same state without its lock.
func (j *File) Free() error {
	if j.file != nil {
		return nil // it is locked by this run
	}
	info, err := os.Stat(j.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && j.found == 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil || info.Size() != j.found || osfiles.LockTaken(j.path):
		return inUse(j.path)
	}
	return nil
}

func inUse(path string) error {
	return fmt.Errorf("%s is in use: another run works on this state at the same time, which it can only without the lock (-lock=false)", path)
}

func (j *File) permissions() os.FileMode {
	if j.like == "" {
		return 0o600
	}
	return 0o666
}

// adopt gives the file the permissions and the owner that it is to have.
func (j *File) adopt(f *os.File) error {
	if j.like == "" {
		return nil
	}
	return osfiles.Adopt(f, j.like)
}

// begin puts a new file with records in place of the present one: encrypted with the
// key of this run, or not at all.
func (j *File) begin(records []byte) error {
	crypt, err := j.target.NewJournal(j.ctx)
	if err != nil {
		return err
	}
	content := records
	if crypt != nil {
		content = crypt.Head
		if len(records) > 0 {
			frame, err := crypt.Seal(records)
			if err != nil {
				return err
			}
			content = append(content, frame...)
		}
	}
	err = osfiles.Replace(j.path, osfiles.Replacement{
		Content: osfiles.Bytes(content),
		Private: j.like == "",
		Ready:   j.adopt,
		Old:     j.file,
	})
	if err != nil {
		return err
	}
	j.crypt, j.anew, j.size, j.found = crypt, false, int64(len(content)), int64(len(content))
	return nil
}

// Close gives the file up. What is in it stays.
func (j *File) Close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file, j.found = nil, j.size
	return err
}

// Reset removes the file, or puts one with other records in its place. The old one
// gives its reserved room back first: what is new has to find a place on a full disk.
func (j *File) Reset(records ...[]byte) error {
	if err := j.Free(); err != nil {
		return err
	}
	if len(records) > 0 {
		if j.file != nil {
			_ = j.file.Truncate(j.size)
		}
		content := bytes.Join(records, nil)
		err := errors.Join(j.begin(content), j.Close())
		if err == nil {
			j.log = journal.Read(content)
		}
		return err
	}
	err := j.Close()
	j.size, j.found, j.carried, j.log = 0, 0, nil, nil
	j.anew = j.anew || j.crypt != nil
	if e := os.Remove(j.path); e != nil {
		if errors.Is(e, fs.ErrNotExist) {
			return err
		}
		return errors.Join(err, e)
	}
	return errors.Join(err, osfiles.SyncDir(filepath.Dir(j.path)))
}
