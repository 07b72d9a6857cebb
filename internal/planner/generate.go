package planner

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/generate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
)

// generate writes the configuration of an imported object that has none. From
// here on the line goes on as if it had been declared.
func (l *line) generate(prior Refreshed) bool {
	r := l.Site.Resource
	v, configured := l.suggested(prior.value)
	if !l.OK() {
		return false
	}
	l.generated = generate.Resource(generate.Subject{
		Addr: r.Addr.Resource, Schema: l.Schema.Block, Provider: r.Config.ProviderText(), Configured: configured, EmptyUnset: l.EmptyUnset}, v)
	site, diags := l.Written(l.Site, l.generated)
	l.Diags = l.Diags.With(diags)
	l.Site = site
	return l.OK()
}

// suggested is what to write down: the provider's own idea of it where it has
// one, otherwise the object as it is.
func (l *line) suggested(object value.Bare) (value.Bare, bool) {
	schemas, diags := l.Schemas(l.object.config.Provider)
	if diags.HasErrors() || !schemas.Capabilities().GenerateConfig {
		return object, false
	}
	v, diags := l.Client.GenerateConfig(l.ctx, l.object.addr.Resource.Type, object)
	l.Note(diags)
	if v.IsZero() || v.Cty().IsNull() {
		v = value.MustBare(lang.EmptyObject(l.Schema.Block)) // no idea: the person has to fill it in
	}
	why := ""
	switch {
	case len(v.Cty().Type().TestConformance(l.Schema.Block.Type())) > 0:
		why = "it is no object of the type"
	case !v.Cty().IsWhollyKnown():
		why = "it is not wholly known"
	}
	if why != "" && l.OK() {
		l.Fail(diag.Err("Provider produced invalid config",
			fmt.Sprintf("The provider %s was asked for configuration of %s and gave one that cannot be written down: %s. This is a bug in the provider.", l.object.config.Provider.Display(), l.object.addr, why)).By(diag.Provider))
	}
	return v, true
}

// salvage keeps generated configuration that could not be planned with, so that
// it is written and can be mended.
func (l *line) salvage(r *result, prior Refreshed) {
	if l.generated != "" && r.change == nil {
		l.keep(r, prior)
	}
}

// keep plans to leave an object as it is.
func (l *line) keep(r *result, prior Refreshed) {
	c := l.base(prior)
	c.Action, c.After, c.AfterIdentity = plan.NoOp, c.Before, c.BeforeIdentity
	r.change = c
}
