package scenario

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
)

func (i *instance) ValidateAction(ctx context.Context, name string, v value.Bare) diag.List {
	return logged(i, func() diag.List { return i.Provider.ValidateAction(ctx, name, v) })
}

func (i *instance) PlanAction(ctx context.Context, req provider.PlanActionRequest) (*provider.Deferred, diag.List) {
	return call(i, func() (*provider.Deferred, diag.List) { return i.Provider.PlanAction(ctx, req) })
}

func (i *instance) InvokeAction(ctx context.Context, name string, v value.Bare, progress func(string)) diag.List {
	return logged(i, func() diag.List { return i.Provider.InvokeAction(ctx, name, v, progress) })
}

// deferredInvocations are the runs that wait, with the reasons.
func deferredInvocations(list []*plan.DeferredInvocation) []string {
	var out []string
	for _, d := range list {
		out = append(out, "["+string(d.Reason)+"] "+invocations([]*plan.Invocation{&d.Invocation})[0])
	}
	return out
}

// invocations are the planned runs of actions, a line each.
func invocations(list []*plan.Invocation) []string {
	var out []string
	for _, i := range list {
		line := i.Addr + " " + text(bare(i.Config))
		if t := i.Trigger; t != nil {
			line += fmt.Sprintf("  %s of %s, else %s", t.Event, t.Resource, t.OnFailure)
		}
		out = append(out, line)
	}
	return out
}
