package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
)

// CopyRequest says which module to copy where.
type CopyRequest struct {
	// Source is the module's source address as in a call; a path may be absolute.
	Source string
	// Dir is the directory to fill. It has to be empty but for DataDir.
	Dir, DataDir string
	// DefaultHost is the registry of addresses without one.
	DefaultHost string
	// Sources know the registries.
	Sources Sources
	// Env is the environment of git.
	Env []string
	// Observe is told each step; nil for nobody.
	Observe func(Event)
}

// CopyModule copies a module's files into an empty directory, to begin a
// configuration with. What is hidden stays behind: a repository and what was
// installed for the module are not part of it.
func CopyModule(ctx context.Context, req CopyRequest) diag.List {
	if used, err := inUse(req.Dir, req.DataDir); err != nil || used != "" {
		return diag.List{diag.Err("The working directory already contains files",
			"A module is copied into an empty directory only, and this one has "+used+". To set up the configuration that is here, leave the option -from-module out.").By(diag.Operator)}
	}
	temp, err := os.MkdirTemp("", "plumb-module-")
	if err != nil {
		return notCopied(req.Source, err)
	}
	defer os.RemoveAll(temp)
	from, err := req.locate(ctx, temp)
	if err == nil {
		err = copyVisible(from, req.Dir)
	}
	if err != nil {
		return notCopied(req.Source, err)
	}
	return nil
}

func notCopied(source string, err error) diag.List {
	return diag.List{diag.Err(downloadSummary(err), "The module \""+source+"\" could not be copied: "+err.Error()+".").By(diag.Operator)}
}

// inUse names something that is in a directory, "" for nothing.
func inUse(dir, dataDir string) (string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if filepath.Join(dir, e.Name()) != filepath.Clean(dataDir) {
			return e.Name(), nil
		}
	}
	return "", nil
}

// locate is the directory of the module, which is fetched into temp where it is
// not on this machine.
func (r CopyRequest) locate(ctx context.Context, temp string) (string, error) {
	if config.IsLocalSource(r.Source) || filepath.IsAbs(r.Source) {
		pack, subdir := splitSubdir(r.Source)
		if info, err := os.Stat(pack); err != nil || !info.IsDir() {
			return "", fmt.Errorf("there is no directory %s", pack)
		}
		return subdirectory(pack, subdir)
	}
	m := &moduleInstaller{ctx: ctx, fetched: map[string]string{}, req: ModuleRequest{
		DataDir: temp, Sources: r.Sources, Env: r.Env, Observe: r.Observe,
	}}
	record := config.ManifestRecord{Key: "root", Source: config.NormalSource(r.Source, r.DefaultHost)}
	err := m.download(&record, &config.ModuleCall{Source: r.Source})
	return filepath.FromSlash(record.Dir), err
}

// copyVisible copies what is below a directory and not hidden.
func copyVisible(from, to string) error {
	if inside, err := within(from, to); err != nil || inside {
		return errors.Join(err, errors.New("the working directory is a part of the module"))
	}
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		target := filepath.Join(to, rel)
		switch {
		case err != nil || rel == ".":
			return err
		case strings.HasPrefix(e.Name(), ".") && e.IsDir():
			return filepath.SkipDir
		case strings.HasPrefix(e.Name(), "."):
			return nil
		case e.IsDir():
			return os.Mkdir(target, 0o755)
		case e.Type() == fs.ModeSymlink:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		}
		return copyOne(name, target)
	})
}

// within says whether a directory is another one or below it.
func within(outer, inner string) (bool, error) {
	var paths [2]string
	for i, p := range [2]string{outer, inner} {
		real, err := filepath.EvalSymlinks(p)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return false, err
		}
		paths[i] = real
	}
	rel, err := filepath.Rel(paths[0], paths[1])
	return err == nil && filepath.IsLocal(rel), nil
}

// copyOne copies a file with its permissions.
func copyOne(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
