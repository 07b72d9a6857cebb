package wire

import (
	"context"
	"errors"
	"io"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// exchange is one question and its answer. What goes wrong on the way is
// collected, so that a call reads as: begin, make the request, send, read the
// answer. Once something is wrong nothing is sent any more.
type exchange struct {
	*session
	client   *Client
	rpc      rpc
	typeName string
	// resource is the schema of the type the exchange is about, nil when it is
	// about none.
	resource *schema.Resource
	diags    diag.List
}

// begin opens an exchange that is about no type.
func (c *Client) begin(ctx context.Context, r rpc) *exchange {
	s, diags := c.session(ctx)
	return &exchange{session: s, client: c, rpc: r, diags: diags}
}

// beginFor opens an exchange about a type.
func (c *Client) beginFor(ctx context.Context, r rpc, mode addr.Mode, typeName string) *exchange {
	return c.beginAbout(ctx, r, typeName, kindOf(mode))
}

func (c *Client) beginAbout(ctx context.Context, r rpc, typeName string, k kind) *exchange {
	x := c.begin(ctx, r)
	x.typeName = typeName
	if x.session != nil {
		x.resource = x.lookUp(k, typeName)
	}
	return x
}

// lookUp finds a type's schema; that there is none is an error.
func (x *exchange) lookUp(k kind, typeName string) *schema.Resource {
	resource, diags := x.schemas.compiled(k, typeName)
	x.diags = x.diags.With(diags)
	if resource == nil && !diags.HasErrors() {
		x.diags = x.diags.Append(unknownType(x.client.options.Provider, k, typeName))
	}
	return resource
}

func (x *exchange) ok() bool { return x.session != nil && !x.diags.HasErrors() }

// send makes the call. It gives nil when there is no answer.
func send[R any, P interface {
	*R
	proto.Message
}](ctx context.Context, x *exchange, req proto.Message) P {
	if !x.ok() {
		return nil
	}
	resp := P(new(R))
	err := x.conn.Invoke(ctx, x.rpc.path(x.protocol), req, resp, grpc.MaxCallRecvMsgSize(maxMessage))
	if err != nil {
		x.failed(ctx, err)
		return nil
	}
	return resp
}

// stream makes a call with a stream of answers, until each returns false.
func stream[R any, P interface {
	*R
	proto.Message
}](ctx context.Context, x *exchange, req proto.Message, each func(P) bool) {
	if !x.ok() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	desc := &grpc.StreamDesc{StreamName: x.rpc.name(x.protocol), ServerStreams: true}
	s, err := x.conn.NewStream(ctx, desc, x.rpc.path(x.protocol), grpc.MaxCallRecvMsgSize(maxMessage))
	if err == nil {
		err = s.SendMsg(req)
	}
	if err == nil {
		err = s.CloseSend()
	}
	for err == nil {
		resp := P(new(R))
		if err = s.RecvMsg(resp); err == nil && !each(resp) {
			return
		}
	}
	if !errors.Is(err, io.EOF) {
		x.failed(ctx, err)
	}
}

// said adds the provider's own diagnostics.
func (x *exchange) said(ds []*tfplugin6.Diagnostic) {
	x.diags = x.diags.With(diagnostics(ds))
}

// object is the implied type of the exchange's type.
func (x *exchange) object() cty.Type {
	if x.resource == nil {
		return cty.DynamicPseudoType
	}
	return x.resource.Block.Type()
}

// put encodes a value of the exchange's type; a zero value is sent as null.
func (x *exchange) put(what string, v value.Bare) *tfplugin6.DynamicValue {
	return x.putAs(what, v, x.object())
}

func (x *exchange) putAs(what string, v value.Bare, t cty.Type) *tfplugin6.DynamicValue {
	if !x.ok() {
		return nil
	}
	out, err := encode(v, t)
	if err != nil {
		x.diags = x.diags.Append(x.unfit(what, err))
	}
	return out
}

// get decodes a value of the exchange's type.
func (x *exchange) get(what string, v *tfplugin6.DynamicValue) value.Bare {
	return x.getAs(what, v, x.object())
}

func (x *exchange) getAs(what string, v *tfplugin6.DynamicValue, t cty.Type) value.Bare {
	out, err := decode(v, t)
	if err != nil {
		x.diags = x.diags.Append(x.garbled(what, err))
	}
	return out
}

// putMeta encodes the provider_meta value, which few modules set. A provider that
// takes one is sent null where the module has none, since there are providers that
// decode the field whatever it holds; one that takes none is sent nothing.
func (x *exchange) putMeta(v value.Bare) *tfplugin6.DynamicValue {
	if !x.ok() || x.schemas.Meta() == nil {
		return nil
	}
	return x.putAs("provider_meta", v, x.schemas.Meta().Type())
}

// putIdentity encodes an identity; a zero or null one is not sent.
func (x *exchange) putIdentity(v value.Bare) *tfplugin6.ResourceIdentityData {
	if !x.ok() || x.resource.Identity == nil || v.IsZero() || v.Cty().IsNull() {
		return nil
	}
	return &tfplugin6.ResourceIdentityData{IdentityData: x.putAs("identity", v, x.resource.Identity.Type())}
}

// getIdentity decodes an identity; it is zero when there is none.
func (x *exchange) getIdentity(d *tfplugin6.ResourceIdentityData) value.Bare {
	return x.getIdentityOf(x.resource, d)
}

func (x *exchange) getIdentityOf(r *schema.Resource, d *tfplugin6.ResourceIdentityData) value.Bare {
	if d.GetIdentityData() == nil || r == nil || r.Identity == nil {
		return value.Bare{}
	}
	return x.getAs("identity", d.IdentityData, r.Identity.Type())
}

// abilities is what the engine can cope with.
func (x *exchange) abilities(deferral bool) *tfplugin6.ClientCapabilities {
	out := &tfplugin6.ClientCapabilities{DeferralAllowed: deferral, WriteOnlyAttributesAllowed: true}
	if x.session != nil && x.protocol == V6 {
		out.StorePlannedPrivate, out.ComputedBlocksAllowed = true, true
	}
	return out
}

func deferred(d *tfplugin6.Deferred) *provider.Deferred {
	if d == nil {
		return nil
	}
	reason := provider.DeferReason(d.Reason)
	if reason > provider.DeferAbsentPrereq {
		reason = provider.DeferUnknown
	}
	return &provider.Deferred{Reason: reason}
}
