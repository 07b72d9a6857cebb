package wire

import (
	"context"
	"errors"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"google.golang.org/grpc"
)

// beginConfig opens an exchange about the provider's own configuration.
func (c *Client) beginConfig(ctx context.Context, r rpc) *exchange {
	x := c.begin(ctx, r)
	if x.session != nil {
		x.resource = x.schemas.config
	}
	return x
}

// ValidateProvider implements provider.Configurer. What it prepares is the
// configuration itself unless the provider gives another.
func (c *Client) ValidateProvider(ctx context.Context, config value.Bare) (value.Bare, diag.List) {
	x := c.beginConfig(ctx, rpcValidateProvider)
	resp := send[tfplugin6.ValidateProviderConfig_Response](ctx, x, &tfplugin6.ValidateProviderConfig_Request{
		Config: x.put("configuration", config),
	})
	if resp == nil {
		return value.Bare{}, x.diags
	}
	x.said(resp.Diagnostics)
	if resp.PreparedConfig == nil {
		return config, x.diags
	}
	return x.get("prepared configuration", resp.PreparedConfig), x.diags
}

// Configure implements provider.Configurer.
func (c *Client) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	x := c.beginConfig(ctx, rpcConfigure)
	resp := send[tfplugin6.ConfigureProvider_Response](ctx, x, &tfplugin6.ConfigureProvider_Request{
		TerraformVersion:   req.LanguageVersion,
		Config:             x.put("configuration", req.Config),
		ClientCapabilities: x.abilities(req.DeferralAllowed),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// Stop implements provider.Configurer. A provider that was never asked for
// anything is not started for it.
func (c *Client) Stop(ctx context.Context) error {
	s := c.live.Load()
	if s == nil {
		return nil
	}
	var resp tfplugin6.StopProvider_Response
	err := s.conn.Invoke(ctx, rpcStop.path(s.protocol), &tfplugin6.StopProvider_Request{}, &resp, grpc.MaxCallRecvMsgSize(maxMessage))
	if err == nil && resp.Error != "" {
		err = errors.New(resp.Error)
	}
	return err
}
