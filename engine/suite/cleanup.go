package suite

import (
	"context"
	"maps"

	"github.com/google/uuid"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
)

// lineage is that of a new state.
func (x *fileRun) lineage() string { return uuid.NewString() }

// cleanUp destroys what is in the states, the one that was used last first.
func (x *fileRun) cleanUp(ctx context.Context) {
	if x.Stopped() {
		x.renew()
	}
	for i := len(x.order) - 1; i >= 0; i-- {
		k := x.kept[x.order[i]]
		if len(managed(k.snapshot)) == 0 {
			continue
		}
		x.o.Observer.Run(x.f, k.run, TearingDown)
		before := k.snapshot
		forgotten, diags := x.destroy(ctx, k)
		if left := managed(k.snapshot); len(left) > 0 || diags.HasErrors() {
			x.left(ctx, k, left, diags)
		}
		if len(forgotten) > 0 {
			k.snapshot = before
			x.left(ctx, k, forgotten, nil)
		}
	}
}

// destroy destroys what is in a state. Forgotten is what the configuration, or the
// state, says is not to be destroyed.
func (x *fileRun) destroy(ctx context.Context, k *kept) (forgotten []addr.Object, diags diag.List) {
	if err := ctx.Err(); err != nil {
		return nil, diag.List{diag.Err("Interrupted", "The command was stopped before what this test made could be destroyed.").By(diag.Operator)}
	}
	e := x.current().For(k.stage.tree.With(unprotected), k.stage.doubles)
	doc, diags := e.Plan(ctx, engine.PlanOptions{Mode: plan.Destroy, State: k.snapshot, Variables: k.stage.inputs})
	if diags.HasErrors() {
		return nil, diags.Errors()
	}
	for _, c := range doc.Changes {
		if c.Action.Forgets() {
			forgotten = append(forgotten, c.Object())
		}
	}
	after, diags := e.Apply(ctx, doc, engine.ApplyOptions{Store: k, Variables: k.stage.inputs, ForgottenIsFine: true})
	k.snapshot = after
	return forgotten, diags.Errors()
}

// unprotected takes lifecycle.prevent_destroy and lifecycle.destroy = false away:
// what a test made, it may destroy, and nobody else will.
func unprotected(m *config.Module) {
	resources := maps.Clone(m.Resources)
	for at, r := range resources {
		if r.Lifecycle.PreventDestroy != nil || !r.Lifecycle.Destroy {
			free := *r
			free.Lifecycle.PreventDestroy, free.Lifecycle.Destroy = nil, true
			resources[at] = &free
		}
	}
	m.Resources = resources
}

// left hands on what could not be destroyed.
func (x *fileRun) left(ctx context.Context, k *kept, objects []addr.Object, diags diag.List) {
	l := &Leftover{Run: k.run, Diags: diags, Objects: objects}
	if x.o.Rescue != nil && len(objects) > 0 {
		where, err := x.o.Rescue(context.WithoutCancel(ctx), x.f, k.snapshot)
		if l.Kept = where; err != nil {
			l.Diags = l.Diags.Append(diag.Err("The state could not be kept", "What is left of this test could not be written down: "+err.Error()+". The list of what is left is all that is known of it.").By(diag.Operator))
		}
	}
	x.f.Left = append(x.f.Left, l)
	x.f.Status = Error
	x.o.Observer.Left(x.f, l)
}

// managed are the managed objects in a state.
func managed(s *state.Snapshot) []addr.Object {
	var out []addr.Object
	for r := range s.Resources() {
		if r.Addr().Resource.Mode != addr.Managed {
			continue
		}
		for i := range r.Instances() {
			for key := range i.Objects() {
				out = append(out, addr.Object{Instance: r.Addr().Instance(i.Key()), Deposed: key})
			}
		}
	}
	return out
}
