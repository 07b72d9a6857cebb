package std

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server returns a constructor of the provider's protocol 6 server, to be
// registered on an in-process gRPC server, served by a process or called
// directly.
func Server(version string) func() tfprotov6.ProviderServer {
	return serve(std{version: version, now: time.Now})
}

func serve(p std) func() tfprotov6.ProviderServer {
	open := providerserver.NewProtocol6(p)
	return func() tfprotov6.ProviderServer { return server{open().(framework)} }
}

// framework is what the framework's server offers of what std has.
type framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer
}

// server is the framework's server, called with contexts that it may keep.
//
// The framework holds the context of every call until it is stopped, with all
// the loggers that hang on it: some 20 kB a call, which at 10,000 objects was a
// gigabyte. The methods here are those that are called for objects.
type server struct{ framework }

// lent is a context that whoever keeps it holds little more than nothing.
type lent struct {
	of   atomic.Pointer[context.Context]
	done <-chan struct{}
}

// lend runs a call with a context that lets go of ctx when the call is over.
func lend[Request, Response any](ctx context.Context, call func(context.Context, Request) (Response, error), req Request) (Response, error) {
	l := &lent{done: ctx.Done()}
	l.of.Store(&ctx)
	defer l.of.Store(nil)
	return call(l, req)
}

// Deadline implements context.Context.
func (l *lent) Deadline() (deadline time.Time, ok bool) {
	if ctx := l.of.Load(); ctx != nil {
		return (*ctx).Deadline()
	}
	return time.Time{}, false
}

// Done implements context.Context.
func (l *lent) Done() <-chan struct{} { return l.done }

// Err implements context.Context; a context whose call is over is cancelled.
func (l *lent) Err() error {
	if ctx := l.of.Load(); ctx != nil {
		return (*ctx).Err()
	}
	return context.Canceled
}

// Value implements context.Context.
func (l *lent) Value(key any) any {
	if ctx := l.of.Load(); ctx != nil {
		return (*ctx).Value(key)
	}
	return nil
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return lend(ctx, s.framework.ValidateResourceConfig, req)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return lend(ctx, s.framework.UpgradeResourceState, req)
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return lend(ctx, s.framework.UpgradeResourceIdentity, req)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return lend(ctx, s.framework.ReadResource, req)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return lend(ctx, s.framework.PlanResourceChange, req)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return lend(ctx, s.framework.ApplyResourceChange, req)
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return lend(ctx, s.framework.ImportResourceState, req)
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return lend(ctx, s.framework.ValidateDataResourceConfig, req)
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return lend(ctx, s.framework.ReadDataSource, req)
}

// CallFunction implements tfprotov6.FunctionServer.
func (s server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return lend(ctx, s.framework.CallFunction, req)
}
