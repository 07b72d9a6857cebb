package suite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// fileRun is the work on one test file.
type fileRun struct {
	*Suite
	f *File
	// given are the values from outside, vars the values by which the file's
	// expressions know them and those of the file's variables block.
	given map[string]engine.Input
	vars  map[string]value.V
	// outputs are those of the runs so far, by the run's name.
	outputs map[string]value.V
	// kept are the states by key, order their keys in the order of their first
	// use.
	kept  map[string]*kept
	order []string
	// validated are the modules under test that were checked, by their directory.
	validated map[string]diag.List
	// told is what was said once.
	told map[strayNote]bool
	// open says that variables may be given values that are not known yet.
	open bool
	// over says that the remaining runs are skipped.
	over bool
}

// kept is a state that lives as long as its file, with what its last run was
// carried out with.
type kept struct {
	snapshot *state.Snapshot
	run      *TestRun
	stage    *stage
}

// Write implements engine.Store: the state is kept in memory.
func (k *kept) Write(_ context.Context, s *state.Snapshot) error {
	k.snapshot = s
	return nil
}

// begin evaluates what belongs to the file as a whole.
func (x *fileRun) begin() {
	cfg := x.f.Config
	x.vars, x.outputs, x.given = map[string]value.V{}, map[string]value.V{}, map[string]engine.Input{}
	if x.o.Given != nil {
		x.given = x.o.Given(cfg)
	}
	root := x.o.Engine.Config.Root
	var diags diag.List
	for _, name := range slices.Sorted(maps.Keys(x.given)) {
		declared := cfg.Declared[name]
		if declared == nil {
			declared = root.Variables[name]
		}
		v, more := outside(x.given[name], declared)
		diags = diags.With(more)
		x.vars[name] = v
	}
	for name, v := range root.Variables {
		if _, given := x.vars[name]; !given && !v.Required() && cfg.Declared[name] == nil {
			x.vars[name], _ = lang.ConvertVariable(cty.NilVal, v) // loading has converted it
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Declared)) {
		if _, given := x.vars[name]; given {
			continue
		}
		v, more := lang.ConvertVariable(cty.NilVal, cfg.Declared[name])
		if cfg.Declared[name].Required() && cfg.Values[name] == nil {
			more = diag.List{diag.Err("No value for required variable", fmt.Sprintf("The variable %q of this test file has no default and was given no value. Give one in the variables block, with -var, in a variables file or in the environment variable TF_VAR_%s.", name, name)).At(cfg.Declared[name].Range).By(diag.Operator)}
		}
		diags = diags.With(more)
		x.vars[name] = v
	}
	sc := &scope{suite: x.Suite, vars: x.vars, later: later(x.f.Runs, 0)}
	x.vars = sc.child(evaluated(sc, cfg.Values)).vars
	x.f.Diags = diags.With(sc.diags)
	x.f.Status = statusOf(x.f.Diags, Pending)
	x.over = x.f.Diags.HasErrors()
}

// outside is a value from outside of the test file; without a declaration a text
// is a string.
func outside(in engine.Input, declared *config.Variable) (value.V, diag.List) {
	if declared != nil {
		return engine.Convert(in, declared)
	}
	if in.Value != cty.NilVal {
		return in.Value, nil
	}
	return cty.StringVal(in.Text), nil
}

// step makes the i-th run, or skips it.
func (x *fileRun) step(ctx context.Context, i int) {
	r := x.f.Runs[i]
	if x.over || x.Stopped() || ctx.Err() != nil {
		r.Status = Skip
		x.o.Observer.Run(x.f, r, Complete)
		return
	}
	r.Began, r.Status = x.now(), Pass
	x.o.Observer.Run(x.f, r, Starting)
	x.run(ctx, i)
	r.Took = x.now().Sub(r.Began)
	x.over = r.Status == Error
	x.o.Observer.Run(x.f, r, Complete)
}

