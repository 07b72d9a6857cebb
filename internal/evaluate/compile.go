package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Options are what compiling needs beside the configuration.
type Options struct {
	// Schemas gives a provider's schemas, from the same cache each time.
	Schemas func(addr.Provider) (provider.Schemas, diag.List)
	// Provisioners gives the schema of a provisioner's body, nil when there is no
	// such provisioner.
	Provisioners func(name string) *schema.Block
	// Judge says whether the arguments that are written of a provisioner go
	// together. It may be nil.
	Judge func(name string, written func(argument string) bool) diag.List
	// Stored are the provider configurations that the state names. A default
	// one that the configuration does not mention is implied, so that what is
	// left over can be destroyed.
	Stored []addr.ProviderConfig
	// Deprecations says of which modules deprecated variables and outputs are
	// told.
	Deprecations Deprecations
	// TellsIgnored is the dialect's reading: what a variable's type drops of a
	// literal object is told.
	TellsIgnored bool
	// Generate says whether a resource of the root module that only an import
	// block names gets generated configuration; nil for never. Generated is what
	// was generated before.
	Generate  func(addr.Resource) bool
	Generated map[addr.Resource]string
	// EphemeralOutputs allows the root module ephemeral outputs. They are not
	// stored, so nothing is left of them but what questions see.
	EphemeralOutputs bool
	// Alone judges the root module by itself, which may be one that others call:
	// the provider configurations that it expects of them are not missing.
	Alone bool
	// Asked are questions about the root module; nil for none.
	Asked *Asked
}

// compiler collects sites and diagnostics while it walks the tree.
type compiler struct {
	*Program
	opts  Options
	diags diag.List
	// missing remembers providers whose schemas could not be had, so that each
	// is reported once.
	missing map[addr.Provider]bool
}

// Compile turns a configuration into a program. With errors the program is fit
// for validating only: the sites they are about are faulty, if not broken.
func Compile(tree *config.Tree, opts Options) (*Program, diag.List) {
	c := &compiler{
		Program: &Program{Tree: tree, schemas: opts.Schemas, providers: map[addr.ProviderConfig]*Site{}, byPath: map[addr.Module]*Module{}, removed: map[addr.ConfigResource]*RemovedDecl{}},
		opts:    opts,
		missing: map[addr.Provider]bool{},
	}
	c.generates = opts.Generate != nil
	c.module(tree.Root, nil, nil)
	for _, m := range c.modules {
		c.declare(m)
	}
	for _, at := range opts.Stored {
		c.stored(at)
	}
	c.asked = opts.Asked
	c.questions()
	for _, s := range c.sites {
		c.guard(s, func() { c.link(s) })
	}
	c.gather()
	c.reaching = sync.OnceValue(func() *reaching { return newReaching(c.sites) })
	return c.Program, c.diags.Once()
}

// module creates the modules, callers first, and their sites.
func (c *compiler) module(cfg *config.Module, parent *Module, call *Site) *Module {
	m := &Module{
		ID: len(c.modules), Config: cfg, Parent: parent, Call: call,
		variables: map[string]*Site{}, locals: map[string]*Site{}, outputs: map[string]*Site{},
		calls: map[string]*Site{}, checks: map[string]*Site{},
		resources: map[addr.Resource]*Site{},
	}
	c.modules = append(c.modules, m)
	c.byPath[cfg.Path] = m
	for _, name := range sorted(cfg.Variables) {
		m.variables[name] = c.site(Variable, m, "var."+name)
	}
	for _, name := range sorted(cfg.Locals) {
		m.locals[name] = c.site(Local, m, "local."+name)
	}
	for _, r := range sortedResources(c.resources(cfg)) {
		m.resources[r] = c.site(Resource, m, r.String())
	}
	c.actionSites(m)
	for _, name := range sorted(cfg.Calls) {
		s := c.site(Call, m, "module."+name)
		m.calls[name] = s
		s.Call = &CallDecl{Config: cfg.Calls[name]}
		if child := cfg.Children[name]; child != nil {
			s.Call.Module = c.module(child, m, s)
		}
	}
	for _, name := range sorted(cfg.Outputs) {
		m.outputs[name] = c.site(Output, m, "output."+name)
	}
	for _, name := range sorted(cfg.Checks) {
		m.checks[name] = c.site(Check, m, "check."+name)
	}
	for i := range cfg.Imports {
		m.imports = append(m.imports, c.site(Import, m, "import["+itoa(i)+"]"))
	}
	if call != nil {
		call.Call.done = c.site(Done, m, "(close)")
	}
	return m
}

func (c *compiler) site(k Kind, m *Module, name string) *Site {
	s := &Site{ID: len(c.sites), Kind: k, Module: m, Name: name}
	c.sites = append(c.sites, s)
	return s
}

