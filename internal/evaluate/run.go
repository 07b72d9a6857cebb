package evaluate

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Phase is what a run evaluates for. It decides what is known.
type Phase uint8

// The phases. While validating, inputs, repetition and results are unknown.
const (
	Validating Phase = iota
	Planning
	Applying
)

// Setup is what a run needs beside the program.
type Setup struct {
	Phase Phase
	// Inputs are the root variables' values, converted; a missing one is not
	// set.
	Inputs map[string]value.V
	// InputAt are the places where values of root variables stand, for those
	// that are to be pointed at rather than the declaration.
	InputAt map[string]diag.Range
	// Unfit are the errors of root variables whose values do not fit.
	Unfit map[string]diag.List
	// Lenient says that failed conditions of resources and outputs only warn,
	// since nothing is going to be built on what they are about.
	Lenient bool
	// Ending says that everything is to be destroyed, so that check blocks have
	// nothing to look at.
	Ending bool
	// Partial says that only a part of the program takes part, so that a check
	// block has an object only if it was looked at.
	Partial bool
	// Standing lets one instance stand for all where a count or for_each is not
	// known.
	Standing bool
	// StandingActions does the same for actions; what triggers them has to wait.
	StandingActions bool
	// Functions are the functions of the language for this phase.
	Functions map[string]function.Function
	// ProviderFunction makes a function that calls a provider's.
	ProviderFunction func(at addr.ProviderConfig, name string) (function.Function, diag.List)
	// Paths and names of the run.
	RootDir, WorkDir, Workspace string
}

// Run is one evaluation of a program: the module instances and the slots.
type Run struct {
	*Program
	Setup
	// modules[m.ID] are the instances of a module; slots[site.ID] the values by
	// module instance; keys[site.ID] the expansions of calls and resources.
	modules [][]Instance
	// index finds an instance of a module by its address.
	index []map[addr.ModuleInstance]int
	slots [][]value.V
	keys  [][]expand.Keys
	// starts[call.ID] are the indexes of the first instance that each calling
	// instance makes.
	starts [][]int
	checks checkBook
	// imported are the objects to import, by address.
	imported imports

	mu    sync.Mutex
	diags diag.List
}

// Instance is an instance of a module.
type Instance struct {
	Addr addr.ModuleInstance
	// Parent is the index of the calling instance in its module; Key the call's
	// key, and Repetition the each or count object of the call.
	Parent int
	Key    addr.InstanceKey
	// Uncertain says that it is not known whether, and how often, there is such
	// an instance.
	Uncertain bool
	keys      expand.Keys
}

// NewRun prepares a run. The root module has its one instance at once.
func NewRun(p *Program, s Setup) *Run {
	r := &Run{Program: p, Setup: s,
		modules: make([][]Instance, len(p.modules)),
		index:   make([]map[addr.ModuleInstance]int, len(p.modules)),
		slots:   make([][]value.V, len(p.sites)),
		keys:    make([][]expand.Keys, len(p.sites)),
		starts:  make([][]int, len(p.sites)),
	}
	r.modules[0] = []Instance{{}}
	r.index[0] = map[addr.ModuleInstance]int{{}: 0}
	return r
}

// Instances are the instances of a module.
func (r *Run) Instances(m *Module) []Instance { return r.modules[m.ID] }

// Index finds an instance of a module; ok is false when there is none.
func (r *Run) Index(m *Module, a addr.ModuleInstance) (mi int, ok bool) {
	mi, ok = r.index[m.ID][a]
	return mi, ok
}

// Report adds diagnostics of the run.
func (r *Run) Report(l diag.List) {
	if len(l) == 0 {
		return
	}
	r.mu.Lock()
	r.diags = r.diags.With(l)
	r.mu.Unlock()
}

// Crashed reports a panic of the engine's as what it is: a mistake of plumb's.
// What was done before is safe.
func (r *Run) Crashed(what string, panicked any) {
	r.Report(diag.List{Crash(what, panicked)})
}

