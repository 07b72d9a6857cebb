package config

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/value"
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
	// refusal is the summary of what cannot be known early, where there is one for
	// all reasons.
	refusal string
	// trail holds the names being evaluated, to stop at cycles and to say who
	// needs what.
	trail []string
}

func newEarlyScope(m *Module, parent *earlyScope, o LoadOptions) *earlyScope {
	s := &earlyScope{m: m, parent: parent, opts: o, root: m.Dir}
	if parent != nil {
		s.root = parent.root
	}
	if !o.Reading.AnyVariableEarly {
		s.refusal = "Unknown module source"
	}
	return s
}

// constants checks that the variables of a called module that are declared const
// are given what is known early. A value that is only missing so far is none of
// the caller's mistakes.
func (s *earlyScope) constants() diag.List {
	var found diag.List
	attrs, _ := s.m.Call.Config.JustAttributes()
	caller := *s.parent
	if caller.refusal != "" {
		caller.refusal = "Invalid value for const variable"
	}
	for _, name := range sortedKeys(s.m.Variables) {
		v, a := s.m.Variables[name], attrs[name]
		if a == nil || v.Const == nil || !*v.Const {
			continue
		}
		_, diags := caller.known(a.Expr)
		for _, d := range diags {
			if d.Summary != noValue {
				d.Detail += "\n\nThe variable \"" + name + "\" of " + s.m.Path.String() + " is declared const, so its value has to be known while the configuration is loaded."
				found = append(found, d)
			}
		}
	}
	return found
}

// Early evaluates an expression of the root module that has to be known before
// anything else, such as an argument of a backend block. What it refers to may be
// variables, local values, path and terraform.workspace; the error about anything
// else says which value it is and who needs it. The result may carry marks.
func (t *Tree) Early(e hcl.Expression, o LoadOptions) (cty.Value, diag.List) {
	return newEarlyScope(t.Root, nil, o).known(e)
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
	v, diags := s.known(c.SourceExpr)
	if diags.HasErrors() {
		return diags
	}
	if d := Secret(v, "A module's source", c.SourceRange); d != nil {
		return diags.Append(*d)
	}
	if v.IsNull() {
		return diags.Append(diag.Err("Unsuitable value type", "A module's source cannot be null.").At(c.SourceRange))
	}
	text, ok := stringOf(v)
	if !ok || text == "" {
		return diags.Append(diag.Err("Invalid module source address", "A module's source is a string that is not empty.").At(c.SourceRange))
	}
	if isNoSource(text) {
		return diags.Append(diag.Err("Invalid module source address",
			"\""+text+"\" is none of the known kinds of sources: a path beginning with ./ or ../, a registry address, git:: or an https URL of an archive. If a directory beside this module is meant, write \"./"+text+"\".").At(c.SourceRange))
	}
	c.Source = text
	return diags.With(s.resolveVersion(c))
}

// notVersioned says what a source is that has no versions to choose from, "" of one
// that has or is nothing at all.
func notVersioned(source string) string {
	switch {
	case IsLocalSource(source) || path.IsAbs(source):
		return "a directory"
	case source != "" && !IsRegistrySource(source):
		return "the address of one package"
	}
	return ""
}

func (s *earlyScope) resolveVersion(c *ModuleCall) diag.List {
	if c.VersionExpr == nil {
		return nil
	}
	v, diags := s.known(c.VersionExpr)
	if diags.HasErrors() || v.IsNull() && !v.IsMarked() {
		return diags
	}
	if d := Secret(v, "A version constraint", hcldiag.RangeOf(c.VersionExpr.Range())); d != nil {
		return diags.Append(*d)
	}
	d := &decoder{}
	text, ok := stringOf(v)
	if !ok {
		d.err(c.VersionExpr.Range(), "Invalid version constraint", "A version constraint is a string, such as \"~> 1.2\".")
		return d.diags
	}
	c.Version = VersionConstraint{Text: text, Range: hcldiag.RangeOf(c.VersionExpr.Range()), Argument: hcldiag.RangeOf(c.VersionExpr.Range())}
	if what := notVersioned(c.Source); what != "" {
		d.err(c.SourceExpr.Range(), "Invalid registry module source address",
			"A version can only be chosen of modules from a registry, and \""+c.Source+"\" is "+what+".")
		return d.diags
	}
	d.validConstraint(text, c.VersionExpr.Range())
	return d.diags
}

// Secret says that what is written down in the clear comes from a value that may
// not be; nil when it may.
func Secret(v cty.Value, what string, at diag.Range) *diag.Diag {
	word := ""
	switch {
	case value.Contains(v, value.Sensitive):
		word = "Sensitive"
	case value.Contains(v, value.Ephemeral):
		word = "Ephemeral"
	default:
		return nil
	}
	d := diag.Err(word+" value not allowed",
		what+" is written down and shown, so it cannot come from a value that is "+strings.ToLower(word)+".").At(at)
	return &d
}