// declare compiles the declarations of one module.
func (c *compiler) declare(m *Module) {
	if m.Call == nil { // a child's variables are declared with their arguments
		for _, name := range sorted(m.Config.Variables) {
			s := m.variables[name]
			c.guard(s, func() { c.variable(s, m.Config.Variables[name]) })
		}
	}
	for _, name := range sorted(m.Config.Locals) {
		s := m.locals[name]
		c.guard(s, func() { s.Local = c.expr(s, m.Config.Locals[name].Expr) })
	}
	for _, name := range sorted(m.Config.Outputs) {
		s := m.outputs[name]
		c.guard(s, func() { c.output(s, m.Config.Outputs[name]) })
	}
	for _, name := range sorted(m.Config.Calls) {
		s := m.calls[name]
		c.guard(s, func() { c.call(s) })
	}
	for _, key := range sortedProviders(m.Config.Providers) {
		if cfg := m.Config.Providers[key]; cfg.ForEach != nil {
			c.configuration(m.Config, key, m.Config.ProviderSource(key.Name), cfg.Range)
		}
	}
	declared := c.resources(m.Config)
	for _, r := range sortedResources(declared) {
		s := m.resources[r]
		c.guard(s, func() { c.resource(s, declared[r]) })
	}
	c.actions(m)
	for i, cfg := range m.Config.Imports {
		s := m.imports[i]
		c.guard(s, func() { c.imports(s, cfg) })
	}
	for _, r := range m.Config.Removed {
		c.removal(m, r)
	}
	for _, name := range sorted(m.Config.Checks) {
		cfg := m.Config.Checks[name]
		s := m.checks[name]
		c.guard(s, func() { s.Check = &CheckDecl{Config: cfg, Asserts: c.rules(s, cfg.Asserts)} })
	}
}

func (c *compiler) variable(s *Site, cfg *config.Variable) {
	s.Variable = &VariableDecl{Config: cfg, Validations: c.rules(s, cfg.Validations)}
	c.ignored(cfg.DefaultExpr, cfg)
}

// ignored tells what the type of a variable drops of a literal object.
func (c *compiler) ignored(e hcl.Expression, v *config.Variable) {
	if c.opts.TellsIgnored && e != nil {
		c.diags = c.diags.With(lang.Ignored(e, v.Type, fmt.Sprintf("variable %q", v.Name)))
	}
}

func (c *compiler) output(s *Site, cfg *config.Output) {
	if cfg.Ephemeral && s.Module.Parent == nil && !c.opts.EphemeralOutputs {
		c.report(diag.Err("Ephemeral output not allowed",
			"The outputs of the root module are stored in the state, so none of them can be ephemeral. Outputs of called modules can.").At(cfg.Range))
	}
	s.Output = &OutputDecl{Config: cfg, Expr: c.expr(s, cfg.Expr), Preconditions: c.rules(s, cfg.Preconditions)}
	c.dependsOn(s, cfg.DependsOn)
}

// arguments are the arguments of a module call. JustAttributes complains of any
// block, also of a lifecycle block that was read already.
func arguments(cfg *config.ModuleCall) (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := cfg.Config.JustAttributes()
	if cfg.Enabled == nil {
		return attrs, diags
	}
	var known hcl.BodySchema
	for name := range attrs {
		known.Attributes = append(known.Attributes, hcl.AttributeSchema{Name: name})
	}
	_, diags = cfg.Config.Content(&known)
	return attrs, diags
}

// call compiles a module block: its repetition here, its arguments as the
// expressions of the child's variables.
func (c *compiler) call(s *Site) {
	cfg := s.Call.Config
	s.Call.Repetition = c.repetition(s, cfg.Count, cfg.ForEach, cfg.Enabled)
	c.dependsOn(s, cfg.DependsOn)
	c.passing(s)
	if s.Call.Module == nil {
		return
	}
	args := map[string]*hcl.Attribute{}
	if cfg.Config != nil {
		attrs, hd := arguments(cfg)
		c.diags = c.diags.With(hcldiag.List(hd))
		args = attrs
	}
	child := s.Call.Module
	for _, name := range sorted(child.variables) {
		v := child.variables[name]
		c.guard(v, func() { c.variable(v, child.Config.Variables[name]) })
	}
	for _, name := range sorted(args) {
		v := child.variables[name]
		if v == nil {
			c.report(unsupportedArgument(name, sorted(child.variables), hcldiag.RangeOf(args[name].NameRange)))
			continue
		}
		c.deprecatedVariable(s.Module, child, name, hcldiag.RangeOf(args[name].Expr.Range()))
		c.guard(v, func() {
			x, diags := lang.Compile(args[name].Expr)
			c.diags = c.diags.With(diags)
			c.ignored(args[name].Expr, v.Variable.Config)
			v.Variable.Arg = x
		})
	}
	for _, name := range sorted(child.variables) {
		v := child.variables[name]
		if args[name] == nil && v.Variable.Config.Default == cty.NilVal {
			v.broken = true
			c.report(missingArgument(name, cfg.Range))
		}
	}
}

