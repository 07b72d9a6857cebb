package verify

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// ready opens and configures the provider, again if it has died. A provider
// that cannot be configured cannot be examined.
func (x *examination) ready() bool {
	if x.client != nil {
		return true
	}
	client, diags := x.Open(x.ctx)
	if diags.HasErrors() {
		return x.give(diags)
	}
	x.client = client
	schemas, diags := client.Schemas(x.ctx)
	if diags.HasErrors() {
		return x.give(diags)
	}
	x.schemas = schemas
	config, diags := x.providerConfig()
	if diags.HasErrors() {
		return x.give(diags)
	}
	return x.give(client.Configure(x.ctx, provider.ConfigureRequest{Config: config, LanguageVersion: x.LanguageVersion}))
}

// patience is how many trials of one subject in a row may end with a call that does
// not come through, hurry how many while one breach is made simpler. Each may take
// seconds, and one is enough to know.
const (
	patience = 6
	hurry    = 3
)

func (x *examination) impatient() bool { return x.interrupted() || x.losses >= patience }

// interrupted says whether nothing more is to be begun.
func (x *examination) interrupted() bool {
	select {
	case <-x.Enough:
		return true
	case <-x.ctx.Done():
		return true
	default:
		return false
	}
}

func (x *examination) give(diags diag.List) bool {
	if !diags.HasErrors() {
		return true
	}
	if code, saw := failure(diags); code != "" {
		b := Breach{Code: answers.Code, Rule: answers.ID, Meaning: answers.Meaning, Kind: "provider", Type: x.Provider.Type, Step: "configure", Saw: saw}
		b.Source = fmt.Sprintf("provider %q {\n}\n", x.Provider.Type)
		if given := x.given(); given != "" {
			b.Source = given
		}
		if x.report.admit(&b) {
			x.report.Breaches = append(x.report.Breaches, b)
		}
	}
	x.report.Diags = x.report.Diags.With(diags)
	x.close()
	return false
}

// providerConfig is the provider's configuration: what was given, and for the
// rest as little as possible.
func (x *examination) providerConfig() (value.Bare, diag.List) {
	p := x.schemas.Provider()
	if p == nil {
		return value.MustBare(cty.EmptyObjectVal), nil
	}
	fixed, diags := x.fixed("", p.Block)
	if diags.HasErrors() {
		return value.Bare{}, diags
	}
	v := maker{random: x.random("provider"), fixed: fixed}.object(p.Block)
	var refused diag.List
	for range steering {
		_, diags := x.client.ValidateProvider(x.ctx, value.MustBare(v))
		if !diags.HasErrors() {
			return value.MustBare(v), nil
		}
		refused = diags
		next, ok := newSteer(p.Block, fixed).adjust(v, diags)
		if !ok || next.RawEquals(v) {
			break
		}
		v = next
	}
	return value.Bare{}, refused.Append(diag.Err("Provider not configured",
		"No configuration was found that the provider accepts. Give its arguments with -provider-arg=NAME=VALUE.").By(diag.Operator))
}

// failure says whether a call did not come through; then the provider's process
// is gone or in doubt, and the next call starts a new one.
func failure(diags diag.List) (code diag.Code, saw string) {
	for _, d := range diags.Errors() {
		switch d.Code {
		case wire.CodeDied, wire.CodeFailed, wire.CodeGarbled, wire.CodeUnfit:
			return d.Code, d.Summary + ": " + firstLine(d.Detail)
		}
	}
	return "", ""
}
