package wire

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
)

// ValidateAction implements provider.Actor.
func (c *Client) ValidateAction(ctx context.Context, typeName string, config value.Bare) diag.List {
	x := c.beginAbout(ctx, rpcValidateAction, typeName, kindAction)
	resp := send[tfplugin6.ValidateActionConfig_Response](ctx, x, &tfplugin6.ValidateActionConfig_Request{
		TypeName: typeName,
		Config:   x.put("configuration", config),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// PlanAction implements provider.Actor.
func (c *Client) PlanAction(ctx context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	x := c.beginAbout(ctx, rpcPlanAction, req.TypeName, kindAction)
	resp := send[tfplugin6.PlanAction_Response](ctx, x, &tfplugin6.PlanAction_Request{
		ActionType:         req.TypeName,
		Config:             x.put("configuration", req.Config),
		ClientCapabilities: x.abilities(req.DeferralAllowed),
	})
	if resp == nil {
		return nil, x.diags
	}
	x.said(resp.Diagnostics)
	return deferred(resp.Deferred), x.diags
}

// InvokeAction implements provider.Actor. A stream that ends without the
// event of completion is an action of which nobody knows how it ended.
func (c *Client) InvokeAction(ctx context.Context, typeName string, config value.Bare, progress func(message string)) diag.List {
	x := c.beginAbout(ctx, rpcInvokeAction, typeName, kindAction)
	msg := &tfplugin6.InvokeAction_Request{
		ActionType:         typeName,
		Config:             x.put("configuration", config),
		ClientCapabilities: x.abilities(false),
	}
	if !x.ok() {
		return x.diags
	}
	completed := false
	stream(ctx, x, msg, func(e *tfplugin6.InvokeAction_Event) bool {
		switch t := e.Type.(type) {
		case *tfplugin6.InvokeAction_Event_Progress_:
			progress(t.Progress.GetMessage())
		case *tfplugin6.InvokeAction_Event_Completed_:
			completed = true
			x.said(t.Completed.GetDiagnostics())
		}
		return !completed
	})
	if !completed && x.ok() {
		x.diags = x.diags.Append(x.incomplete())
	}
	return x.diags
}
