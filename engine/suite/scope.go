package suite

import (
	"crypto/rand"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// scope is what the expressions of a test file can refer to besides functions.
type scope struct {
	suite *Suite
	vars  map[string]value.V
	// runs are the outputs of the runs so far; later those that have none yet.
	runs  map[string]value.V
	later []string
	// open says that variables may be given values that are not known here.
	open  bool
	diags diag.List
}

// eval evaluates an expression and keeps what is wrong with it.
func (s *scope) eval(e hcl.Expression) value.V {
	x, diags := lang.CompileTest(e)
	for _, ref := range x.Refs() {
		diags = diags.With(s.available(ref))
	}
	for _, f := range x.ProviderFunctions() {
		diags = diags.Append(diag.Err("Provider function in a test file",
			"Functions of providers can be called in assertions and in the module under test, not in the other expressions of a test file.").At(f.Range))
	}
	if diags.HasErrors() {
		s.diags = s.diags.With(diags)
		return cty.DynamicVal
	}
	sc := lang.NewScope(s.names(), lang.Functions(lang.FuncOptions{
		BaseDir: ".", Files: s.suite.o.Engine.Files, Clock: s.suite.now, Random: rand.Reader,
	}))
	v, more := x.Value(sc)
	s.diags = s.diags.With(lang.Annotate(diags.With(more), x, sc))
	if more.HasErrors() {
		return cty.DynamicVal
	}
	return v
}

// available says what is wrong with a reference.
func (s *scope) available(ref lang.Ref) diag.List {
	switch ref.Kind {
	case lang.RefVar:
		if _, ok := s.vars[ref.Name]; !ok && !s.open {
			return diag.List{diag.Err("Reference to unavailable variable",
				"No value was given here for the variable \""+ref.Name+"\"."+lang.DidYouMean(ref.Name, slices.Sorted(maps.Keys(s.vars)))+" The variables block of the file can refer to values from outside of it, that of a run to those of the file, too.").At(ref.Range)}
		}
		return nil
	case lang.RefRun:
		if _, ok := s.runs[ref.Name]; !ok {
			return diag.List{evaluate.NoRun(ref, "unavailable", "unknown", s.later, slices.Sorted(maps.Keys(s.runs)))}
		}
		return nil
	case lang.RefPath, lang.RefTerraform:
		return lang.CheckName(ref)
	}
	return diag.List{diag.Err("Invalid reference", "Besides functions, only variables (var.NAME) and outputs of earlier runs (run.NAME.OUTPUT) can be referred to here, and "+ref.String()+" is neither. The objects of the module under test can be referred to in assertions.").At(ref.Range)}
}

func (s *scope) names() map[string]cty.Value {
	o := s.suite.o.Engine
	path := map[string]cty.Value{"module": cty.StringVal(o.Config.Root.Dir), "root": cty.StringVal(o.Config.Root.Dir), "cwd": cty.StringVal(o.WorkDir)}
	workspace := map[string]cty.Value{"workspace": cty.StringVal(o.Workspace), "applying": cty.False}
	vars := cty.ObjectVal(s.vars)
	if s.open {
		vars = cty.DynamicVal
	}
	return map[string]cty.Value{
		"var": vars, "run": cty.ObjectVal(s.runs), "path": cty.ObjectVal(path),
		"terraform": cty.ObjectVal(workspace), "tofu": cty.ObjectVal(workspace),
	}
}

// child is a scope in which some variables are worth something else.
func (s *scope) child(vars map[string]value.V) *scope {
	out := &scope{suite: s.suite, vars: maps.Clone(s.vars), runs: s.runs, later: s.later, open: s.open}
	maps.Copy(out.vars, vars)
	return out
}
