package validate

import (
	"context"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Clients gives provider instances that are not configured.
type Clients interface {
	Unconfigured(ctx context.Context, p addr.Provider) (provider.Provider, diag.List)
}

// Options are what validating needs beside the run.
type Options struct {
	Clients            Clients
	Evaluations, Calls int
}

// Run checks all sites of a run in the validating phase.
func Run(ctx context.Context, run *evaluate.Run, o Options) diag.List {
	w := &walk{Run: run, Options: o, crashed: make([]bool, len(run.Sites()))}
	g := schedule.Graph{N: len(run.Sites())}
	for _, s := range run.Sites() {
		for _, id := range s.Reads {
			g.Edges = append(g.Edges, schedule.Edge{From: s.ID, To: id})
		}
	}
	schedule.Run(ctx, g, w, schedule.Limits{Evaluations: max(1, o.Evaluations), Calls: max(1, o.Calls)})
	return run.Diags()
}

// walk is the schedule's work: one node a site, one object a resource or
// provider.
type walk struct {
	*evaluate.Run
	Options
	// crashed are the nodes that have no value because of a mistake of the engine's.
	crashed []bool
}

// Open evaluates what needs no provider.
func (w *walk) Open(_ context.Context, id int) int {
	s := w.Sites()[id]
	switch s.Kind {
	case evaluate.Resource:
		w.Expand(s)
		w.unknown(s)
	case evaluate.Provider, evaluate.Action:
	default:
		w.Evaluate(s)
		return 0
	}
	if s.Broken() {
		return 0
	}
	return 1
}

// Object asks the provider about a resource's or its own configuration.
func (w *walk) Object(ctx context.Context, id, _ int) {
	s := w.Sites()[id]
	if s.Kind == evaluate.Provider {
		w.provider(ctx, s)
		return
	}
	if s.Kind == evaluate.Action {
		w.action(ctx, s)
		return
	}
	w.resource(ctx, s)
}

// Close says that the site may be built upon: a site with errors is worth an
// unknown value, so that it hides no others.
func (w *walk) Close(_ context.Context, id int) bool { return !w.crashed[id] }

// Skip does nothing: only a cancelled run skips, and one that crashed.
func (w *walk) Skip(int) {}

// Panicked notes a mistake of the engine's: what needs the site is not validated.
func (w *walk) Panicked(id, i int, cause any) {
	w.Crashed(w.Sites()[id].Addr(), cause)
	if i < 0 {
		w.crashed[id] = true
	}
}

// unknown puts the value that the rest of the configuration sees.
func (w *walk) unknown(s *evaluate.Site) {
	values := make([]value.V, len(w.Instances(s.Module)))
	for i := range values {
		values[i] = cty.DynamicVal
		if !s.Broken() && s.Resource.List == nil {
			values[i] = s.Resource.Unknown(s.Resource.Schema.Block)
		}
	}
	w.Put(s, values)
}

func (w *walk) provider(ctx context.Context, s *evaluate.Site) {
	if s.Provider.Body == nil || s.Provider.Schema == nil {
		return
	}
	if s.Provider.ForEach != nil && !w.ExpandProvider(s) || !s.Provider.Used {
		return
	}
	config, diags := w.ProviderConfig(s, addr.NoKey)
	if !diags.HasErrors() && !s.Faulty() {
		client, more := w.Clients.Unconfigured(ctx, s.Provider.Addr.Provider)
		diags = diags.With(more)
		if !more.HasErrors() {
			_, more = client.ValidateProvider(ctx, value.Strip(config))
			diags = diags.With(evaluate.Locate(more, s.Provider.Body, s.Provider.Range, s.Provider.Addr.String()))
		}
	}
	w.Report(diags)
}

// resource checks a resource's body and conditions in the first instance of
// its module, which stands for all.
func (w *walk) resource(ctx context.Context, s *evaluate.Site) {
	r := s.Resource
	if r.Body == nil || len(w.Instances(s.Module)) == 0 {
		return
	}
	scope := evaluate.ObjectScope(w.Scope(s, 0), w.Keys(s, 0), addr.NoKey)
	v, diags := r.Body.Eval(scope)
	diags = diags.With(w.instance(s, scope))
	_, marks := value.Split(v)
	diags = diags.With(evaluate.Locate(r.Persistent(marks), r.Body, r.Config.Range, s.Addr()))
	if !diags.HasErrors() && !s.Faulty() {
		client, more := w.Clients.Unconfigured(ctx, r.Provider.Provider.Addr.Provider)
		diags = diags.With(more)
		if !more.HasErrors() {
			more = ask(ctx, client, r.Addr.Resource, value.Strip(v))
			diags = diags.With(evaluate.Locate(more, r.Body, r.Config.Range, s.Addr()))
		}
	}
	self := cty.UnknownVal(r.Schema.Block.Type())
	diags = diags.With(w.Conditions(r.Preconditions, scope, subject(s, "Resource precondition failed")))
	diags = diags.With(w.Conditions(r.Postconditions, evaluate.WithSelf(scope, self), subject(s, "Resource postcondition failed")))
	_, more := w.Prevented(s, addr.AbsInstance{Module: w.Instances(s.Module)[0].Addr, Resource: r.Addr.Resource})
	diags = diags.With(more)
	w.triggers(s, evaluate.WithSelf(scope, self))
	diags = diags.With(w.provisioners(s, evaluate.WithSelf(scope, self), self))
	w.Report(diags)
}

// provisioners evaluates what provisioners are told, and how they connect. Those
// that run when an object goes see nothing but the object.
func (w *walk) provisioners(s *evaluate.Site, scope *lang.Scope, self value.V) diag.List {
	alone := evaluate.WithSelf(evaluate.ObjectScope(w.Bare(s.Module), w.Keys(s, 0), addr.NoKey), self)
	var diags diag.List
	for _, p := range s.Resource.Provisioners {
		at := scope
		if p.Config.Destroy {
			at = alone
		}
		for _, b := range []*lang.Body{p.Body, p.Connection} {
			if b != nil {
				_, more := b.Eval(at)
				diags = diags.With(more)
			}
		}
	}
	return diags
}

// instance evaluates the key of the provider instance, as far as it is known.
func (w *walk) instance(s *evaluate.Site, scope *lang.Scope) diag.List {
	_, diags := w.ProviderOf(s, 0, func() *lang.Scope { return scope })
	return slices.DeleteFunc(diags, func(d diag.Diag) bool { return d.Unknown })
}

func subject(s *evaluate.Site, summary string) evaluate.Subject {
	return evaluate.Subject{Kind: "resource", Config: s.Addr(), Object: s.Addr(), Summary: summary, Severity: diag.Error}
}

func ask(ctx context.Context, client provider.Provider, r addr.Resource, config value.Bare) diag.List {
	switch r.Mode {
	case addr.List:
		return client.ValidateList(ctx, provider.ListRequest{TypeName: r.Type, Config: config})
	case addr.Data:
		return client.ValidateData(ctx, r.Type, config)
	case addr.Ephemeral:
		return client.ValidateEphemeral(ctx, r.Type, config)
	}
	return client.ValidateResource(ctx, r.Type, config)
}
