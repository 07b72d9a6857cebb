package guard

import (
	"context"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/builtin"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/value"
)

// guarded is a provider behind the wall: each method is that of inner, asked through
// ask.
type guarded struct {
	inner provider.Provider
	name  addr.Provider
}

// around puts a provider behind the wall. A goroutine a call is dear beside the calls of
// the engine's own provider, which heeds its contexts and whose mistakes are the engine's.
func around(name addr.Provider, inner provider.Provider) provider.Provider {
	switch inner.(type) {
	case *wire.Client, *builtin.Provider:
		return inner
	}
	return guarded{inner, name}
}

func (g guarded) call(method, typeName string) call { return call{g.name, method, typeName} }

// Schemas implements provider.Describer.
func (g guarded) Schemas(ctx context.Context) (provider.Schemas, diag.List) {
	return schemas(ctx, g.name, func() (provider.Schemas, diag.List) { return g.inner.Schemas(ctx) })
}

// ValidateProvider implements provider.Configurer.
func (g guarded) ValidateProvider(ctx context.Context, config value.Bare) (value.Bare, diag.List) {
	return ask(ctx, g.call("ValidateProvider", ""), func() (value.Bare, diag.List) { return g.inner.ValidateProvider(ctx, config) })
}

// Configure implements provider.Configurer.
func (g guarded) Configure(ctx context.Context, req provider.ConfigureRequest) diag.List {
	return tell(ctx, g.call("Configure", ""), func() diag.List { return g.inner.Configure(ctx, req) })
}

// Stop implements provider.Configurer.
func (g guarded) Stop(ctx context.Context) error {
	return end(ctx, g.call("Stop", ""), func() error { return g.inner.Stop(ctx) })
}

// Close implements provider.Configurer. There is no context that could end it, so it has
// the grace and no more.
func (g guarded) Close() error {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	return end(over, g.call("Close", ""), g.inner.Close)
}

// ValidateResource implements provider.Managed.
func (g guarded) ValidateResource(ctx context.Context, typeName string, config value.Bare) diag.List {
	return tell(ctx, g.call("ValidateResource", typeName), func() diag.List { return g.inner.ValidateResource(ctx, typeName, config) })
}

// UpgradeState implements provider.Managed.
func (g guarded) UpgradeState(ctx context.Context, req provider.UpgradeRequest) (provider.UpgradeResponse, diag.List) {
	return ask(ctx, g.call("UpgradeState", req.TypeName), func() (provider.UpgradeResponse, diag.List) { return g.inner.UpgradeState(ctx, req) })
}

// Read implements provider.Managed.
func (g guarded) Read(ctx context.Context, req provider.ReadRequest) (provider.ReadResponse, diag.List) {
	return ask(ctx, g.call("Read", req.TypeName), func() (provider.ReadResponse, diag.List) { return g.inner.Read(ctx, req) })
}

// Plan implements provider.Managed.
func (g guarded) Plan(ctx context.Context, req provider.PlanRequest) (provider.PlanResponse, diag.List) {
	return ask(ctx, g.call("Plan", req.TypeName), func() (provider.PlanResponse, diag.List) { return g.inner.Plan(ctx, req) })
}

// Apply implements provider.Managed.
func (g guarded) Apply(ctx context.Context, req provider.ApplyRequest) (provider.ApplyResponse, diag.List) {
	return ask(ctx, g.call("Apply", req.TypeName), func() (provider.ApplyResponse, diag.List) { return g.inner.Apply(ctx, req) })
}

// Import implements provider.Importer.
func (g guarded) Import(ctx context.Context, req provider.ImportRequest) (provider.ImportResponse, diag.List) {
	return ask(ctx, g.call("Import", req.TypeName), func() (provider.ImportResponse, diag.List) { return g.inner.Import(ctx, req) })
}

// Move implements provider.Importer.
func (g guarded) Move(ctx context.Context, req provider.MoveRequest) (provider.MoveResponse, diag.List) {
	return ask(ctx, g.call("Move", req.TargetType), func() (provider.MoveResponse, diag.List) { return g.inner.Move(ctx, req) })
}

// UpgradeIdentity implements provider.Importer.
func (g guarded) UpgradeIdentity(ctx context.Context, req provider.UpgradeIdentityRequest) (value.Bare, diag.List) {
	return ask(ctx, g.call("UpgradeIdentity", req.TypeName), func() (value.Bare, diag.List) { return g.inner.UpgradeIdentity(ctx, req) })
}