// known evaluates an expression whose value is needed now.
func (s *earlyScope) known(e hcl.Expression) (cty.Value, diag.List) {
	v, diags := s.value(e)
	if !diags.HasErrors() && !v.IsWhollyKnown() {
		return cty.DynamicVal, diags.Append(diag.Err("Unable to compute static value",
			"This is needed while the configuration is loaded, and comes from a function such as timestamp or uuid, which has a value only when a plan is carried out.").At(hcldiag.RangeOf(e.Range())))
	}
	return v, diags
}

func (s *earlyScope) value(e hcl.Expression) (cty.Value, diag.List) {
	ctx, diags := s.context(e.Variables())
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := e.Value(ctx)
	return v, diags.With(hcldiag.List(more))
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
		v, d := s.lookup(word, name, hcldiag.RangeOf(ref.SourceRange()))
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
	key := word + "." + name
	circular := slices.Contains(s.trail, key)
	s.trail = append(s.trail, key)
	defer func() { s.trail = s.trail[:len(s.trail)-1] }()
	if circular {
		return s.refuse("Circular reference", "The value of "+key+" depends on itself.", at)
	}
	switch word {
	case "local":
		if l := s.m.Locals[name]; l != nil {
			return s.value(l.Expr)
		}
		return s.refuse("Undefined local", "A local value with the name \""+name+"\" has not been declared.", at)
	case "var":
		if v := s.m.Variables[name]; v != nil {
			return s.early(v, at)
		}
		return s.refuse("Undefined variable", "An input variable with the name \""+name+"\" has not been declared.", at)
	case "path":
		paths := map[string]string{"module": s.m.Dir, "root": s.root, "cwd": s.opts.Early.Cwd}
		if p, ok := paths[name]; ok {
			return cty.StringVal(p), nil
		}
	case "terraform", "tofu":
		if name == "workspace" {
			return cty.StringVal(s.opts.Early.Workspace), nil
		}
		return s.refuse("Invalid attribute in static context", "The value of "+key+" is known only when a plan is made or carried out, and this is needed before that.", at)
	case "module":
		return s.refuse("Module output not supported in static context", "What a module gives is known only when a plan is made, and this is needed before that. "+earlyNames, at)
	}
	return s.refuse("Dynamic value in static context", "The value of "+strings.TrimSuffix(key, ".")+" is known only when a plan is made, and this is needed before that. "+earlyNames, at)
}

const noValue = "No value for required variable"

const earlyNames = "Variables, local values, path, terraform.workspace and functions of them can be used."

// early is the value of a variable that may be used early.
func (s *earlyScope) early(v *Variable, at diag.Range) (cty.Value, diag.List) {
	switch {
	case v.Const != nil && !*v.Const:
		return s.refuse("Unable to use variable in static context", "Variable \""+v.Name+"\" is declared with const = false, so nothing that is needed this early can depend on it.", at)
	case v.Const == nil && !s.opts.Reading.AnyVariableEarly:
		return s.refuse("", "Only literal values and const variables can be evaluated during init. Declare variable \""+v.Name+"\" with const = true to use it here.", at)
	}
	val, diags := s.variable(v, at)
	if v.Sensitive {
		val = value.Mark(val, value.Sensitive)
	}
	if v.Ephemeral {
		val = value.Mark(val, value.Ephemeral)
	}
	return val, diags
}

// refuse says why a value cannot be used, and who needs it.
func (s *earlyScope) refuse(summary, detail string, at diag.Range) (cty.Value, diag.List) {
	if s.refusal != "" {
		summary = s.refusal
	}
	if n := len(s.trail) - 1; n > 0 && s.trail[n-1] != s.trail[n] {
		detail += "\n\n" + s.trail[0] + " needs " + strings.Join(append(slices.Clone(s.trail[1:n]), "it"), ", which needs ") + "."
	}
	return cty.DynamicVal, diag.List{diag.Err(summary, detail).At(at)}
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
		return cty.DynamicVal, diag.List{diag.Err(noValue, "Variable \""+v.Name+"\" has no value, and is needed to load the configuration. Give one with -var, in a variable file or in the environment.").At(at)}
	}
	if v.Defaults != nil && val.IsKnown() && !val.IsNull() && !val.IsMarked() {
		val = v.Defaults.Apply(val)
	}
	val, err := convert.Convert(val, v.Type)
	if err != nil {
		return cty.DynamicVal, diag.List{diag.Err("Invalid value for input variable", "The value of variable \""+v.Name+"\" does not fit its type: "+value.ErrorText(err)+".").At(v.Range)}
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
