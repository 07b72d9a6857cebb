package verify

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Options say what to examine and how far to go.
type Options struct {
	// Open gives a new, unconfigured instance of the provider.
	Open func(context.Context) (provider.Provider, diag.List)
	// Name is what the provider is called in reproducing configurations.
	Provider addr.Provider
	// AllowApply lets objects be created, read, imported, changed, listed and
	// destroyed, data sources be read, ephemeral resources be opened and actions
	// be invoked.
	AllowApply bool
	// Types restricts the examination to these; empty means all.
	Types []string
	// Given fix arguments, by the type's name and the argument's; the empty type
	// is the provider's own configuration.
	Given map[string]map[string]string
	// Imports are ids of objects that exist, by type; each is imported.
	Imports map[string]string
	// Footprint describes what the provider can reach outside, as far as that
	// can be seen, so that traces of a plan show; nil for nothing.
	Footprint func() string
	Seed      uint64
	// Tries is how many configurations are made for a type, Shrinks how many
	// simpler ones are tried for a breach.
	Tries, Shrinks int
	// LanguageVersion is what the provider is told it is configured by.
	LanguageVersion string
	// Enough, once it is closed, lets the examination end early: no trial is begun,
	// and what the present one has made is destroyed. The context ends it at once.
	Enough <-chan struct{}
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
	// settled are configurations that were accepted, by resource type.
	settled map[string]cty.Value
	// losses count the trials in a row that ended with a call that did not come
	// through.
	losses int
	// stuck are the types of which an object could not be destroyed.
	stuck map[string]bool
}

// Run examines a provider.
func Run(ctx context.Context, o Options) *Report {
	if o.Tries <= 0 {
		o.Tries = 4
	}
	if o.Shrinks <= 0 {
		o.Shrinks = 60
	}
	x := &examination{Options: o, ctx: ctx, settled: map[string]cty.Value{}, stuck: map[string]bool{},
		report: &Report{Provider: o.Provider.String(), Applied: o.AllowApply, Seed: o.Seed}}
	defer x.close()
	if !x.ready() {
		return x.report
	}
	for _, s := range x.subjects() {
		if x.interrupted() || !x.ready() {
			break
		}
		if o.Progress != nil {
			o.Progress(s.kind, s.name)
		}
		x.examine(s)
	}
	if x.interrupted() {
		x.report.Diags = x.report.Diags.Append(diag.Err("Examination interrupted", "The report is about what was examined until then.").By(diag.Operator))
	}
	x.report.settle()
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
	for _, k := range []struct {
		kind  string
		names []string
		find  func(string) (*schema.Resource, diag.List)
	}{
		{"resource", x.schemas.TypeNames(addr.Managed), x.ofMode(addr.Managed)},
		{"data", x.schemas.TypeNames(addr.Data), x.ofMode(addr.Data)},
		{"ephemeral", x.schemas.TypeNames(addr.Ephemeral), x.ofMode(addr.Ephemeral)},
		{"list", x.schemas.TypeNames(addr.List), x.schemas.ListConfig},
		{"action", x.schemas.ActionNames(), x.schemas.Action},
	} {
		for _, name := range k.names {
			if !x.wants(name) {
				continue
			}
			s, diags := k.find(name)
			if diags.HasErrors() || s == nil {
				x.report.Diags = x.report.Diags.With(diags)
				continue
			}
			out = append(out, subject{kind: k.kind, name: name, schema: s})
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

func (x *examination) ofMode(m addr.Mode) func(string) (*schema.Resource, diag.List) {
	return func(name string) (*schema.Resource, diag.List) { return x.schemas.Type(m, name) }
}

func (x *examination) wants(name string) bool {
	return len(x.Types) == 0 || slices.Contains(x.Types, name)
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
