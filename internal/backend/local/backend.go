package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/zclconf/go-cty/cty"
)

// The names where nothing else is configured.
const (
	defaultPath         = "terraform.tfstate"
	defaultWorkspaceDir = "terraform.tfstate.d"
)

// Arguments are those of a block of this backend.
func Arguments() []backend.Argument {
	return []backend.Argument{{Name: "path", Type: cty.String}, {Name: "workspace_dir", Type: cty.String}}
}

// Check says what is wrong with the arguments that a block gives.
func Check(given backend.Arguments) []backend.Mistake {
	var out []backend.Mistake
	for _, c := range []struct{ name, summary string }{
		{"path", "Invalid local state file path"}, {"workspace_dir", "Invalid local workspace directory path"},
	} {
		if given.Has(c.name) && given.Text(c.name) == "" {
			out = append(out, backend.Mistake{Argument: c.name, Summary: c.summary, Detail: fmt.Sprintf("The %q attribute value must not be empty.", c.name)})
		}
	}
	return out
}

// Options say where the files are.
type Options struct {
	// Dir is what relative paths start from; "" is the process's directory.
	Dir string
	// Path and WorkspaceDir are the backend's arguments; "" for the defaults.
	Path, WorkspaceDir string
	// State, Out and Backup are the flags of the same names. Backup "-" keeps
	// none.
	State, Out, Backup string
	// Apart, when not 0, is a time in seconds since 1970 that is part of the name
	// of the backup, so that it replaces no other one. Then "-" keeps it, too.
	Apart int64
	// Form is how states, backups and journals are written.
	Form backend.Form
}

// Backend keeps states in files.
type Backend struct{ o Options }

// New gives the backend. Nothing is touched before something is asked of it.
func New(o Options) *Backend { return &Backend{o} }

func (b *Backend) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(b.o.Dir, path)
}

func (b *Backend) workspaceDir() string {
	if b.o.WorkspaceDir != "" {
		return b.at(b.o.WorkspaceDir)
	}
	return b.at(defaultWorkspaceDir)
}

// Multiple is true: each workspace has a directory.
func (b *Backend) Multiple() bool { return true }

// Workspaces are the directories in the workspaces' directory.
func (b *Backend) Workspaces(context.Context) ([]string, diag.List) {
	entries, err := os.ReadDir(b.workspaceDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed("Failed to list workspaces", err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != backend.DefaultWorkspace {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return append([]string{backend.DefaultWorkspace}, out...), nil
}

// Create makes the workspace's directory.
func (b *Backend) Create(_ context.Context, workspace string) diag.List {
	if workspace == backend.DefaultWorkspace {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(b.workspaceDir(), workspace), 0o755); err != nil {
		return failed("Failed to create the workspace", err)
	}
	return nil
}

// Delete removes the workspace's directory with everything in it.
func (b *Backend) Delete(_ context.Context, workspace string) diag.List {
	if workspace == backend.DefaultWorkspace || workspace == "" || workspace != filepath.Base(workspace) {
		return failed("Failed to delete the workspace", fmt.Errorf("the workspace %q cannot be deleted", workspace))
	}
	if err := os.RemoveAll(filepath.Join(b.workspaceDir(), workspace)); err != nil {
		return failed("Failed to delete the workspace", err)
	}
	return nil
}

// Store is the state of a workspace.
func (b *Backend) Store(workspace string) backend.Store {
	read := b.o.Path
	if read == "" {
		read = defaultPath
	}
	read = b.at(read)
	if workspace != backend.DefaultWorkspace && workspace != "" {
		read = filepath.Join(b.workspaceDir(), workspace, defaultPath)
	}
	if b.o.State != "" {
		read = b.at(b.o.State)
	}
	s := &store{read: read, write: read, form: b.o.Form, shown: read}
	if b.o.Out != "" {
		s.write = b.at(b.o.Out)
	}
	if rel, err := filepath.Rel(b.o.Dir, read); err == nil && b.o.Dir != "" {
		s.shown = rel
	}
	switch named := b.o.Backup != "" && b.o.Backup != "-"; {
	case named:
		s.backup = func() string { return b.at(b.o.Backup) }
	case b.o.Apart != 0:
		s.backup = func() string { return apart(s.write, b.o.Apart) }
	case b.o.Backup == "":
		s.backup = func() string { return s.write + ".backup" }
	}
	return s
}

// apart is the name of a backup of the file that is not there yet.
func apart(file string, at int64) string {
	for ; ; at++ {
		name := fmt.Sprintf("%s.%d.backup", file, at)
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

func failed(summary string, err error) diag.List {
	return diag.List{diag.Err(summary, err.Error()+".").By(diag.Operator)}
}
