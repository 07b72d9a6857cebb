package std

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"unicode/utf8"
)

// diskFile is a regular file as it was found.
type diskFile struct {
	content []byte
	mode    fs.FileMode
}

// errNotRegular tells a directory, a socket and the like from a file.
var errNotRegular = errors.New("it is not a regular file")

// readFile follows links, as every reader of the file will.
func readFile(path string) (diskFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return diskFile{}, err
	}
	if !info.Mode().IsRegular() {
		return diskFile{}, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	content, err := os.ReadFile(path)
	return diskFile{content: content, mode: info.Mode().Perm()}, err
}

// text is the content as a string of the language, or false if it is not text.
func (f diskFile) text() (string, bool) {
	return string(f.content), utf8.Valid(f.content)
}

func (f diskFile) base64() string { return base64.StdEncoding.EncodeToString(f.content) }

// permission is the mode in the form of the configuration.
func (f diskFile) permission() string { return fmt.Sprintf("%04o", f.mode) }

// modesExist says whether permission bits mean anything here. Where they do
// not, they are neither compared nor reported.
func modesExist() bool { return runtime.GOOS != "windows" }

// parseMode reads octal digits that a validator has seen; anything else is 0600.
func parseMode(digits string) fs.FileMode {
	n, err := strconv.ParseUint(digits, 8, 12)
	if err != nil {
		return 0o600
	}
	return fs.FileMode(n)
}

// writeFile puts content at path, as a whole or not at all: the bytes go to a
// temporary file beside it, which then takes its name. A link at path is
// followed, not replaced. When only the mode differs, nothing is rewritten.
func writeFile(path string, content []byte, mode, dirMode fs.FileMode) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if found, err := readFile(path); err == nil && string(found.content) == string(content) {
		return os.Chmod(path, mode)
	}
	dir := filepath.Dir(path)
	if err := makeDirs(dir, dirMode); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".std_file-*")
	if err != nil {
		return err
	}
	if err := fill(temp, content, mode); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

func fill(f *os.File, content []byte, mode fs.FileMode) error {
	_, err := f.Write(content)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// makeDirs creates dir and its missing parents with exactly mode, whatever the
// process's umask; directories that exist stay as they are.
func makeDirs(dir string, mode fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := makeDirs(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) { // made by a neighbour meanwhile
			return nil
		}
		return err
	}
	return os.Chmod(dir, mode)
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func md5Hex(b []byte) string {
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}
