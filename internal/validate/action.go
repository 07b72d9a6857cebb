package validate

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
)

// action checks an action's configuration, whoever triggers it.
func (w *walk) action(ctx context.Context, s *evaluate.Site) {
	a := s.Action
	if a.Body == nil || len(w.Instances(s.Module)) == 0 {
		return
	}
	v, diags := w.ActionConfig(s, 0, addr.NoKey, evaluate.Occasion{})
	if !diags.HasErrors() {
		client, more := w.Clients.Unconfigured(ctx, a.Provider.Provider.Addr.Provider)
		diags = diags.With(more)
		if !more.HasErrors() {
			more = client.ValidateAction(ctx, a.Config.Key.Type, value.Strip(v))
			diags = diags.With(evaluate.Locate(more, a.Body, a.Config.Range, s.Addr()))
		}
	}
	w.Report(diags)
}

// triggers checks the conditions of a resource's action triggers.
func (w *walk) triggers(s *evaluate.Site, scope *lang.Scope) {
	for i := range s.Resource.ActionTriggers {
		_, _, diags := s.Resource.ActionTriggers[i].Triggers(scope)
		w.Report(diags)
	}
}
