package osfiles

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// LockFile takes a record lock over the whole file, or gives [ErrLocked]. It
// belongs to the open file, and excludes the locks of processes as well.
func LockFile(f *os.File) error {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &all)
	if errors.Is(err, unix.EINVAL) { // a file system without them
		err = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &all)
	}
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return ErrLocked
	}
	return err
}

// lockedElsewhere asks for the lock without taking it.
func lockedElsewhere(f *os.File) bool {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &all) == nil && all.Type != unix.F_UNLCK
}
