package scenario

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

func (i *instance) ValidateEphemeral(ctx context.Context, name string, v value.Bare) diag.List {
	return logged(i, func() diag.List { return i.Provider.ValidateEphemeral(ctx, name, v) })
}

func (i *instance) Open(ctx context.Context, req provider.OpenRequest) (provider.OpenResponse, diag.List) {
	return call(i, func() (provider.OpenResponse, diag.List) { return i.Provider.Open(ctx, req) })
}

func (i *instance) CloseEphemeral(ctx context.Context, name string, private []byte) diag.List {
	return logged(i, func() diag.List { return i.Provider.CloseEphemeral(ctx, name, private) })
}