// guard compiles something of a site and marks the site when that reports
// errors, so that a run which goes on nevertheless knows.
func (c *compiler) guard(s *Site, compile func()) {
	before := len(c.diags)
	compile()
	if !c.diags[before:].HasErrors() {
		return
	}
	s.faulty = true
	switch s.Kind {
	case Action, Import, Done:
		s.broken = true
	}
}

func (c *compiler) report(d diag.Diag) { c.diags = append(c.diags, d) }

// expr compiles an expression of site s and notes what it refers to.
func (c *compiler) expr(s *Site, e hcl.Expression) *lang.Expr { return c.compiled(s, e, lang.Compile) }

// testExpr is expr for what stands in a test file.
func (c *compiler) testExpr(s *Site, e hcl.Expression) *lang.Expr {
	return c.compiled(s, e, lang.CompileTest)
}

func (c *compiler) compiled(s *Site, e hcl.Expression, compile func(hcl.Expression) (*lang.Expr, diag.List)) *lang.Expr {
	if e == nil {
		return nil
	}
	x, diags := compile(e)
	c.diags = c.diags.With(diags)
	if x != nil {
		s.refer(x.Refs())
		s.call(x.ProviderFunctions())
	}
	return x
}

// body compiles a body of site s and notes what it refers to.
func (c *compiler) body(s *Site, b hcl.Body, block *schema.Block) *lang.Body {
	x, diags := lang.CompileBody(b, block)
	c.diags = c.diags.With(diags)
	if x != nil {
		s.refer(x.Refs())
		s.call(x.ProviderFunctions())
	}
	return x
}

// withSelf compiles what can refer to self, the object of the site.
func withSelf(s *Site, compile func()) {
	s.object = true
	compile()
	s.object = false
}

func (c *compiler) rules(s *Site, conditions []*config.Condition) []Rule {
	var out []Rule
	s.aside = true
	defer func() { s.aside = false }()
	for _, cond := range conditions {
		out = append(out, Rule{Condition: c.expr(s, cond.Condition), Message: c.expr(s, cond.ErrorMessage), Range: cond.Range})
	}
	return out
}

// repetition compiles the argument that says how many instances there are. No
// instance has each or count before that is known.
func (c *compiler) repetition(s *Site, count, forEach, enabled hcl.Expression) Repetition {
	before := len(s.links)
	s.aside = true
	rep := Repetition{Count: c.expr(s, count), ForEach: c.expr(s, forEach), Enabled: c.expr(s, enabled)}
	s.aside = false
	links := s.links[:before]
	for _, l := range s.links[before:] {
		if l.ref.Kind == lang.RefEach || l.ref.Kind == lang.RefCount {
			c.report(unavailable(l.ref))
			s.lose(l.ref.Full)
			continue
		}
		links = append(links, l)
	}
	s.links = links
	return rep
}

// refer notes references that are linked later.
func (s *Site) refer(refs []lang.Ref) {
	for _, r := range refs {
		s.links = append(s.links, link{ref: r, aside: s.aside, after: s.after, object: s.object})
	}
}

// call notes provider functions that are called.
func (s *Site) call(fns []lang.FuncRef) { s.functions = append(s.functions, fns...) }

// dependsOn parses depends_on traversals; the linker finds their sites.
func (c *compiler) dependsOn(s *Site, ts []hcl.Traversal) {
	for _, t := range ts {
		ref, diags := lang.ParseRef(t)
		if diags.HasErrors() {
			c.diags = c.diags.With(diags)
			continue
		}
		if d, ok := undependable(ref); ok {
			c.report(d)
			continue
		}
		s.depends = append(s.depends, ref)
	}
}

// undependable says why nothing can depend on what ref refers to: a part of an
// object, or what belongs to one instance alone.
func undependable(ref lang.Ref) (diag.Diag, bool) {
	switch {
	case len(ref.Remaining) > 0:
		return diag.Err("Invalid depends_on reference",
			"depends_on names whole objects, such as a resource or a module. Leave out what follows the name.").At(hcldiag.RangeOf(ref.Remaining.SourceRange())), true
	case ref.Kind == lang.RefEach, ref.Kind == lang.RefCount, ref.Kind == lang.RefSelf:
		return lang.Unavailable(ref), true
	}
	return diag.Diag{}, false
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func sortedResources(m map[addr.Resource]*config.Resource) []addr.Resource {
	out := slices.Collect(maps.Keys(m))
	sort.Slice(out, func(i, j int) bool { return out[i].Less(out[j]) })
	return out
}

func sortedProviders(m map[config.ProviderKey]*config.Provider) []config.ProviderKey {
	out := slices.Collect(maps.Keys(m))
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
}
