package testprovider

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/statestore"
	sschema "github.com/hashicorp/terraform-plugin-framework/statestore/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// shelf is a state store: a directory with a file for each state, and one for each
// lock. What it is told to break fails, or does nothing.
type shelf struct{ told told }

// told is the configuration of a shelf.
type told struct {
	Dir types.String `tfsdk:"dir"`
	// Broken is the operation that fails, such as "write"; Idle is one that does
	// nothing and says that it did.
	Broken types.String `tfsdk:"broken"`
	Idle   types.String `tfsdk:"idle"`
}

// StateStores implements provider.ProviderWithStateStores.
func (keeper) StateStores(context.Context) []func() statestore.StateStore {
	return []func() statestore.StateStore{func() statestore.StateStore { return &shelf{} }}
}

func (*shelf) Metadata(_ context.Context, _ statestore.MetadataRequest, resp *statestore.MetadataResponse) {
	resp.TypeName = "test_shelf"
}

func (*shelf) Schema(_ context.Context, _ statestore.SchemaRequest, resp *statestore.SchemaResponse) {
	resp.Schema = sschema.Schema{Attributes: map[string]sschema.Attribute{
		"dir":    sschema.StringAttribute{Required: true},
		"broken": sschema.StringAttribute{Optional: true},
		"idle":   sschema.StringAttribute{Optional: true},
	}}
}

// ValidateConfig refuses a shelf that is nowhere.
func (*shelf) ValidateConfig(ctx context.Context, req statestore.ValidateConfigRequest, resp *statestore.ValidateConfigResponse) {
	var t told
	resp.Diagnostics.Append(req.Config.Get(ctx, &t)...)
	if t.Dir.ValueString() == "" {
		resp.Diagnostics.AddError("No shelf", "A shelf needs a directory.")
	}
}

func (*shelf) Initialize(ctx context.Context, req statestore.InitializeRequest, resp *statestore.InitializeResponse) {
	var t told
	resp.Diagnostics.Append(req.Config.Get(ctx, &t)...)
	if t.Broken.ValueString() == "initialize" {
		resp.Diagnostics.AddError("Broken", "The shelf cannot be put up.")
	}
	resp.StateStoreData = t
}

// Configure implements statestore.StateStoreWithConfigure.
func (s *shelf) Configure(_ context.Context, req statestore.ConfigureRequest, _ *statestore.ConfigureResponse) {
	if t, ok := req.StateStoreData.(told); ok {
		s.told = t
	}
}

// does says whether an operation is to be carried out.
func (s *shelf) does(operation string, diags *diag.Diagnostics) bool {
	if s.told.Broken.ValueString() == operation {
		diags.AddError("Broken", "The shelf does not "+operation+".")
	}
	return !diags.HasError() && s.told.Idle.ValueString() != operation
}

func (s *shelf) file(id string) string { return filepath.Join(s.told.Dir.ValueString(), id+".state") }
func (s *shelf) lock(id string) string { return filepath.Join(s.told.Dir.ValueString(), id+".lock") }

func (s *shelf) GetStates(_ context.Context, _ statestore.GetStatesRequest, resp *statestore.GetStatesResponse) {
	if !s.does("list", &resp.Diagnostics) {
		return
	}
	entries, _ := os.ReadDir(s.told.Dir.ValueString())
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".state"); ok {
			resp.StateIDs = append(resp.StateIDs, id)
		}
	}
}

func (s *shelf) DeleteState(_ context.Context, req statestore.DeleteStateRequest, resp *statestore.DeleteStateResponse) {
	if s.does("delete", &resp.Diagnostics) {
		failed(&resp.Diagnostics, os.Remove(s.file(req.StateID)))
	}
}

func (s *shelf) Read(_ context.Context, req statestore.ReadRequest, resp *statestore.ReadResponse) {
	if !s.does("read", &resp.Diagnostics) {
		return
	}
	content, err := os.ReadFile(s.file(req.StateID))
	if !errors.Is(err, fs.ErrNotExist) {
		failed(&resp.Diagnostics, err)
	}
	resp.StateBytes = content
}

func (s *shelf) Write(_ context.Context, req statestore.WriteRequest, resp *statestore.WriteResponse) {
	if s.does("write", &resp.Diagnostics) {
		failed(&resp.Diagnostics, os.MkdirAll(s.told.Dir.ValueString(), 0o755))
		failed(&resp.Diagnostics, os.WriteFile(s.file(req.StateID), req.StateBytes, 0o600))
	}
}

func (s *shelf) Lock(_ context.Context, req statestore.LockRequest, resp *statestore.LockResponse) {
	if !s.does("lock", &resp.Diagnostics) {
		return
	}
	failed(&resp.Diagnostics, os.MkdirAll(s.told.Dir.ValueString(), 0o755))
	f, err := os.OpenFile(s.lock(req.StateID), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		resp.Diagnostics.Append(statestore.WorkspaceAlreadyLockedDiagnostic(req, s.holder(req.StateID)))
		return
	}
	failed(&resp.Diagnostics, err)
	if resp.Diagnostics.HasError() {
		return
	}
	info := statestore.NewLockInfo(req)
	failed(&resp.Diagnostics, json.NewEncoder(f).Encode(info))
	failed(&resp.Diagnostics, f.Close())
	resp.LockID = info.ID
}

func (s *shelf) Unlock(_ context.Context, req statestore.UnlockRequest, resp *statestore.UnlockResponse) {
	if !s.does("unlock", &resp.Diagnostics) {
		return
	}
	if id := s.holder(req.StateID).ID; id != req.LockID {
		resp.Diagnostics.AddError("Not the lock", "The lock is "+id+", not "+req.LockID+".")
		return
	}
	failed(&resp.Diagnostics, os.Remove(s.lock(req.StateID)))
}

// holder is what the lock of a state says.
func (s *shelf) holder(id string) (info statestore.LockInfo) {
	if src, err := os.ReadFile(s.lock(id)); err == nil {
		_ = json.Unmarshal(src, &info) // one that is just being written says nothing
	}
	return info
}

func failed(diags *diag.Diagnostics, err error) {
	if err != nil {
		diags.AddError("The shelf fails", err.Error())
	}
}
