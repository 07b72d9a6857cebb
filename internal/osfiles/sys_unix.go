//go:build unix

package osfiles

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// sameOwner gives f the owner that info tells. Only the superuser can do more
// than nothing here.
func sameOwner(f *os.File, info fs.FileInfo) {
	if want, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(want.Uid), int(want.Gid))
	}
}

// rename gives f the name path.
func rename(f *os.File, path string) error { return os.Rename(f.Name(), path) }

// SyncDir makes the names in a directory durable, where the file system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) { // not every file system can
		err = nil
	}
	return errors.Join(err, d.Close())
}
