package wire

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// ValidateEphemeral implements provider.EphemeralOpener.
func (c *Client) ValidateEphemeral(ctx context.Context, typeName string, config value.Bare) diag.List {
	x := c.beginFor(ctx, rpcValidateEphemeral, addr.Ephemeral, typeName)
	resp := send[tfplugin6.ValidateEphemeralResourceConfig_Response](ctx, x, &tfplugin6.ValidateEphemeralResourceConfig_Request{
		TypeName: typeName,
		Config:   x.put("configuration", config),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// Open implements provider.EphemeralOpener.
func (c *Client) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	x := c.beginFor(ctx, rpcOpen, addr.Ephemeral, req.TypeName)
	resp := send[tfplugin6.OpenEphemeralResource_Response](ctx, x, &tfplugin6.OpenEphemeralResource_Request{
		TypeName: req.TypeName,
		Config:   x.put("configuration", req.Config),
		// The rest of what the engine can cope with is about managed resources.
		ClientCapabilities: &tfplugin6.ClientCapabilities{DeferralAllowed: req.DeferralAllowed},
	})
	if resp == nil {
		return provider.OpenResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.OpenResponse{
		Result:   x.get("result", resp.Result),
		Private:  resp.Private,
		RenewAt:  moment(resp.RenewAt),
		Deferred: deferred(resp.Deferred),
	}, x.diags
}

// Renew implements provider.EphemeralOpener.
func (c *Client) Renew(ctx context.Context, typeName string, private []byte) (provider.RenewResponse, diag.List) {
	x := c.beginFor(ctx, rpcRenew, addr.Ephemeral, typeName)
	resp := send[tfplugin6.RenewEphemeralResource_Response](ctx, x, &tfplugin6.RenewEphemeralResource_Request{
		TypeName: typeName,
		Private:  private,
	})
	if resp == nil {
		return provider.RenewResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.RenewResponse{Private: resp.Private, RenewAt: moment(resp.RenewAt)}, x.diags
}

// CloseEphemeral implements provider.EphemeralOpener.
func (c *Client) CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List {
	x := c.beginFor(ctx, rpcClose, addr.Ephemeral, typeName)
	resp := send[tfplugin6.CloseEphemeralResource_Response](ctx, x, &tfplugin6.CloseEphemeralResource_Request{
		TypeName: typeName,
		Private:  private,
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// moment is zero for no moment.
func moment(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}
