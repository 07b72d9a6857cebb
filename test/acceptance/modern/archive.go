package modern

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/statestore"
	"github.com/hashicorp/terraform-plugin-framework/statestore/schema"
	"github.com/plumb-iac/plumb/test/acceptance/cloud"
)

const archived, guarded = "state", "lock of a state"

// StateStores implements provider.ProviderWithStateStores.
func (m keeping) StateStores(context.Context) []func() statestore.StateStore {
	return []func() statestore.StateStore{func() statestore.StateStore { return archive{m.world} }}
}

// keeping is the provider with what protocol 6 alone has.
type keeping struct{ *modern }

// archive is a state store in the world.
type archive struct{ world *cloud.World }

func (archive) Metadata(_ context.Context, _ statestore.MetadataRequest, resp *statestore.MetadataResponse) {
	resp.TypeName = "modern_archive"
}

func (archive) Schema(_ context.Context, _ statestore.SchemaRequest, resp *statestore.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"shelf": schema.StringAttribute{Optional: true}}}
}

func (archive) Initialize(context.Context, statestore.InitializeRequest, *statestore.InitializeResponse) {
}

func (a archive) GetStates(_ context.Context, _ statestore.GetStatesRequest, resp *statestore.GetStatesResponse) {
	resp.StateIDs = a.world.IDs(archived)
}

func (a archive) DeleteState(_ context.Context, req statestore.DeleteStateRequest, _ *statestore.DeleteStateResponse) {
	a.world.Delete(archived, req.StateID)
}

func (a archive) Read(_ context.Context, req statestore.ReadRequest, resp *statestore.ReadResponse) {
	resp.StateBytes, _ = a.world.Get(archived, req.StateID).([]byte)
}

func (a archive) Write(_ context.Context, req statestore.WriteRequest, _ *statestore.WriteResponse) {
	a.world.Put(archived, req.StateID, req.StateBytes)
}

func (a archive) Lock(_ context.Context, req statestore.LockRequest, resp *statestore.LockResponse) {
	if held, locked := a.world.Get(guarded, req.StateID).(statestore.LockInfo); locked {
		resp.Diagnostics.Append(statestore.WorkspaceAlreadyLockedDiagnostic(req, held))
		return
	}
	info := statestore.NewLockInfo(req)
	a.world.Put(guarded, req.StateID, info)
	resp.LockID = info.ID
}

func (a archive) Unlock(_ context.Context, req statestore.UnlockRequest, resp *statestore.UnlockResponse) {
	held, _ := a.world.Get(guarded, req.StateID).(statestore.LockInfo)
	if held.ID != req.LockID {
		resp.Diagnostics.AddError("Not the lock", "The lock is "+held.ID+".")
		return
	}
	a.world.Delete(guarded, req.StateID)
}
