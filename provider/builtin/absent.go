package builtin

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

// The provider has no ephemeral resources, lists or actions; whoever read the
// schemas does not ask for them.

// ValidateEphemeral implements provider.EphemeralOpener.
func (p *Provider) ValidateEphemeral(_ context.Context, typeName string, _ value.Bare) diag.List {
	return absent("ephemeral resource type", typeName)
}

// Open implements provider.EphemeralOpener.
func (p *Provider) Open(_ context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	return provider.OpenResponse{}, absent("ephemeral resource type", req.TypeName)
}

// Renew implements provider.EphemeralOpener.
func (p *Provider) Renew(_ context.Context, typeName string, _ []byte) (provider.RenewResponse, diag.List) {
	return provider.RenewResponse{}, absent("ephemeral resource type", typeName)
}

// CloseEphemeral implements provider.EphemeralOpener.
func (p *Provider) CloseEphemeral(_ context.Context, typeName string, _ []byte) diag.List {
	return absent("ephemeral resource type", typeName)
}

// ValidateList implements provider.Lister.
func (p *Provider) ValidateList(_ context.Context, req provider.ListRequest) diag.List {
	return absent("list of", req.TypeName)
}

// ListResources implements provider.Lister.
func (p *Provider) ListResources(_ context.Context, req provider.ListRequest, _ func(provider.Listed) bool) diag.List {
	return absent("list of", req.TypeName)
}

// ValidateAction implements provider.Actor.
func (p *Provider) ValidateAction(_ context.Context, typeName string, _ value.Bare) diag.List {
	return absent("action", typeName)
}

// PlanAction implements provider.Actor.
func (p *Provider) PlanAction(_ context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	return nil, absent("action", req.TypeName)
}

// InvokeAction implements provider.Actor.
func (p *Provider) InvokeAction(_ context.Context, typeName string, _ value.Bare, _ func(string)) diag.List {
	return absent("action", typeName)
}
