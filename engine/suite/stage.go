package suite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/provider/mock"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// stage is what a run is carried out with.
type stage struct {
	tree    *config.Tree
	doubles *doubles
	inputs  map[string]engine.Input
	// vars are what the names of variables are worth in the run's assertions.
	vars map[string]value.V
}

// stage prepares a run: the module under test with the providers and values that
// the test gives it.
func (x *fileRun) stage(ctx context.Context, i int) (*stage, diag.List) {
	r := x.f.Runs[i].Config
	under := x.o.Engine.Config
	if r.Module != nil {
		if under = r.Tree; under == nil {
			return nil, diag.List{diag.Err("Module not installed", "The module of this run has not been installed. Run \"plumb init\".").At(r.Module.Range).By(diag.Operator)}
		}
	}
	before := &scope{suite: x.Suite, vars: x.vars, runs: x.outputs, later: later(x.f.Runs, i), open: x.open}
	sc := before.child(evaluated(before, r.Values))
	st := &stage{vars: sc.vars, doubles: newDoubles(x.Suite)}
	if wrong := before.diags.With(expectable(r.ExpectFailures)); wrong.HasErrors() {
		return nil, wrong
	}
	var diags diag.List
	st.inputs, diags = x.inputs(r, under.Root, sc)
	b := &builder{Suite: x.Suite, told: x.told, stage: st, file: before, run: sc, f: x.f.Config, r: r, main: x.o.Engine.Config.Root, under: under.Root, atPlan: x.o.Engine.Dialect.Yes(settings.MockValuesKnown)}
	providers := b.providers(ctx)
	b.overrides(ctx)
	b.strayTargets(b.f.Overrides, b.tested()...)
	st.tree = under.With(func(m *config.Module) {
		if m.Parent == nil {
			m.Providers = providers
		}
		if o := b.modules[m.Path]; o.by != nil && m.Parent != nil {
			b.replaceModule(m, o.by, o.values)
		}
	})
	return st, diags.With(b.diags).With(before.diags).With(sc.diags)
}

// evaluated are the values of a variables block.
func evaluated(s *scope, given map[string]*config.TestValue) map[string]value.V {
	out := make(map[string]value.V, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		out[name] = s.eval(given[name].Expr)
	}
	return out
}

// inputs are the values for the variables of the module under test: those of the
// run, of the file, or from outside, in this order.
func (x *fileRun) inputs(r *config.TestRun, under *config.Module, sc *scope) (map[string]engine.Input, diag.List) {
	out := map[string]engine.Input{}
	var diags diag.List
	for name, in := range x.given {
		if under.Variables[name] != nil {
			out[name] = in
		}
	}
	for _, values := range []map[string]*config.TestValue{x.f.Config.Values, r.Values} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			v := values[name]
			if under.Variables[name] != nil {
				at := hcldiag.RangeOf(v.Expr.Range())
				if value.Contains(sc.vars[name], value.Ephemeral) && !under.Variables[name].Ephemeral {
					diags = diags.Append(diag.Err("Ephemeral value not allowed",
						fmt.Sprintf("The variable %q of the module under test is not declared ephemeral, so it does not take values that must not outlive a run.", name)).At(at))
					continue
				}
				out[name] = engine.Input{Value: sc.vars[name], Source: engine.FromCaller, Range: &at}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if under.Variables[name] == nil {
			diags = diags.Append(diag.Warn("Value for undeclared variable",
				fmt.Sprintf("The module under test has no variable %q, so only this test knows the value that run %q gives it.%s", name, r.Name, lang.DidYouMean(name, slices.Sorted(maps.Keys(under.Variables))))).At(r.Values[name].Range))
		}
	}
	return out, diags
}

// builder puts together what a test says of providers.
type builder struct {
	*Suite
	*stage
	// file is the scope of what the file says, run of what the run does.
	file, run   *scope
	f           *config.TestFile
	r           *config.TestRun
	main, under *config.Module
	// atPlan is the dialect's reading: generated values are known when planned.
	atPlan  bool
	modules map[addr.Module]replaced
	// placed are the configurations of the module under test that a mocked one of the
	// test file stands for.
	placed map[config.ProviderKey][]config.ProviderKey
	told   map[strayNote]bool
	diags  diag.List
}