// Crash is the diagnostic of a panic in the engine; a function that recovered from it
// asks for it, so that the trace has the place.
func Crash(what string, panicked any) diag.Diag {
	return diag.Err("Plumb crashed",
		fmt.Sprintf("While working on %s, plumb ran into a mistake of its own: %v\n\nEverything that was done before is in the state. Please report this with the following trace.\n\n%s", what, panicked, debug.Stack())).By(diag.Engine)
}

// Diags are the diagnostics so far.
func (r *Run) Diags() diag.List {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append(diag.List(nil), r.diags...)
}

// Slot is the value of a site in a module instance. Only a dependant of the
// site may ask.
func (r *Run) Slot(s *Site, mi int) value.V {
	if mi < len(r.slots[s.ID]) {
		return r.slots[s.ID][mi]
	}
	return cty.NilVal
}

// Put writes the slot of a site: one value a module instance.
func (r *Run) Put(s *Site, values []value.V) { r.slots[s.ID] = values }

// Keys are the instance keys of a resource in a module instance, set by Expand.
func (r *Run) Keys(s *Site, mi int) expand.Keys { return r.keys[s.ID][mi] }

// Evaluate runs a site that is not a resource or a provider. It says whether
// the site's values can be used.
func (r *Run) Evaluate(s *Site) bool {
	if s.broken && s.Kind != Call {
		return r.each(s, func(int) (value.V, diag.List) { return cty.DynamicVal, nil })
	}
	switch s.Kind {
	case Variable:
		return r.variable(s)
	case Local:
		return r.each(s, func(mi int) (value.V, diag.List) {
			return s.Local.Eval(r.Scope(s, mi), cty.DynamicPseudoType)
		})
	case Output:
		return r.output(s)
	case Call:
		return r.call(s)
	case Check:
		return r.check(s)
	case Import:
		return r.importing(s)
	}
	return true
}

// each fills the slot of a site with one evaluation a module instance.
func (r *Run) each(s *Site, eval func(mi int) (value.V, diag.List)) bool {
	n := len(r.modules[s.Module.ID])
	out, ok := make([]value.V, n), true
	for mi := range n {
		v, diags := eval(mi)
		r.Report(diags)
		out[mi], ok = v, ok && !diags.HasErrors()
	}
	r.Put(s, out)
	return ok
}

// call expands a module call in every instance of the calling module.
func (r *Run) call(s *Site) bool {
	if s.Call.Module == nil {
		return false
	}
	parents := r.modules[s.Module.ID]
	r.keys[s.ID] = make([]expand.Keys, len(parents))
	var out []Instance
	for mi, parent := range parents {
		keys, diags := r.repeat(s, mi, s.Call.Repetition)
		r.Report(diags)
		if diags.HasErrors() && r.Phase != Validating {
			return false
		}
		r.keys[s.ID][mi] = keys
		r.starts[s.ID] = append(r.starts[s.ID], len(out))
		for key := range keys.All() {
			out = append(out, Instance{Addr: parent.Addr.Child(s.Call.Config.Name, key), Parent: mi, Key: key, keys: keys,
				Uncertain: parent.Uncertain || keys.IsUnknown()})
		}
	}
	r.modules[s.Call.Module.ID] = out
	index := make(map[addr.ModuleInstance]int, len(out))
	for i, inst := range out {
		index[inst.Addr] = i
	}
	r.index[s.Call.Module.ID] = index
	return true
}

// Expand computes the instance keys of a resource in every module instance.
func (r *Run) Expand(s *Site) bool {
	n := len(r.modules[s.Module.ID])
	r.keys[s.ID] = make([]expand.Keys, n)
	ok := true
	for mi := range n {
		keys, diags := r.repeat(s, mi, s.Resource.Repetition)
		r.Report(diags)
		r.keys[s.ID][mi], ok = keys, ok && !diags.HasErrors()
	}
	return ok
}

