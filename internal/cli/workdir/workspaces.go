package workdir

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/cli/inputs"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

func openBackend(ctx context.Context, s *session.Session, vars *inputs.Flags) (*Dir, backend.Backend, diag.List) {
	d, diags := Open(s)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	d.Vars = vars
	b, more := d.backend(ctx, nil, StatePaths{Looks: true})
	return d, b, diags.With(more)
}

// Workspaces are the names of the workspaces.
func Workspaces(ctx context.Context, s *session.Session, vars *inputs.Flags) ([]string, diag.List) {
	_, b, diags := openBackend(ctx, s, vars)
	if diags.HasErrors() {
		return nil, diags
	}
	names, more := b.Workspaces(ctx)
	if current, _ := s.Workspace(); b.Multiple() && current != backend.DefaultWorkspace && !slices.Contains(names, current) {
		names = append(names, current)
	}
	return names, diags.With(more)
}

// CreateWorkspace makes a workspace, with the state of a file when from is
// given.
func CreateWorkspace(ctx context.Context, s *session.Session, vars *inputs.Flags, name, from string, lock bool, timeout time.Duration) (diags diag.List) {
	d, b, diags := openBackend(ctx, s, vars)
	if diags.HasErrors() {
		return diags
	}
	if diags = diags.With(b.Create(ctx, name)); diags.HasErrors() || from == "" {
		return diags
	}
	src, err := os.ReadFile(from)
	if err != nil {
		return diags.Append(diag.Err("Failed to read the state to copy", err.Error()).By(diag.Operator))
	}
	snapshot, more := d.ParseState(ctx, src)
	if diags = diags.With(more); more.HasErrors() {
		return diags
	}
	storage := d.storage(b.Store(name))
	if lock {
		unlock, more := storage.Lock(ctx, "workspace-new", timeout)
		if diags = diags.With(more); more.HasErrors() {
			return diags
		}
		defer func() { diags = diags.With(unlock()) }()
	}
	if err := storage.Put(ctx, snapshot); err != nil {
		return diags.Append(diag.Err("Failed to save the state", err.Error()).By(diag.Operator))
	}
	return diags
}

// DeleteWorkspace removes a workspace and its state.
func DeleteWorkspace(ctx context.Context, s *session.Session, vars *inputs.Flags, name string) diag.List {
	_, b, diags := openBackend(ctx, s, vars)
	if diags.HasErrors() {
		return diags
	}
	return diags.With(b.Delete(ctx, name))
}
