package osfiles

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the file system of the process.
type Disk struct{}

// ReadFile reads a whole file.
func (Disk) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// Stat describes a file, following links.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Dir is the tree below a directory.
func (Disk) Dir(path string) fs.FS { return os.DirFS(path) }

// Abs makes a path absolute.
func (Disk) Abs(path string) (string, error) { return filepath.Abs(path) }

// Home is the home directory of the user.
func (Disk) Home() (string, error) { return os.UserHomeDir() }
