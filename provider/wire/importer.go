package wire

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
)

// Import implements provider.Importer. A provider may answer with objects of
// other types than the one asked for.
func (c *Client) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	x := c.beginFor(ctx, rpcImport, addr.Managed, req.TypeName)
	resp := send[tfplugin6.ImportResourceState_Response](ctx, x, &tfplugin6.ImportResourceState_Request{
		TypeName:           req.TypeName,
		Id:                 req.ID,
		ClientCapabilities: x.abilities(req.DeferralAllowed),
		Identity:           x.putIdentity(req.Identity),
	})
	if resp == nil {
		return provider.ImportResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	out := provider.ImportResponse{Deferred: deferred(resp.Deferred)}
	for _, r := range resp.ImportedResources {
		found := x.lookUp(kindResource, r.GetTypeName())
		if found == nil {
			continue
		}
		out.Imported = append(out.Imported, provider.Imported{
			TypeName: r.GetTypeName(),
			State:    x.getAs("imported state", r.GetState(), found.Block.Type()),
			Private:  r.GetPrivate(),
			Identity: x.getIdentityOf(found, r.GetIdentity()),
		})
	}
	return out, x.diags
}

// Move implements provider.Importer.
func (c *Client) Move(ctx context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	x := c.beginFor(ctx, rpcMove, addr.Managed, req.TargetType)
	msg := &tfplugin6.MoveResourceState_Request{
		SourceProviderAddress:       req.SourceProvider.String(),
		SourceTypeName:              req.SourceType,
		SourceSchemaVersion:         req.SourceVersion,
		SourceState:                 &tfplugin6.RawState{Json: req.SourceJSON},
		TargetTypeName:              req.TargetType,
		SourcePrivate:               req.SourcePrivate,
		SourceIdentitySchemaVersion: req.SourceIdentityVersion,
	}
	if len(req.SourceIdentityJSON) > 0 {
		msg.SourceIdentity = &tfplugin6.RawState{Json: req.SourceIdentityJSON}
	}
	resp := send[tfplugin6.MoveResourceState_Response](ctx, x, msg)
	if resp == nil {
		return provider.MoveResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.MoveResponse{
		Target:   x.get("target state", resp.TargetState),
		Private:  resp.TargetPrivate,
		Identity: x.getIdentity(resp.TargetIdentity),
	}, x.diags
}

// UpgradeIdentity implements provider.Importer.
func (c *Client) UpgradeIdentity(ctx context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	x := c.beginFor(ctx, rpcUpgradeIdentity, addr.Managed, req.TypeName)
	resp := send[tfplugin6.UpgradeResourceIdentity_Response](ctx, x, &tfplugin6.UpgradeResourceIdentity_Request{
		TypeName:    req.TypeName,
		Version:     req.Version,
		RawIdentity: &tfplugin6.RawState{Json: req.JSON},
	})
	if resp == nil {
		return value.Bare{}, x.diags
	}
	x.said(resp.Diagnostics)
	return x.getIdentity(resp.UpgradedIdentity), x.diags
}

// GenerateConfig implements provider.Importer.
func (c *Client) GenerateConfig(ctx context.Context, typeName string, state value.Bare) (value.Bare, diag.List) {
	x := c.beginFor(ctx, rpcGenerateConfig, addr.Managed, typeName)
	resp := send[tfplugin6.GenerateResourceConfig_Response](ctx, x, &tfplugin6.GenerateResourceConfig_Request{
		TypeName: typeName,
		State:    x.put("state", state),
	})
	if resp == nil {
		return value.Bare{}, x.diags
	}
	x.said(resp.Diagnostics)
	return x.get("configuration", resp.Config), x.diags
}
