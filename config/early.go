package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// earlyScope evaluates the expressions of a module that have to be known while
// the configuration is loaded.
type earlyScope struct {
	m      *Module
	parent *earlyScope
	opts   LoadOptions
	root   string
	// busy holds the names being evaluated, to stop at cycles.
	busy map[string]bool
}

func newEarlyScope(m *Module, parent *earlyScope, o LoadOptions) *earlyScope {
	s := &earlyScope{m: m, parent: parent, opts: o, root: m.Dir, busy: map[string]bool{}}
	if parent != nil {
		s.root = parent.root
	}
	return s
}

// Early evaluates an expression of the root module that has to be known before
// anything else, such as an argument of a backend block.
func (t *Tree) Early(e hcl.Expression, o LoadOptions) (cty.Value, diag.List) {
	return newEarlyScope(t.Root, nil, o).value(e)
}

// EarlyContext is the scope of such an expression, for decoding a whole body.
// It knows what refs refer to.
func (t *Tree) EarlyContext(refs []hcl.Traversal, o LoadOptions) (*hcl.EvalContext, diag.List) {
	return newEarlyScope(t.Root, nil, o).context(refs)
}

// resolveCalls gives the module's calls with their sources evaluated.
func (s *earlyScope) resolveCalls(l *loader, m *Module) map[string]*ModuleCall {
	calls := make(map[string]*ModuleCall, len(m.Calls))
	for _, name := range sortedKeys(m.Calls) {
		c := *m.Calls[name]
		l.diags = l.diags.With(s.resolveCall(&c))
		calls[name] = &c
	}
	return calls
}

func (s *earlyScope) resolveCall(c *ModuleCall) diag.List {
	if c.SourceExpr == nil {
		return nil
	}
	v, diags := s.value(c.SourceExpr)
	if diags.HasErrors() {
		return diags
	}
	text, ok := stringOf(v)
	if !ok || text == "" {
		return diags.Append(diag.Err("Invalid module source address", "A module's source is a string that is not empty, and neither sensitive nor ephemeral.").At(c.SourceRange))
	}
	c.Source = text
	return diags.With(s.resolveVersion(c))
}

func (s *earlyScope) resolveVersion(c *ModuleCall) diag.List {
	if c.VersionExpr == nil {
		return nil
	}
	v, diags := s.value(c.VersionExpr)
	if diags.HasErrors() || v.IsNull() && !v.IsMarked() {
		return diags
	}
	d := &decoder{}
	text, ok := stringOf(v)
	if !ok {
		d.err(c.VersionExpr.Range(), "Invalid version constraint", "A version constraint is a string, such as \"~> 1.2\".")
		return d.diags
	}
	c.Version = VersionConstraint{Text: text, Range: RangeOf(c.VersionExpr.Range()), Argument: RangeOf(c.VersionExpr.Range())}
	if IsLocalSource(c.Source) {
		d.err(c.VersionExpr.Range(), "Invalid registry module source address",
			"A version can only be chosen of modules from a registry, and \""+c.Source+"\" is a directory.")
		return d.diags
	}
	d.validConstraint(text, c.VersionExpr.Range())
	return d.diags
}

func (s *earlyScope) value(e hcl.Expression) (cty.Value, diag.List) {
	refs := e.Variables()
	if len(refs) == 0 {
		v, diags := e.Value(&hcl.EvalContext{Functions: s.opts.Early.Functions})
		return v, Diagnostics(diags)
	}
	ctx, diags := s.context(refs)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := e.Value(ctx)
	return v, diags.With(Diagnostics(more))
}

func (s *earlyScope) context(refs []hcl.Traversal) (*hcl.EvalContext, diag.List) {
	var diags diag.List
	vals := map[string]map[string]cty.Value{}
	for _, ref := range refs {
		word, name := ref.RootName(), ""
		if len(ref) > 1 {
			if step, ok := ref[1].(hcl.TraverseAttr); ok {
				name = step.Name
			}
		}
		v, d := s.lookup(word, name, RangeOf(ref.SourceRange()))
		diags = diags.With(d)
		if vals[word] == nil {
			vals[word] = map[string]cty.Value{}
		}
		vals[word][name] = v
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: s.opts.Early.Functions}
	for word, attrs := range vals {
		ctx.Variables[word] = cty.ObjectVal(attrs)
	}
	return ctx, diags
}

func (s *earlyScope) lookup(word, name string, at diag.Range) (cty.Value, diag.List) {
	refuse := func(detail string) (cty.Value, diag.List) {
		return cty.DynamicVal, diag.List{diag.Err(s.opts.Early.refusal(), detail).At(at)}
	}
	key := word + "." + name
	if s.busy[key] {
		return refuse("The value of " + key + " depends on itself.")
	}
	s.busy[key] = true
	defer delete(s.busy, key)
	switch {
	case word == "local" && s.m.Locals[name] != nil:
		return s.value(s.m.Locals[name].Expr)
	case word == "var" && s.m.Variables[name] != nil:
		v := s.m.Variables[name]
		if (v.Const == nil || !*v.Const) && (v.Const != nil || !s.opts.Reading.AnyVariableEarly) {
			return refuse("Only literal values and const variables can be evaluated during init. Declare variable \"" + name + "\" with const = true to use it here.")
		}
		return s.variable(v, at)
	case word == "path":
		paths := map[string]string{"module": s.m.Dir, "root": s.root, "cwd": s.opts.Early.Cwd}
		if p, ok := paths[name]; ok {
			return cty.StringVal(p), nil
		}
	case (word == "terraform" || word == "tofu") && name == "workspace":
		return cty.StringVal(s.opts.Early.Workspace), nil
	}
	return refuse("The value of " + key + " is not known yet: while the configuration is loaded there are only literal values, local values, " + s.variables() + ", path and terraform.workspace.")
}

// variables says which variables have a value early.
func (s *earlyScope) variables() string {
	if s.opts.Reading.AnyVariableEarly {
		return "variables"
	}
	return "const variables"
}

// variable is the value of an input variable as far as it is known early.
func (s *earlyScope) variable(v *Variable, at diag.Range) (cty.Value, diag.List) {
	val, diags := s.given(v)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if val == cty.NilVal || val.IsNull() && !v.Nullable && v.Default != cty.NilVal {
		val = v.Default
	}
	if val == cty.NilVal {
		return cty.DynamicVal, diag.List{diag.Err("No value for required variable", "Variable \""+v.Name+"\" has no value, and is needed to load the configuration. Give one with -var, in a variable file or in the environment.").At(at)}
	}
	if v.Defaults != nil && val.IsKnown() && !val.IsNull() && !val.IsMarked() {
		val = v.Defaults.Apply(val)
	}
	val, err := convert.Convert(val, v.Type)
	if err != nil {
		return cty.DynamicVal, diag.List{diag.Err("Invalid value for input variable", "The value of variable \""+v.Name+"\" does not fit its type: "+ErrorText(err)+".").At(v.Range)}
	}
	return val, nil
}

func (s *earlyScope) given(v *Variable) (cty.Value, diag.List) {
	if s.parent == nil {
		return s.opts.Early.Variables[v.Name], nil
	}
	attrs, _ := s.m.Call.Config.JustAttributes()
	if a := attrs[v.Name]; a != nil {
		return s.parent.value(a.Expr)
	}
	return cty.NilVal, nil
}
