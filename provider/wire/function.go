package wire

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// CallFunction implements provider.FunctionCaller.
func (c *Client) CallFunction(ctx context.Context, name string, args []value.Bare) provider.FunctionResult {
	x := c.begin(ctx, rpcCallFunction)
	x.typeName = name
	out := provider.FunctionResult{Argument: -1}
	if !x.ok() {
		out.Failed = x.diags
		return out
	}
	f := x.schemas.functions[name]
	if f == nil {
		out.Error = fmt.Sprintf("provider %s has no function %q", c.options.Provider.Display(), name)
		return out
	}
	msg := &tfplugin6.CallFunction_Request{Name: name}
	for i, arg := range args {
		msg.Arguments = append(msg.Arguments, x.putAs(fmt.Sprintf("argument %d", i+1), arg, parameterType(f, i)))
	}
	resp := send[tfplugin6.CallFunction_Response](ctx, x, msg)
	switch {
	case resp == nil:
	case resp.Error != nil:
		out.Error = resp.Error.Text
		if out.Error == "" {
			out.Error = "the provider gave no reason"
		}
		if at := resp.Error.FunctionArgument; at != nil && *at >= 0 && *at < int64(len(args)) {
			out.Argument = int(*at)
		}
	default:
		out.Result = x.getAs("result", resp.Result, f.Return)
	}
	out.Failed = x.diags
	return out
}

// parameterType is the type of the argument at a position.
func parameterType(f *schema.Function, at int) cty.Type {
	switch {
	case at < len(f.Parameters):
		return f.Parameters[at].Type
	case f.Variadic != nil:
		return f.Variadic.Type
	}
	return cty.DynamicPseudoType
}
