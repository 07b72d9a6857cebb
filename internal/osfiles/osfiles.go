package osfiles

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the file system of the process. Relative names are relative to Base,
// "" for the directory of the process.
type Disk struct{ Base string }

func (d Disk) at(name string) string {
	if d.Base == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.Base, name)
}

// ReadFile reads a whole file.
func (d Disk) ReadFile(path string) ([]byte, error) { return os.ReadFile(d.at(path)) }

// ReadDir lists a directory.
func (d Disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(d.at(path)) }

// Stat describes a file, following links.
func (d Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(d.at(path)) }

// Dir is the tree below a directory.
func (d Disk) Dir(path string) fs.FS { return os.DirFS(d.at(path)) }

// Abs makes a path absolute.
func (d Disk) Abs(path string) (string, error) { return filepath.Abs(d.at(path)) }

// Home is the home directory of the user.
func (Disk) Home() (string, error) { return os.UserHomeDir() }
