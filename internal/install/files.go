package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lockfile"
	"github.com/plumb-iac/plumb/internal/osfiles"
)

// ReadLock reads the lock file of a directory; an absent one is empty.
func ReadLock(dir string) (f *lockfile.File, exists bool, diags diag.List) {
	name := filepath.Join(dir, lockfile.Name)
	src, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lockfile.New(), false, nil
	case err != nil:
		return lockfile.New(), false, diag.List{diag.Err("Failed to read dependency lock file", "The file "+filepath.ToSlash(name)+" is there and cannot be read: "+err.Error()+".").By(diag.Operator)}
	}
	f, diags = lockfile.Parse(filepath.ToSlash(name), src)
	return f, true, diags
}

// writeFile replaces a file, whole or not at all, and makes its directory.
func writeFile(name string, src []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return osfiles.Replace(name, osfiles.Replacement{Content: osfiles.Bytes(src)})
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
