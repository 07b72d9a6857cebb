//go:build unix && !linux

package osfiles

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// LockFile takes a record lock over the whole file, or gives [ErrLocked]. It
// belongs to the process.
func LockFile(f *os.File) error {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &all)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return ErrLocked
	}
	return err
}

// lockedElsewhere asks for the lock without taking it.
func lockedElsewhere(f *os.File) bool {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	return unix.FcntlFlock(f.Fd(), unix.F_GETLK, &all) == nil && all.Type != unix.F_UNLCK
}