func (x *fileRun) run(ctx context.Context, i int) {
	r := x.f.Runs[i]
	st, diags := x.stage(ctx, i)
	if r.Diags = diags; diags.HasErrors() {
		r.Status = Error
		return
	}
	e := x.current().For(st.tree, st.doubles)
	x.work(e, func() {
		if found := x.validate(ctx, e, st); found.HasErrors() {
			r.Diags, r.Status = r.Diags.With(found), Error
			return
		}
		x.carryOut(ctx, e, st, i)
	})
}

// validate checks a module under test, once a file: its providers are the file's.
func (x *fileRun) validate(ctx context.Context, e *engine.Engine, st *stage) diag.List {
	dir := st.tree.Root.Dir
	found, done := x.validated[dir]
	if !done {
		found = e.Validate(ctx).Errors()
		x.validated[dir] = found
	}
	return found
}

// carryOut plans, applies unless the run only plans, and judges what came of it.
func (x *fileRun) carryOut(ctx context.Context, e *engine.Engine, st *stage, i int) {
	r := x.f.Runs[i]
	v := &verdict{run: r, under: st.tree.Root, expected: r.Config.ExpectFailures, seen: map[int]bool{}, strict: !x.o.Engine.Dialect.Yes(settings.TestRunsIndependent)}
	k := x.state(r)
	asked := &engine.Questions{Asked: x.asked(st, i)}
	options := x.planOptions(r, st, k)
	if r.Config.PlanOnly {
		options.Questions = asked
	}
	doc, diags := e.Plan(ctx, options)
	if r.Config.PlanOnly {
		r.Plan = doc
		v.judge(diags, asked)
		x.outputs[r.Name()] = outputs(st.tree.Root, asked.Outputs, cty.DynamicVal)
		return
	}
	if diags.HasErrors() {
		v.early(diags)
		return
	}
	v.warn(diags)
	if x.kept[x.key(r)] == nil {
		x.kept[x.key(r)] = k
		x.order = append(x.order, x.key(r))
	}
	k.run, k.stage = r, st
	after, diags := e.Apply(ctx, doc, engine.ApplyOptions{Store: k, Variables: st.inputs, Questions: asked})
	k.snapshot, r.State = after, after
	v.judge(diags, asked)
	x.outputs[r.Name()] = outputs(st.tree.Root, asked.Outputs, cty.NullVal(cty.DynamicPseudoType))
}

// asked are the assertions of the i-th run and what they can refer to.
func (x *fileRun) asked(st *stage, i int) engine.Asked {
	return engine.Asked{Conditions: x.f.Runs[i].Config.Asserts, Variables: st.vars, Runs: x.outputs, Later: later(x.f.Runs, i), AnyVariable: x.open}
}

// state is the state of a run; a new one where no run has had it.
func (x *fileRun) state(r *TestRun) *kept {
	if k := x.kept[x.key(r)]; k != nil {
		return k
	}
	return &kept{snapshot: state.New(x.lineage())}
}

// key names the state of a run: as it says, or by its module.
func (x *fileRun) key(r *TestRun) string {
	switch {
	case r.Config.StateKey != "":
		return "key " + r.Config.StateKey
	case r.Config.Module != nil:
		return "module " + r.Config.Module.Source
	}
	return ""
}

func (x *fileRun) planOptions(r *TestRun, st *stage, k *kept) engine.PlanOptions {
	o := r.Config.Options
	mode := plan.Normal
	if o.RefreshOnly {
		mode = plan.RefreshOnly
	}
	return engine.PlanOptions{
		Mode: mode, State: k.snapshot, Variables: st.inputs,
		Targets: o.Targets, Replace: o.Replace, SkipRefresh: o.SkipRefresh,
	}
}

// outputs are the outputs of a run as later runs see them; those that were not
// evaluated are worth other.
func outputs(m *config.Module, found map[string]cty.Value, other cty.Value) value.V {
	attrs := map[string]cty.Value{}
	for name := range m.Outputs {
		attrs[name] = other
		if v, ok := found[name]; ok {
			attrs[name] = v
		}
	}
	return cty.ObjectVal(attrs)
}