// GenerateConfig implements provider.Importer.
func (g guarded) GenerateConfig(ctx context.Context, typeName string, state value.Bare) (value.Bare, diag.List) {
	return ask(ctx, g.call("GenerateConfig", typeName), func() (value.Bare, diag.List) { return g.inner.GenerateConfig(ctx, typeName, state) })
}

// ValidateData implements provider.DataReader.
func (g guarded) ValidateData(ctx context.Context, typeName string, config value.Bare) diag.List {
	return tell(ctx, g.call("ValidateData", typeName), func() diag.List { return g.inner.ValidateData(ctx, typeName, config) })
}

// ReadData implements provider.DataReader.
func (g guarded) ReadData(ctx context.Context, req provider.ReadDataRequest) (provider.ReadDataResponse, diag.List) {
	return ask(ctx, g.call("ReadData", req.TypeName), func() (provider.ReadDataResponse, diag.List) { return g.inner.ReadData(ctx, req) })
}

// ValidateEphemeral implements provider.EphemeralOpener.
func (g guarded) ValidateEphemeral(ctx context.Context, typeName string, config value.Bare) diag.List {
	return tell(ctx, g.call("ValidateEphemeral", typeName), func() diag.List { return g.inner.ValidateEphemeral(ctx, typeName, config) })
}

// Open implements provider.EphemeralOpener.
func (g guarded) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	return ask(ctx, g.call("Open", req.TypeName), func() (provider.OpenResponse, diag.List) { return g.inner.Open(ctx, req) })
}

// Renew implements provider.EphemeralOpener.
func (g guarded) Renew(ctx context.Context, typeName string, private []byte) (provider.RenewResponse, diag.List) {
	return ask(ctx, g.call("Renew", typeName), func() (provider.RenewResponse, diag.List) { return g.inner.Renew(ctx, typeName, private) })
}

// CloseEphemeral implements provider.EphemeralOpener.
func (g guarded) CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List {
	return tell(ctx, g.call("CloseEphemeral", typeName), func() diag.List { return g.inner.CloseEphemeral(ctx, typeName, private) })
}

// CallFunction implements provider.FunctionCaller.
func (g guarded) CallFunction(ctx context.Context, name string, args []value.Bare) provider.FunctionResult {
	res, failed := ask(ctx, g.call("CallFunction", name), func() (provider.FunctionResult, diag.List) { return g.inner.CallFunction(ctx, name, args), nil })
	res.Failed = res.Failed.With(failed)
	return res
}

// ValidateList implements provider.Lister.
func (g guarded) ValidateList(ctx context.Context, req provider.ListRequest) diag.List {
	return tell(ctx, g.call("ValidateList", req.TypeName), func() diag.List { return g.inner.ValidateList(ctx, req) })
}

// ListResources implements provider.Lister.
func (g guarded) ListResources(ctx context.Context, req provider.ListRequest, each func(provider.Listed) bool) diag.List {
	var l listener
	defer l.leave()
	return tell(ctx, g.call("ListResources", req.TypeName), func() diag.List {
		return g.inner.ListResources(ctx, req, func(found provider.Listed) bool { return l.hear(func() bool { return each(found) }) })
	})
}

// ValidateAction implements provider.Actor.
func (g guarded) ValidateAction(ctx context.Context, typeName string, config value.Bare) diag.List {
	return tell(ctx, g.call("ValidateAction", typeName), func() diag.List { return g.inner.ValidateAction(ctx, typeName, config) })
}

// PlanAction implements provider.Actor.
func (g guarded) PlanAction(ctx context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	return ask(ctx, g.call("PlanAction", req.TypeName), func() (*provider.Deferred, diag.List) { return g.inner.PlanAction(ctx, req) })
}

// InvokeAction implements provider.Actor.
func (g guarded) InvokeAction(ctx context.Context, typeName string, config value.Bare, progress func(message string)) diag.List {
	var l listener
	defer l.leave()
	return tell(ctx, g.call("InvokeAction", typeName), func() diag.List {
		return g.inner.InvokeAction(ctx, typeName, config, func(message string) {
			l.hear(func() bool { progress(message); return true })
		})
	})
}

// listener hears what a provider tells while a call lasts.
type listener struct {
	mu sync.Mutex // held while something is heard, and guards gone
	// gone: the call is over, or nothing more is wanted.
	gone bool
}

// hear passes one thing on, and says whether another one is wanted.
func (l *listener) hear(what func() bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = l.gone || !what()
	return !l.gone
}

func (l *listener) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
}
