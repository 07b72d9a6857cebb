package local

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes a record lock over the whole file. It belongs to the open
// file, and excludes the locks of processes as well.
func lockFile(f *os.File) error {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &all)
	if errors.Is(err, unix.EINVAL) { // a file system without them
		err = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &all)
	}
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return errLocked
	}
	return err
}

// syncData makes the file's data durable.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// lockedElsewhere asks for the lock without taking it.
func lockedElsewhere(f *os.File) bool {
	all := unix.Flock_t{Type: unix.F_WRLCK, Whence: int16(io.SeekStart)}
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &all) == nil && all.Type != unix.F_UNLCK
}

// allocate reserves room in a file without making it longer. File systems that
// cannot do it are taken as they are.
func allocate(f *os.File, at, n int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, at, n)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}
