package osfiles

import (
	"errors"
	"io/fs"
	"os"
)

// ErrLocked says that another process has the lock of a file.
var ErrLocked = errors.New("another process has locked the file")

// OpenLocked opens the file that has the name, makes it where there is none
// (created), and locks it. Another process may give the name to a new file
// between the two; then it starts again. Errors are [ErrLocked] and those of
// package os.
func OpenLocked(path string) (f *os.File, created bool, err error) {
	for {
		_, err := os.Stat(path)
		created := errors.Is(err, fs.ErrNotExist)
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, false, err
		}
		if err := LockFile(f); err != nil {
			_ = f.Close() // the refusal is what matters
			return nil, false, err
		}
		if Named(f, path) {
			return f, created, nil
		}
		if err := f.Close(); err != nil {
			return nil, false, err
		}
	}
}

// Named says whether an open file still has the name.
func Named(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// LockTaken asks whether another process has the lock of a file, without taking
// it.
func LockTaken(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return lockedElsewhere(f)
}
