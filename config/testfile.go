package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
)

// DefaultTestDir is where test files are besides the root module's directory.
const DefaultTestDir = "tests"

// TestFile is a file of tests (*.tftest.hcl, *.tftest.json, *.tofutest.…): runs
// that follow each other, and what they share.
type TestFile struct {
	// Name is the file's path from the working directory, by which ranges and
	// people call it.
	Name string
	// Parallel is the default of the runs.
	Parallel bool
	// Values are the arguments of the variables block, Declared the variable
	// blocks.
	Values   map[string]*TestValue
	Declared map[string]*Variable
	// Providers are the provider blocks, Mocks the mock_provider blocks. No key
	// is in both.
	Providers map[ProviderKey]*Provider
	Mocks     map[ProviderKey]*MockProvider
	Overrides []*Override
	Runs      []*TestRun
}

// TestValue is a value given to a variable.
type TestValue struct {
	Name  string
	Expr  hcl.Expression
	Range diag.Range
}

// TestRun is a run block: one plan, or a plan that is applied, and what has to be
// true of it.
type TestRun struct {
	Name string
	// PlanOnly is set for command = plan.
	PlanOnly bool
	Options  TestPlanOptions
	Values   map[string]*TestValue
	// Module is the block that names another module to run; nil when the root
	// module is under test. Tree is that module, nil while it is not installed.
	Module  *ModuleCall
	Tree    *Tree
	Asserts []*Condition
	// ExpectFailures are the objects whose conditions have to fail.
	ExpectFailures []TestReference
	// Providers are the module's configurations and those of the test file that
	// they are; ProvidersSet says whether the argument is written.
	Providers    []PassedProvider
	ProvidersSet bool
	Overrides    []*Override
	// StateKey names the state of the run; "" for that of its module.
	StateKey string
	Parallel bool
	Range    diag.Range
}

// TestPlanOptions are the options of a run's plan.
type TestPlanOptions struct {
	RefreshOnly, SkipRefresh bool
	Targets                  []addr.Target
	Replace                  []addr.AbsInstance
}

// TestReference names an object of the module under test.
type TestReference struct {
	Traversal hcl.Traversal
	Range     diag.Range
}

// MockTime says when the values that stand for a provider's become known.
type MockTime uint8

// The times. Undecided is for whoever is asked next: the block around, then the
// dialect.
const (
	MockUndecided MockTime = iota
	MockAtPlan
	MockAtApply
)

// Or is t, or else u when t does not decide.
func (t MockTime) Or(u MockTime) MockTime {
	if t == MockUndecided {
		return u
	}
	return t
}

// MockProvider is a mock_provider block, with what its source directory says.
type MockProvider struct {
	Key     ProviderKey
	ForEach hcl.Expression
	During  MockTime
	Types   map[MockKey]*MockType
	// Overrides are for the objects of this provider configuration.
	Overrides []*Override
	Range     diag.Range
}

// MockKey names a type that is mocked.
type MockKey struct {
	Mode addr.Mode
	Type string
}

// MockType are the values that stand for those of a provider in all objects of a
// type.
type MockType struct {
	Key MockKey
	// Defaults is an object of values by attribute; nil for none.
	Defaults hcl.Expression
	During   MockTime
	Range    diag.Range
}

// Override is an override_resource, override_data or override_module block.
type Override struct {
	Target      addr.Target
	TargetRange diag.Range
	// Values is an object of values by attribute, or of a module's outputs by
	// name; nil for none.
	Values hcl.Expression
	During MockTime
	Range  diag.Range
}

// OfModule says whether it is a whole module that is replaced.
func (o *Override) OfModule() bool { return !o.Target.HasResource }

// TestProvider is the provider that a local name stands for in a test file: that
// which the root module says, else one of the modules that its runs name.
func (t *Tree) TestProvider(f *TestFile, name string) addr.Provider {
	if t.Root.Settings.Required[name] != nil {
		return t.Root.ProviderSource(name)
	}
	for _, r := range f.Runs {
		if r.Tree != nil && r.Tree.Root.Settings.Required[name] != nil {
			return r.Tree.Root.ProviderSource(name)
		}
	}
	return t.Root.ProviderSource(name)
}

// Trees are the tree itself and the other modules that its tests run.
func (t *Tree) Trees() []*Tree {
	out := []*Tree{t}
	for _, f := range t.Tests {
		for _, r := range f.Runs {
			if r.Tree != nil {
				out = append(out, r.Tree)
			}
		}
	}
	return out
}

// With gives the tree with modules that edit has changed. It is handed a copy of
// each module, before its children, whose maps it may replace but not change; a
// child that it leaves out is gone.
func (t *Tree) With(edit func(*Module)) *Tree {
	var changed func(m, parent *Module) *Module
	changed = func(m, parent *Module) *Module {
		out := *m
		out.Parent = parent
		edit(&out)
		children := make(map[string]*Module, len(out.Children))
		for name, child := range out.Children {
			children[name] = changed(child, &out)
		}
		out.Children = children
		return &out
	}
	return &Tree{Root: changed(t.Root, nil), Sources: t.Sources, Tests: t.Tests}
}
