package wire

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
)

// ValidateResource implements provider.Managed.
func (c *Client) ValidateResource(ctx context.Context, typeName string, config value.Bare) diag.List {
	x := c.beginFor(ctx, rpcValidateResource, addr.Managed, typeName)
	resp := send[tfplugin6.ValidateResourceConfig_Response](ctx, x, &tfplugin6.ValidateResourceConfig_Request{
		TypeName:           typeName,
		Config:             x.put("configuration", config),
		ClientCapabilities: x.abilities(false),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// UpgradeState implements provider.Managed.
func (c *Client) UpgradeState(ctx context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	x := c.beginFor(ctx, rpcUpgradeState, addr.Managed, req.TypeName)
	resp := send[tfplugin6.UpgradeResourceState_Response](ctx, x, &tfplugin6.UpgradeResourceState_Request{
		TypeName: req.TypeName,
		Version:  req.Version,
		RawState: &tfplugin6.RawState{Json: req.JSON, Flatmap: req.Flatmap},
	})
	if resp == nil {
		return provider.UpgradeResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.UpgradeResponse{Upgraded: x.get("upgraded state", resp.UpgradedState)}, x.diags
}

// Read implements provider.Managed.
func (c *Client) Read(ctx context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	x := c.beginFor(ctx, rpcRead, addr.Managed, req.TypeName)
	resp := send[tfplugin6.ReadResource_Response](ctx, x, &tfplugin6.ReadResource_Request{
		TypeName:           req.TypeName,
		CurrentState:       x.put("prior state", req.Prior),
		Private:            req.Private,
		ProviderMeta:       x.putMeta(req.Meta),
		ClientCapabilities: x.abilities(req.DeferralAllowed),
		CurrentIdentity:    x.putIdentity(req.Identity),
	})
	if resp == nil {
		return provider.ReadResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.ReadResponse{
		New:      x.get("new state", resp.NewState),
		Private:  resp.Private,
		Identity: x.getIdentity(resp.NewIdentity),
		Deferred: deferred(resp.Deferred),
	}, x.diags
}

// Plan implements provider.Managed.
func (c *Client) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	x := c.beginFor(ctx, rpcPlan, addr.Managed, req.TypeName)
	msg := &tfplugin6.PlanResourceChange_Request{
		TypeName:           req.TypeName,
		PriorState:         x.put("prior state", req.Prior),
		ProposedNewState:   x.put("proposed new state", req.Proposed),
		Config:             x.put("configuration", req.Config),
		PriorPrivate:       req.PriorPrivate,
		ProviderMeta:       x.putMeta(req.Meta),
		ClientCapabilities: x.abilities(req.DeferralAllowed),
		PriorIdentity:      x.putIdentity(req.PriorIdentity),
	}
	if msg.ClientCapabilities.StorePlannedPrivate {
		msg.PlannedPrivate = req.PlannedPrivate
	}
	resp := send[tfplugin6.PlanResourceChange_Response](ctx, x, msg)
	if resp == nil {
		return provider.PlanResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.PlanResponse{
		Planned:         x.get("planned state", resp.PlannedState),
		RequiresReplace: decodePaths(resp.RequiresReplace),
		Private:         resp.PlannedPrivate,
		Legacy:          resp.LegacyTypeSystem,
		Identity:        x.getIdentity(resp.PlannedIdentity),
		Deferred:        deferred(resp.Deferred),
	}, x.diags
}

// Apply implements provider.Managed.
func (c *Client) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	x := c.beginFor(ctx, rpcApply, addr.Managed, req.TypeName)
	resp := send[tfplugin6.ApplyResourceChange_Response](ctx, x, &tfplugin6.ApplyResourceChange_Request{
		TypeName:        req.TypeName,
		PriorState:      x.put("prior state", req.Prior),
		PlannedState:    x.put("planned state", req.Planned),
		Config:          x.put("configuration", req.Config),
		PlannedPrivate:  req.Private,
		ProviderMeta:    x.putMeta(req.Meta),
		PlannedIdentity: x.putIdentity(req.Identity),
	})
	if resp == nil {
		return provider.ApplyResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.ApplyResponse{
		New:      x.get("new state", resp.NewState),
		Private:  resp.Private,
		Legacy:   resp.LegacyTypeSystem,
		Identity: x.getIdentity(resp.NewIdentity),
	}, x.diags
}
