package ephemeral

import (
	"context"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// opening is the way of one object from its configuration to its value.
type opening struct {
	*walk
	ctx    context.Context
	site   *evaluate.Site
	node   *node
	object *object
	client provider.Provider
	diags  diag.List
}

// open opens an object, or puts that off while its configuration is not known.
func (w *walk) open(ctx context.Context, n *node, o *object) {
	p := &opening{walk: w, ctx: ctx, site: n.site, node: n, object: o, client: w.Configured(w.run.Using(n.site, o.config))}
	o.value = p.result()
	o.failed = p.diags.HasErrors()
	w.run.Report(p.diags)
}

func (p *opening) result() value.V {
	r := p.site.Resource
	unknown := value.Mark(cty.UnknownVal(r.Schema.Block.Type()), value.Ephemeral)
	if p.client == nil {
		p.add(diag.List{p.walk.run.Unserved(p.object.addr, p.object.config).At(r.Config.Range)})
		return unknown
	}
	if !p.conditions(r.Preconditions, "Resource precondition failed", value.V{}) {
		return unknown
	}
	config, marks, ok := p.configure()
	if ok && p.object.uncertain {
		p.PutOff(p.site, p.object.addr, p.object.config, plan.DeferCountUnknown)
		return unknown
	}
	if !ok || !config.Cty().IsWhollyKnown() || p.node.pending {
		return unknown
	}
	v, ok := p.ask(config, marks)
	if !ok || !p.conditions(r.Postconditions, "Resource postcondition failed", v) {
		return unknown
	}
	return v
}

// configure evaluates the configuration and has the provider validate it.
func (p *opening) configure() (value.Bare, value.Marks, bool) {
	v, diags := p.site.Resource.Body.Eval(p.object.scope)
	p.add(diags)
	if diags.HasErrors() {
		return value.Bare{}, nil, false
	}
	config, marks := value.Split(v)
	diags = p.client.ValidateEphemeral(p.ctx, p.object.addr.Resource.Type, config)
	p.note(diags)
	return config, marks, !diags.HasErrors()
}

// ask opens the object and judges the answer. Whatever the provider opened is
// held, so that it will be closed.
func (p *opening) ask(config value.Bare, marks value.Marks) (value.V, bool) {
	a := p.object.addr
	p.Emit(event.Begun{Object: addr.Object{Instance: a}, Op: event.Open})
	res, diags := p.client.Open(p.ctx, provider.OpenRequest{TypeName: a.Resource.Type, Config: config, DeferralAllowed: p.Deferral})
	p.note(diags)
	if diags.HasErrors() {
		p.Emit(event.Failed{Object: addr.Object{Instance: a}, Op: event.Open})
		return value.V{}, false
	}
	if res.Deferred == nil || !p.Deferral {
		p.object.lease = p.hold(p.ctx, p.site, a, p.client, res)
	}
	p.Emit(event.Ended{Object: addr.Object{Instance: a}, Op: event.Open})
	block := p.site.Resource.Schema.Block
	rng := p.site.Resource.Config.Range
	diags = contract.Check(contract.Open, contract.Facts{Schema: block, TypeName: a.Resource.Type, Config: config.Cty(),
		Answer: res.Result.Cty(), Deferred: res.Deferred != nil, DeferralOffered: p.Deferral, Hidden: marks.Paths(value.Sensitive | value.Ephemeral)}).Diags(
		contract.Subject{Addr: a.String(), Provider: p.site.Resource.Provider.Provider.Addr.Provider, Range: &rng})
	p.add(diags)
	if diags.HasErrors() {
		return value.V{}, false
	}
	if why := converse.Reason(res.Deferred); why != plan.NotDeferred {
		p.PutOff(p.site, a, p.object.config, why)
		return value.V{}, false
	}
	marks = marks.Only(value.Sensitive).Plus(state.SensitiveMarks(block.SensitivePaths(res.Result.Cty())))
	return value.Mark(value.Join(res.Result, marks), value.Ephemeral), true
}

// conditions evaluates conditions about the object; self is its value once it
// has one.
func (p *opening) conditions(rules []evaluate.Rule, summary string, self value.V) bool {
	if len(rules) == 0 {
		return true
	}
	scope := p.object.scope
	if self != cty.NilVal {
		scope = evaluate.WithSelf(scope, self)
	}
	diags := p.walk.run.Conditions(rules, scope, evaluate.Subject{
		Kind: "resource", Config: p.site.Addr(), Object: p.object.addr.String(), Summary: summary, Severity: diag.Error})
	p.add(diags)
	return !diags.HasErrors()
}

func (p *opening) add(diags diag.List) { p.diags = p.diags.With(diags) }

// note adds a provider's diagnostics, pointed at the configuration.
func (p *opening) note(diags diag.List) {
	p.add(evaluate.Locate(diags, p.site.Resource.Body, p.site.Resource.Config.Range, p.object.addr.String()))
}
