package wire

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
)

// ValidateData implements provider.DataReader.
func (c *Client) ValidateData(ctx context.Context, typeName string, config value.Bare) diag.List {
	x := c.beginFor(ctx, rpcValidateData, addr.Data, typeName)
	resp := send[tfplugin6.ValidateDataResourceConfig_Response](ctx, x, &tfplugin6.ValidateDataResourceConfig_Request{
		TypeName: typeName,
		Config:   x.put("configuration", config),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// ReadData implements provider.DataReader.
func (c *Client) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	x := c.beginFor(ctx, rpcReadData, addr.Data, req.TypeName)
	resp := send[tfplugin6.ReadDataSource_Response](ctx, x, &tfplugin6.ReadDataSource_Request{
		TypeName:           req.TypeName,
		Config:             x.put("configuration", req.Config),
		ProviderMeta:       x.putMeta(req.Meta),
		ClientCapabilities: x.abilities(req.DeferralAllowed),
	})
	if resp == nil {
		return provider.ReadDataResponse{}, x.diags
	}
	x.said(resp.Diagnostics)
	return provider.ReadDataResponse{
		State:    x.get("state", resp.State),
		Deferred: deferred(resp.Deferred),
	}, x.diags
}
