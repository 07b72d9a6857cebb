package scenario

import (
	"context"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
)

func (i *instance) ValidateEphemeral(ctx context.Context, name string, v value.Bare) diag.List {
	return logged(i, func() diag.List { return i.Provider.ValidateEphemeral(ctx, name, v) })
}
