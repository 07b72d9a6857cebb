package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
)

// ReadLock reads the lock file of a directory; an absent one is empty.
func ReadLock(dir string) (f *lockfile.File, exists bool, diags diag.List) {
	name := filepath.Join(dir, lockfile.Name)
	src, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lockfile.New(), false, nil
	case err != nil:
		return lockfile.New(), false, diag.Errs("Failed to read dependency lock file", err.Error()+".")
	}
	f, diags = lockfile.Parse(filepath.ToSlash(name), src)
	return f, true, diags
}

// writeFile replaces a file in one step.
func writeFile(name string, src []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(src)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// pluginPathName is where the directories of -plugin-dir are remembered.
const pluginPathName = "plugin_path"

// rememberPluginDirs keeps or forgets the directories of -plugin-dir.
func (i *installer) rememberPluginDirs() error {
	name := filepath.Join(i.req.DataDir, pluginPathName)
	if len(i.req.PluginDirs) == 0 {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	src, err := json.MarshalIndent(i.req.PluginDirs, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(name, src)
}

// PluginDirs are the directories of -plugin-dir that the last init remembered.
func PluginDirs(dataDir string) []string {
	src, err := os.ReadFile(filepath.Join(dataDir, pluginPathName))
	if err != nil {
		return nil
	}
	var dirs []string
	if json.Unmarshal(src, &dirs) != nil {
		return nil
	}
	return dirs
}
