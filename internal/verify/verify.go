package verify

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Options say what to examine and how far to go.
type Options struct {
	// Open gives a new, unconfigured instance of the provider.
	Open func(context.Context) (provider.Provider, diag.List)
	// Name is what the provider is called in reproducing configurations.
	Provider addr.Provider
	// AllowApply lets objects be created, read, imported, changed and
	// destroyed, data sources be read and ephemeral resources be opened.
	AllowApply bool
	// Types restricts the examination to these; empty means all.
	Types []string
	// Given fix arguments, by the type's name and the argument's; the empty type
	// is the provider's own configuration.
	Given map[string]map[string]string
	Seed  uint64
	// Tries is how many configurations are made for a type, Shrinks how many
	// simpler ones are tried for a breach.
	Tries, Shrinks int
	// LanguageVersion is what the provider is told it is configured by.
	LanguageVersion string
	// Progress hears which subject is about to be examined; nil for nobody.
	Progress func(kind, name string)
}

// examination is one run.
type examination struct {
	Options
	ctx     context.Context
	client  provider.Provider
	schemas provider.Schemas
	report  *Report
	known   map[string]bool
}

// Run examines a provider.
func Run(ctx context.Context, o Options) *Report {
	if o.Tries <= 0 {
		o.Tries = 4
	}
	if o.Shrinks <= 0 {
		o.Shrinks = 60
	}
	x := &examination{Options: o, ctx: ctx, known: map[string]bool{},
		report: &Report{Provider: o.Provider.String(), Applied: o.AllowApply, Seed: o.Seed}}
	defer x.close()
	if !x.ready() {
		return x.report
	}
	for _, s := range x.subjects() {
		if x.ctx.Err() != nil || !x.ready() {
			break
		}
		if o.Progress != nil {
			o.Progress(s.kind, s.name)
		}
		x.examine(s)
	}
	slices.SortStableFunc(x.report.Breaches, func(a, b Breach) int { return int(a.Verdict) - int(b.Verdict) })
	return x.report
}

func (x *examination) close() {
	if x.client != nil {
		x.client.Close() //nolint:errcheck // nothing depends on how it ends
		x.client = nil
	}
}

// subject is what is examined: a type with its schema, or a function.
type subject struct {
	kind, name string
	schema     *schema.Resource
	function   *schema.Function
}

func (x *examination) subjects() []subject {
	var out []subject
	for _, m := range []struct {
		mode addr.Mode
		kind string
	}{{addr.Managed, "resource"}, {addr.Data, "data"}, {addr.Ephemeral, "ephemeral"}} {
		for _, name := range x.schemas.TypeNames(m.mode) {
			s, diags := x.schemas.Type(m.mode, name)
			if !x.wants(name) {
				continue
			}
			if diags.HasErrors() || s == nil {
				x.report.Diags = x.report.Diags.With(diags)
				continue
			}
			out = append(out, subject{kind: m.kind, name: name, schema: s})
		}
	}
	functions := x.schemas.Functions()
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if x.wants(name) {
			out = append(out, subject{kind: "function", name: name, function: functions[name]})
		}
	}
	return out
}

func (x *examination) wants(name string) bool {
	return len(x.Types) == 0 || slices.Contains(x.Types, name)
}

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

func (x *examination) give(diags diag.List) bool {
	if !diags.HasErrors() {
		return true
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
		prepared, diags := x.client.ValidateProvider(x.ctx, value.MustBare(v))
		if !diags.HasErrors() {
			if prepared.IsZero() {
				prepared = value.MustBare(v)
			}
			return prepared, nil
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

// random is the randomness of one subject, so that what is examined beside it
// makes no difference.
func (x *examination) random(name string) *rand.Rand {
	h := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(x.Seed, h))
}

// lost says whether a call did not come through; then the provider's process
// is gone or in doubt, and the next call starts a new one.
func lost(diags diag.List) (code diag.Code, saw string) {
	for _, d := range diags.Errors() {
		switch d.Code {
		case wire.CodeDied, wire.CodeFailed, wire.CodeGarbled, wire.CodeUnfit:
			return d.Code, d.Summary + ": " + firstLine(d.Detail)
		}
	}
	return "", ""
}

// fixed are the given arguments of a type as values of its schema.
func (x *examination) fixed(name string, b *schema.Block) (map[string]cty.Value, diag.List) {
	out := map[string]cty.Value{}
	var diags diag.List
	for _, arg := range slices.Sorted(maps.Keys(x.Given[name])) {
		t, err := cty.NilType, error(nil)
		if a := b.Attributes[arg]; a != nil {
			t = a.Type
		} else if n := b.Blocks[arg]; n != nil {
			t = n.Type()
		}
		if t == cty.NilType {
			err = fmt.Errorf("there is no such argument")
		} else {
			out[arg], err = parse(x.Given[name][arg], t)
		}
		if err != nil {
			diags = diags.Append(diag.Err("Invalid argument given", fmt.Sprintf("The value given for %s cannot be used: %s.", arg, err)).By(diag.Operator))
		}
	}
	return out, diags
}
