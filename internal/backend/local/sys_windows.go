package local

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes a lock over the whole file.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 0, ^uint32(0), new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

func syncData(f *os.File) error { return f.Sync() }

// lockedElsewhere tries: closing the file gives the lock back.
func lockedElsewhere(f *os.File) bool { return errors.Is(lockFile(f), errLocked) }

// allocate does nothing: there is no way to reserve room that all file systems
// of this system have.
func allocate(*os.File, int64, int64) error { return nil }