// providers are the provider blocks of the module under test: its own, replaced by
// those of the test file.
func (b *builder) providers(ctx context.Context) map[config.ProviderKey]*config.Provider {
	b.placed = map[config.ProviderKey][]config.ProviderKey{}
	out := maps.Clone(b.under.Providers)
	if out == nil {
		out = map[config.ProviderKey]*config.Provider{}
	}
	if b.r.ProvidersSet {
		for _, p := range b.r.Providers {
			b.passed(ctx, p, out)
		}
		return out
	}
	for key := range b.f.Providers {
		b.place(ctx, key, key, out)
	}
	for key := range b.f.Mocks {
		b.place(ctx, key, key, out)
	}
	return out
}

// passed places one entry of the providers argument.
func (b *builder) passed(ctx context.Context, p config.PassedProvider, out map[config.ProviderKey]*config.Provider) {
	child, parent := p.Child.ProviderKey, p.Parent.ProviderKey
	own := b.main.Providers[parent]
	if b.main != b.under {
		own = nil
	}
	if own == nil && b.f.Providers[parent] == nil && b.f.Mocks[parent] == nil {
		b.diags = b.diags.Append(diag.Err("Missing provider definition for "+parent.String(), "The module under test is to use it, and this test file has no provider or mock_provider block for it.").At(p.Parent.Range))
		return
	}
	if got, want := b.o.Engine.Config.TestProvider(b.f, parent.Name), b.under.ProviderSource(child.Name); got != want {
		b.diags = b.diags.Append(diag.Err("Provider type mismatch", "The local name \""+parent.Name+"\" stands for "+got.String()+" here, but \""+child.Name+"\" in the module under test stands for "+want.String()+".").At(p.Parent.Range))
		return
	}
	if b.place(ctx, child, parent, out) {
		return
	}
	moved := *own
	moved.Key = child
	out[child] = &moved
}

// place puts a configuration of the test file where the module has one called key.
func (b *builder) place(ctx context.Context, key, from config.ProviderKey, out map[config.ProviderKey]*config.Provider) bool {
	forEach := func(e hcl.Expression) hcl.Expression {
		if e == nil {
			return nil
		}
		return lang.Constant(b.file.eval(e), e.Range())
	}
	if p := b.f.Providers[from]; p != nil {
		placed := *p
		placed.Key, placed.ForEach, placed.Config = key, forEach(p.ForEach), lang.Bind(p.Config, b.file.eval)
		out[key] = &placed
		return true
	}
	m := b.f.Mocks[from]
	if m == nil {
		return false
	}
	b.placed[from] = append(b.placed[from], key)
	out[key] = &config.Provider{Key: key, Mock: true, ForEach: forEach(m.ForEach), Range: m.Range}
	b.doubles.mocks[doubled{b.under.ProviderSource(key.Name), key.Alias}] = b.mocked(ctx, b.under.ProviderSource(key.Name), m)
	return true
}

// mocked is what a mocked provider answers with.
func (b *builder) mocked(ctx context.Context, source addr.Provider, m *config.MockProvider) mock.Spec {
	spec := mock.Spec{Types: map[mock.Key]mock.Values{}, Other: mock.Values{AtPlan: b.known(m.During)}, Strings: b.doubles.strings}
	for key, t := range m.Types {
		at, given := t.Range, b.object(b.file, t.Defaults, "defaults")
		b.strayValues(ctx, source, key.Mode, key.Type, given, at)
		spec.Types[mock.Key(key)] = mock.Values{Given: given, AtPlan: b.known(t.During.Or(m.During)), Range: &at}
	}
	return spec
}

// known says whether made up values are known when planned.
func (b *builder) known(t config.MockTime) bool {
	return t == config.MockAtPlan || t == config.MockUndecided && b.atPlan
}

