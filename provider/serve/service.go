package serve

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Register gives a function that adds a provider to a server, as process.InProcess
// wants it. The provider's own configuration is that of schemas at the first call.
func Register(p provider.Provider) func(*grpc.Server) {
	return func(s *grpc.Server) {
		v := &server{p: p}
		s.RegisterService(&grpc.ServiceDesc{ServiceName: "tfplugin6.Provider", HandlerType: (*any)(nil), Methods: v.methods(), Streams: v.streams()}, v)
	}
}

type server struct{ p provider.Provider }

// failed is the error of gRPC that a diagnostic stands for, if it does for one.
func failed(diags diag.List) error {
	if diags.HasErrors() {
		switch d := diags.Errors()[0]; d.Code {
		case wire.CodeDied:
			return status.Error(codes.Unavailable, "the provider died")
		case wire.CodeFailed:
			return status.Error(codes.Unknown, d.Summary)
		}
	}
	return nil
}

// unary makes a method of a function of messages.
func unary[Q, R any](name string, f func(context.Context, *Q) (*R, diag.List)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		q := new(Q)
		if err := decode(q); err != nil {
			return nil, err
		}
		handle := func(ctx context.Context, q any) (any, error) {
			r, diags := f(ctx, q.(*Q))
			return r, failed(diags)
		}
		if intercept == nil {
			return handle(ctx, q)
		}
		return intercept(ctx, q, &grpc.UnaryServerInfo{FullMethod: "/tfplugin6.Provider/" + name}, handle)
	}}
}

// stream makes a method that answers with several messages.
func stream[Q, R any](name string, f func(context.Context, *Q, func(*R) bool) diag.List) grpc.StreamDesc {
	return grpc.StreamDesc{StreamName: name, ServerStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
		q := new(Q)
		if err := s.RecvMsg(q); err != nil {
			return err
		}
		var broken error
		diags := f(s.Context(), q, func(r *R) bool {
			broken = s.SendMsg(r)
			return broken == nil
		})
		if broken != nil {
			return broken
		}
		return failed(diags)
	}}
}

// typed is the schema of a type, an empty one where there is none: then the
// provider complains itself.
func (s *server) typed(ctx context.Context, m addr.Mode, name string) *schema.Resource {
	all, _ := s.p.Schemas(ctx)
	find := ofMode(all, m)
	if m == addr.List {
		find = all.ListConfig
	}
	return orEmpty(find(name))
}

func (s *server) action(ctx context.Context, name string) cty.Type {
	all, _ := s.p.Schemas(ctx)
	return orEmpty(all.Action(name)).Block.Type()
}

func orEmpty(r *schema.Resource, _ diag.List) *schema.Resource {
	if r == nil {
		return &schema.Resource{Block: schema.Empty}
	}
	return r
}
