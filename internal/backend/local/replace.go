package local

import (
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/internal/osfiles"
)

// target is the file that path means, with its directory made.
func target(path string) (string, error) {
	path, err := osfiles.Follow(path)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

// saveFile is the replacement of a file that nobody locks.
func saveFile(path string, r osfiles.Replacement) error {
	at, err := target(path)
	if err != nil {
		return err
	}
	return osfiles.Replace(at, r)
}
