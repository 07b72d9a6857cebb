package journalfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData makes the file's data durable.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// allocate reserves room in a file without making it longer. File systems that
// cannot do it are taken as they are.
func allocate(f *os.File, at, n int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, at, n)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}
