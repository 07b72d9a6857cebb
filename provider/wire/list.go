package wire

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ValidateList implements provider.Lister.
func (c *Client) ValidateList(ctx context.Context, req provider.ListRequest) diag.List {
	x := c.beginFor(ctx, rpcValidateList, addr.List, req.TypeName)
	resp := send[tfplugin6.ValidateListResourceConfig_Response](ctx, x, &tfplugin6.ValidateListResourceConfig_Request{
		TypeName:              req.TypeName,
		Config:                x.put("configuration", req.Config),
		IncludeResourceObject: x.putAs("include_resource", value.MustBare(cty.BoolVal(req.IncludeObjects)), cty.Bool),
		Limit:                 x.putAs("limit", value.MustBare(cty.NumberIntVal(req.Limit)), cty.Number),
	})
	if resp != nil {
		x.said(resp.Diagnostics)
	}
	return x.diags
}

// ListResources implements provider.Lister. Objects are of the managed type
// with the list's name.
func (c *Client) ListResources(ctx context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	x := c.beginFor(ctx, rpcList, addr.List, req.TypeName)
	msg := &tfplugin6.ListResource_Request{
		TypeName:              req.TypeName,
		Config:                x.put("configuration", req.Config),
		IncludeResourceObject: req.IncludeObjects,
		Limit:                 req.Limit,
	}
	if !x.ok() {
		return x.diags
	}
	x.resource = x.lookUp(kindResource, req.TypeName)
	var seen int64
	stream(ctx, x, msg, func(e *tfplugin6.ListResource_Event) bool {
		if req.Limit > 0 && seen >= req.Limit {
			return false
		}
		seen++
		return each(x.listed(e))
	})
	return x.diags
}

// listed reads one event. What is wrong with it belongs to it, and does not
// end the search.
func (x *exchange) listed(e *tfplugin6.ListResource_Event) provider.Listed {
	one := *x
	one.diags = nil
	one.said(e.Diagnostic)
	out := provider.Listed{
		DisplayName: e.DisplayName,
		Identity:    one.getIdentity(e.Identity),
	}
	if e.ResourceObject != nil {
		out.Object = one.get("object", e.ResourceObject)
	}
	out.Diags = one.diags
	return out
}
