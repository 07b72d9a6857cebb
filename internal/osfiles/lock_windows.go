package osfiles

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// LockFile takes a lock over the whole file, or gives [ErrLocked].
func LockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 0, ^uint32(0), new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// lockedElsewhere tries: closing the file gives the lock back.
func lockedElsewhere(f *os.File) bool { return errors.Is(LockFile(f), ErrLocked) }
