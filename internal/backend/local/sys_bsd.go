//go:build unix && !linux

package local

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes a record lock over the whole file. It belongs to the process.
func lockFile(f *os.File) error {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &all)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return errLocked
	}
	return err
}

// syncData makes the file's data durable.
func syncData(f *os.File) error { return f.Sync() }

// lockedElsewhere asks for the lock without taking it.
func lockedElsewhere(f *os.File) bool {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	return unix.FcntlFlock(f.Fd(), unix.F_GETLK, &all) == nil && all.Type != unix.F_UNLCK
}

// allocate does nothing: there is no way to reserve room that all file systems
// of this system have.
func allocate(*os.File, int64, int64) error { return nil }
