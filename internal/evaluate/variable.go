package evaluate

import (
	"strconv"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// variable computes an input variable in every instance of its module.
func (r *Run) variable(s *Site) bool {
	n := len(r.modules[s.Module.ID])
	out, ok := make([]value.V, n), true
	for mi := range n {
		v, diags := r.argument(s, mi)
		if !diags.HasErrors() {
			v = r.markVariable(s, v)
		}
		r.Report(diags)
		out[mi], ok = v, ok && !diags.HasErrors()
	}
	r.Put(s, out)
	if !ok {
		return false
	}
	return r.validate(s)
}

// argument is the value given to a variable, or its default.
func (r *Run) argument(s *Site, mi int) (value.V, diag.List) {
	cfg := s.Variable.Config
	switch {
	case s.Module.Parent == nil:
		if unfit := r.Unfit[cfg.Name]; unfit.HasErrors() {
			return cty.DynamicVal, unfit
		}
		if v, ok := r.Inputs[cfg.Name]; ok {
			return v, nil
		}
		if r.Phase == Validating {
			return cty.UnknownVal(cfg.Type), nil
		}
		return lang.ConvertVariable(cty.NilVal, cfg)
	case s.Variable.Arg == nil:
		return lang.ConvertVariable(cty.NilVal, cfg)
	}
	v, diags := s.Variable.Arg.Eval(r.argumentScope(s, mi), cty.DynamicPseudoType)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if value.Contains(v, value.Ephemeral) && !cfg.Ephemeral {
		return cty.DynamicVal, append(diags, diag.Err("Ephemeral value not allowed",
			"The input variable "+strconv.Quote(cfg.Name)+" of the module is not declared ephemeral, so it does not take values that must not outlive this run.").At(s.Variable.Arg.Range()))
	}
	v, more := lang.ConvertVariable(v, cfg)
	return v, diags.With(at(more, s.Variable.Arg.Range()))
}

// argumentScope is the caller's scope for the argument of a variable.
func (r *Run) argumentScope(s *Site, mi int) *lang.Scope {
	inst := r.modules[s.Module.ID][mi]
	base := lang.NewScope(r.names(s.Variable.argLinks, s.Module.Parent, inst.Parent), r.functions(s)).Without(s.lost)
	return ObjectScope(base, inst.keys, inst.Key)
}

func (r *Run) markVariable(s *Site, v value.V) value.V {
	if s.Variable.Config.Sensitive {
		v = value.Mark(v, value.Sensitive)
	}
	if s.Variable.Config.Ephemeral {
		v = value.Mark(v, value.Ephemeral)
	}
	return v
}

// validate evaluates the validation rules of a variable. Where nothing has been
// planned, a root variable has no value that could be refused.
func (r *Run) validate(s *Site) bool {
	if len(s.Variable.Validations) == 0 {
		return true
	}
	ok, shown := true, r.valueRange(s)
	for mi := range r.modules[s.Module.ID] {
		object := dotted(r.modules[s.Module.ID][mi].Addr.String(), s.Name)
		diags := r.Conditions(s.Variable.Validations, r.Scope(s, mi), Subject{
			Kind: "var", Config: s.Addr(), Object: object,
			Summary: "Invalid value for variable", Severity: diag.Error, At: &shown,
			Standing: r.modules[s.Module.ID][mi].Uncertain,
			Unasked:  r.Phase == Validating && s.Module.Parent == nil})
		r.Report(diags)
		ok = ok && !diags.HasErrors()
	}
	return ok
}

// valueRange is what a failed validation points at: the caller's argument, or
// the declaration for root variables.
func (r *Run) valueRange(s *Site) diag.Range {
	if s.Variable.Arg != nil {
		return s.Variable.Arg.Range()
	}
	if at, known := r.InputAt[s.Variable.Config.Name]; known && s.Module.Parent == nil {
		return at
	}
	return s.Variable.Config.Range
}

// at points diagnostics at r.
func at(l diag.List, r diag.Range) diag.List {
	for i := range l {
		l[i] = l[i].At(r)
	}
	return l
}

// providerFunction resolves provider::NAME::FUNC called in a site.
func (r *Run) providerFunction(s *Site, f lang.FuncRef) (function.Function, bool) {
	at, ok := providerOf(s.Module, f)
	if !ok || r.ProviderFunction == nil {
		return function.Function{}, false
	}
	fn, diags := r.ProviderFunction(at, f.Name)
	return fn, !diags.HasErrors()
}

func itoa(n int) string { return strconv.Itoa(n) }

func dotted(module, rest string) string {
	if module == "" {
		return rest
	}
	return module + "." + rest
}

// Remaining are the keys of a managed resource's instances in a run that neither
// makes nor removes any: those that were there before, in the configuration or
// not, and that has says are there still. A resource of which the state before
// had nothing has all its keys; what they are worth is not known.
func (r *Run) Remaining(s *Site, mi int, before *state.Snapshot, has func(addr.AbsInstance) bool) expand.Keys {
	keys := r.Keys(s, mi)
	at := addr.AbsResource{Module: r.modules[s.Module.ID][mi].Addr, Resource: s.Resource.Addr.Resource}
	stored := before.Resource(at)
	if at.Resource.Mode != addr.Managed || stored == nil {
		return keys
	}
	return keys.Among(func(yield func(addr.InstanceKey) bool) {
		for inst := range stored.Instances() {
			if has(at.Instance(inst.Key())) && !yield(inst.Key()) {
				return
			}
		}
	})
}

// InstanceAddr is the address of a resource instance.
func (r *Run) InstanceAddr(s *Site, mi int, key addr.InstanceKey) addr.AbsInstance {
	return addr.AbsInstance{Module: r.modules[s.Module.ID][mi].Addr, Resource: s.Resource.Addr.Resource, Key: key}
}
