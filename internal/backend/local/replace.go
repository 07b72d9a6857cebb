package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// target is the file that path means, with its directory made: where links
// lead, so that the link itself stays.
func target(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			break
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

// replaceFile puts a file with new content in place of path. before is called
// with the finished file just before it gets the name. The file is returned
// open; it is nil when the old file had to be overwritten, which is done through
// old where that is open.
func replaceFile(path string, old *os.File, content func(io.Writer) error, before func(*os.File) error) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", path)
	}
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	if err := fill(f, path, content, before); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if rename(f, path) == nil {
		if err := syncDir(filepath.Dir(path)); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
	// A file that is a mount of its own cannot be renamed over.
	if err := overwrite(path, old, f); err != nil {
		return nil, errors.Join(fmt.Errorf("%w; a complete copy is in %s", err, f.Name()), f.Close())
	}
	return nil, errors.Join(f.Close(), os.Remove(f.Name()))
}

// fill makes f ready to take the name path.
func fill(f *os.File, path string, content func(io.Writer) error, before func(*os.File) error) error {
	if err := adopt(f, path); err != nil {
		return err
	}
	if err := content(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return before(f)
}

// saveFile is replaceFile for files that nobody locks.
func saveFile(path string, content func(io.Writer) error, before func(*os.File) error) error {
	at, err := target(path)
	if err != nil {
		return err
	}
	f, err := replaceFile(at, nil, content, before)
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return err
}

// nothing is what mostly has to be done to a file before it gets its name.
func nothing(*os.File) error { return nil }

// createBeside makes a file with a free name in the directory of path, with
// the permissions that a new file has.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for n := 0; ; n++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(".%s.%d.%d", base, os.Getpid(), n)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || n > 1000 {
			return f, err
		}
	}
}

// adopt gives f the permissions and, where that is allowed, the owner of the
// file at path.
func adopt(f *os.File, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sameOwner(f, info)
	if mine, err := f.Stat(); err == nil && mine.Mode().Perm() == info.Mode().Perm() {
		return nil
	}
	return f.Chmod(info.Mode().Perm())
}

// overwrite copies from into the file at path, which old is if it is open.
func overwrite(path string, old, from *os.File) (err error) {
	to := old
	if to == nil {
		if to, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
	}
	n, err := io.Copy(io.NewOffsetWriter(to, 0), io.NewSectionReader(from, 0, 1<<62))
	if err == nil {
		err = to.Truncate(n)
	}
	if err == nil {
		err = to.Sync()
	}
	return err
}