// repeat evaluates a repetition. While validating there is one instance that
// stands for all.
func (r *Run) repeat(s *Site, mi int, rep Repetition) (expand.Keys, diag.List) {
	if s.broken {
		return expand.Unknown(cty.DynamicVal, rep.Count != nil, rep.ForEach != nil), nil
	}
	var x *lang.Expr
	var decide func(value.V, diag.Range) (expand.Keys, diag.List)
	switch {
	case rep.Count != nil:
		x, decide = rep.Count, expand.Count
	case rep.ForEach != nil && s.Kind == Import:
		x, decide = rep.ForEach, expand.ForImport
	case rep.ForEach != nil:
		x, decide = rep.ForEach, expand.ForEach
	case rep.Enabled != nil:
		x, decide = rep.Enabled, expand.Enabled
	default:
		return expand.Single(), nil
	}
	v, diags := x.Eval(r.Scope(s, mi), cty.DynamicPseudoType)
	if diags.HasErrors() {
		return expand.Unknown(cty.DynamicVal, rep.Count != nil, rep.ForEach != nil), diags
	}
	keys, more := decide(v, x.Range())
	if r.Phase == Validating {
		more = slices.DeleteFunc(more, func(d diag.Diag) bool { return d.Unknown }) // no problem yet
		return expand.Unknown(v, rep.Count != nil, rep.ForEach != nil), diags.With(more)
	}
	if standing, ok := r.standing(s, keys); ok {
		return standing, diags
	}
	for _, d := range more {
		diags = append(diags, x.Annotate(d, r.Scope(s, mi), lang.Causes{Unknown: d.Unknown && rep.Count == nil, Sensitive: d.Sensitive}))
	}
	return keys, diags
}

func (r *Run) output(s *Site) bool {
	return r.each(s, func(mi int) (value.V, diag.List) {
		sc := r.Scope(s, mi)
		object := addr.AbsOutput{Module: r.modules[s.Module.ID][mi].Addr, Name: s.Output.Config.Name}
		diags := r.Conditions(s.Output.Preconditions, sc, Subject{
			Kind: "output", Config: s.Addr(), Object: object.String(),
			Summary: "Module output value precondition failed", Severity: diag.Error, Standing: r.modules[s.Module.ID][mi].Uncertain})
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		v, more := s.Output.Expr.Eval(sc, cty.DynamicPseudoType)
		diags = diags.With(more)
		if more.HasErrors() {
			return cty.DynamicVal, diags
		}
		v, more = r.outputValue(s, v)
		return v, diags.With(more)
	})
}

// outputValue converts an output's value to its type and marks it.
func (r *Run) outputValue(s *Site, v value.V) (value.V, diag.List) {
	cfg := s.Output.Config
	var diags diag.List
	if cfg.Type != cty.NilType && cfg.Type != cty.DynamicPseudoType {
		converted, err := lang.ConvertOutput(v, cfg)
		if err != nil {
			return cty.DynamicVal, diag.List{diag.Err("Invalid output value",
				"The value is not of the type that the output declares: "+err.Error()+".").At(s.Output.Expr.Range())}
		}
		v = converted
	}
	root := s.Module.Config.Path.IsRoot()
	if root && !cfg.Sensitive && value.Contains(v, value.Sensitive) {
		diags = append(diags, diag.Err("Output refers to sensitive values",
			"A root module output would show a sensitive value to everyone who runs plumb or reads the outputs of this state. If that is meant, say so with:\n    sensitive = true").At(cfg.Range))
	}
	if !cfg.Ephemeral && value.Contains(v, value.Ephemeral) {
		diags = append(diags, diag.Err("Ephemeral value not allowed",
			"This output value is not declared ephemeral, so it would be kept beyond this run. Declare it with ephemeral = true, or leave the ephemeral parts out.").At(s.Output.Expr.Range()))
	}
	if root && !cfg.Ephemeral {
		if at, is := value.Infinite(v); is {
			diags = append(diags, infiniteOutput(at, s.Output.Expr.Range()))
		}
	}
	if cfg.Sensitive {
		v = value.Mark(v, value.Sensitive)
	}
	if cfg.Ephemeral {
		v = value.Mark(v, value.Ephemeral)
	}
	if cfg.Deprecated != "" {
		v = value.MarkDeprecated(v, cfg.Deprecated)
	}
	return v, diags
}
