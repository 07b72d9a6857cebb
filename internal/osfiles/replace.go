package osfiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replacement says what a file is to hold and how it gets there.
type Replacement struct {
	// Content writes the new content.
	Content func(io.Writer) error
	// Ready is called with the finished file just before it gets the name; nil
	// for nothing.
	Ready func(*os.File) error
	// Old is the present file where that is open; nil otherwise.
	Old *os.File
	// Private keeps everybody but the owner from reading the file. Otherwise it
	// has the permissions of the file that it replaces.
	Private bool
}

// Bytes is content that is at hand.
func Bytes(src []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(src); return err }
}

// Replace puts a file with new content in place of path, or makes it: whole, or
// not at all. What is no file, such as a pipe or a device, is written to. Errors
// are those of package os and of r; where a complete copy of the new content is
// left (OF2), the error says where.
func Replace(path string, r Replacement) error {
	f, err := ReplaceOpen(path, r)
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return err
}

// ReplaceOpen is [Replace] and gives the new file open. It is nil when the old
// file had to be overwritten, which is done through Old where there is one.
func ReplaceOpen(path string, r Replacement) (*os.File, error) {
	path, err := Follow(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, through(path, r.Content)
	}
	f, err := createBeside(path, r.permissions())
	if err != nil {
		return nil, err
	}
	if err := r.fill(f, path); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if rename(f, path) == nil {
		if err := SyncDir(filepath.Dir(path)); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
	// A file that is a mount of its own cannot be renamed over.
	if err := r.overwrite(path, f); err != nil {
		return nil, errors.Join(fmt.Errorf("%w; a complete copy is in %s", err, f.Name()), f.Close())
	}
	return nil, errors.Join(f.Close(), os.Remove(f.Name()))
}

// mostLinks is how many links a path may lead through.
const mostLinks = 40

// Follow is the path where links lead, so that a link itself stays. Links that
// cannot be read, or lead in a circle, are an error.
func Follow(path string) (string, error) {
	for range mostLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
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
	return "", fmt.Errorf("%s is a link, and leads through more than %d others or in a circle", path, mostLinks)
}

// permissions are those of a new file, less what the process may not give.
func (r Replacement) permissions() fs.FileMode {
	if r.Private {
		return 0o600
	}
	return 0o666
}

// fill makes f ready to take the name path.
func (r Replacement) fill(f *os.File, path string) error {
	if !r.Private {
		if err := Adopt(f, path); err != nil {
			return err
		}
	}
	if err := r.Content(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if r.Ready == nil {
		return nil
	}
	return r.Ready(f)
}

// through writes to what is no file and so cannot be replaced.
func through(path string, content func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}

// createBeside makes a file with a free name in the directory of path.
func createBeside(path string, permissions fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(path)
	for n := 0; ; n++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(".%s.%d.%d", base, os.Getpid(), n)), os.O_RDWR|os.O_CREATE|os.O_EXCL, permissions)
		if !errors.Is(err, fs.ErrExist) || n > 1000 {
			return f, err
		}
	}
}

// Adopt gives f the permissions and, where that is allowed, the owner of the
// file at path.
func Adopt(f *os.File, path string) error {
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

// overwrite copies from into the file at path, which r.Old is if it is open.
func (r Replacement) overwrite(path string, from *os.File) (err error) {
	to := r.Old
	if to == nil {
		if to, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, r.permissions()); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
	}
	if r.Private {
		if err := to.Chmod(r.permissions()); err != nil {
			return err
		}
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
