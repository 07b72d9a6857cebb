package statestore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/backend"
	"github.com/plumb-iac/plumb/internal/backend/here"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
)

// Options are what a backend works with.
type Options struct {
	// Store is configured.
	Store provider.StateStore
	// Type is the store's, for people.
	Type string
	// Key tells the store from all others that states of this directory were kept
	// in, and is part of names of files.
	Key string
	// Dir is where the journals and the locks of this machine are kept.
	Dir string
	// Form is how states and journals are written.
	Form backend.Form
	// NewLineage makes the lineage of a state that begins.
	NewLineage func() string
}

// Backend keeps the states of all workspaces in a state store.
type Backend struct{ o Options }

// New gives the backend. Nothing is asked of the store.
func New(o Options) *Backend { return &Backend{o} }

// Multiple is true: a workspace is a state of the store.
func (b *Backend) Multiple() bool { return true }

// Workspaces are the states that the store has, the default one first where it is.
func (b *Backend) Workspaces(ctx context.Context) ([]string, diag.List) {
	ids, diags := b.o.Store.States(ctx)
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(x, y string) int {
		switch {
		case x == y:
			return 0
		case x == backend.DefaultWorkspace:
			return -1
		case y == backend.DefaultWorkspace:
			return 1
		}
		return strings.Compare(x, y)
	})
	return slices.Compact(ids), diags
}

// Create stores an empty state where there is none.
func (b *Backend) Create(ctx context.Context, workspace string) diag.List {
	names, diags := b.Workspaces(ctx)
	if diags.HasErrors() || slices.Contains(names, workspace) {
		return diags
	}
	if err := b.Store(workspace).Write(ctx, state.New(b.o.NewLineage())); err != nil {
		return diags.Append(diag.Err("Failed to create the workspace", "The state store "+b.o.Type+" did not take an empty state for the workspace \""+workspace+"\": "+err.Error()+".").By(diag.Operator))
	}
	return diags
}

// Delete removes a workspace and its state.
func (b *Backend) Delete(ctx context.Context, workspace string) diag.List {
	if workspace == backend.DefaultWorkspace {
		return diag.List{diag.Err("Failed to delete the workspace", "The default workspace cannot be deleted.").By(diag.Operator)}
	}
	return b.o.Store.DeleteState(ctx, workspace)
}

// Store is the state of a workspace.
func (b *Backend) Store(workspace string) backend.Store {
	return &store{o: b.o, id: workspace, here: here.New(b.o.Dir, "store-"+b.o.Key+"-"+fileName(workspace))}
}

// fileName is a workspace's name as a part of a file's: names with other characters
// than those of identifiers are told apart by their bytes.
func fileName(workspace string) string {
	var b strings.Builder
	for _, c := range []byte(workspace) {
		if c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
			continue
		}
		const digits = "0123456789abcdef"
		b.Write([]byte{'_', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

// problem is what the provider said is wrong, nil for nothing. Its words are for
// people already.
func problem(diags diag.List) error {
	var said []error
	for _, d := range diags.Errors() {
		text := d.Summary
		if d.Detail != "" {
			text += ": " + d.Detail
		}
		said = append(said, errors.New(strings.TrimSuffix(strings.TrimSpace(text), ".")))
	}
	return errors.Join(said...)
}

var (
	_ backend.Backend = (*Backend)(nil)
	_ backend.Store   = (*store)(nil)
)