// object evaluates the values that are given for attributes.
func (b *builder) object(in *scope, e hcl.Expression, what string) cty.Value {
	if e == nil {
		return cty.NilVal
	}
	v := value.Strip(in.eval(e)).Cty()
	if t := v.Type(); v.IsNull() || !v.IsKnown() || !t.IsObjectType() && !t.IsMapType() {
		if v != cty.DynamicVal {
			b.diags = b.diags.Append(diag.Err("Invalid "+what+" attribute", "The argument \""+what+"\" is an object: { NAME = VALUE, ... }.").At(hcldiag.RangeOf(e.Range())))
		}
		return cty.NilVal
	}
	return v
}

// overrides collects what is said of single objects and modules. The most
// particular place counts: the run, then the file, then the mocked provider.
func (b *builder) overrides(ctx context.Context) {
	b.modules = map[addr.Module]replaced{}
	for _, p := range sortedMocks(b.f.Mocks) {
		mine := slices.DeleteFunc(slices.Clone(p.Overrides), func(o *config.Override) bool { return !b.serves(p, o) })
		b.override(ctx, b.file, mine, p.During)
	}
	b.override(ctx, b.file, b.f.Overrides, config.MockUndecided)
	b.override(ctx, b.run, b.r.Overrides, config.MockUndecided)
	b.strayTargets(b.r.Overrides, b.under)
}

// serves says whether a mocked configuration has the objects that its override is
// about. Which one those of called modules have is not followed: any that the run
// has may be theirs.
func (b *builder) serves(p *config.MockProvider, o *config.Override) bool {
	keys := b.placed[p.Key]
	if r := b.declared(o.Target); r != nil && !o.OfModule() && o.Target.Module.IsRoot() {
		return slices.Contains(keys, r.Provider.ProviderKey)
	}
	return len(keys) > 0
}

func (b *builder) override(ctx context.Context, in *scope, list []*config.Override, during config.MockTime) {
	for _, o := range list {
		if o.OfModule() {
			b.modules[o.Target.Module.Module()] = replaced{o, b.object(in, o.Values, "outputs")}
			continue
		}
		at, given := o.Range, b.object(in, o.Values, "values")
		if r := b.declared(o.Target); r != nil {
			b.strayValues(ctx, r.Source, r.Addr.Mode, r.Addr.Type, given, at)
		}
		v := mock.Values{Given: given, AtPlan: b.known(o.During.Or(during)), Range: &at}
		b.doubles.add(o.Target, v)
	}
}

// replaced is what stands in for a module: values for its outputs.
type replaced struct {
	by     *config.Override
	values cty.Value
}

func sortedMocks(m map[config.ProviderKey]*config.MockProvider) []*config.MockProvider {
	by := map[string]*config.MockProvider{}
	for key, p := range m {
		by[key.String()] = p
	}
	var out []*config.MockProvider
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[name])
	}
	return out
}

// replaceModule leaves nothing of a module but its variables and its outputs, which
// are worth what is given for them, or null.
func (b *builder) replaceModule(m *config.Module, o *config.Override, given cty.Value) {
	outputs := map[string]*config.Output{}
	for name, out := range m.Outputs {
		v := cty.NullVal(cty.DynamicPseudoType)
		if given != cty.NilVal && has(given, name) {
			v = attribute(given, name)
		}
		replaced := *out
		replaced.Expr, replaced.Preconditions, replaced.DependsOn = lang.Constant(v, out.Expr.Range()), nil, nil
		outputs[name] = &replaced
	}
	variables := map[string]*config.Variable{}
	for name, v := range m.Variables {
		free := *v
		free.Validations = nil
		variables[name] = &free
	}
	b.strayOutputs(m, o, given)
	m.Outputs, m.Variables = outputs, variables
	m.Providers, m.Locals, m.Calls, m.Children = nil, nil, nil, nil
	m.Resources, m.Actions, m.Checks = nil, nil, nil
	m.Moved, m.Removed, m.Imports = nil, nil, nil
}

func has(object cty.Value, name string) bool {
	if object.Type().IsObjectType() {
		return object.Type().HasAttribute(name)
	}
	return object.HasIndex(cty.StringVal(name)).True()
}

func attribute(object cty.Value, name string) cty.Value {
	if object.Type().IsObjectType() {
		return object.GetAttr(name)
	}
	return object.Index(cty.StringVal(name))
}
