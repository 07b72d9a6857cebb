package evaluate

import (
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Kind is what a site declares.
type Kind uint8

// The kinds of sites.
const (
	Variable Kind = iota
	Local
	Output
	// Call expands a module call into module instances.
	Call
	// Done is reached when everything in a called module is.
	Done
	Provider
	Resource
	Check
	// Import names objects to bring under management.
	Import
	// Action is something that a provider can do.
	Action
	// Question is a condition that somebody outside of the configuration asks
	// about.
	Question
)

// Program is a configuration, compiled.
type Program struct {
	Tree    *config.Tree
	modules []*Module
	sites   []*Site
	schemas func(addr.Provider) (provider.Schemas, diag.List)
	// providers finds the site of a provider configuration.
	providers map[addr.ProviderConfig]*Site
	byPath    map[addr.Module]*Module
	removed   map[addr.ConfigResource]*RemovedDecl
	selves    diag.List
	// generates says that configuration is generated for import targets that
	// have none.
	generates bool
	// asked are the questions about it; nil for none.
	asked *Asked
	// reaching answers what sites depend on in the end.
	reaching func() *reaching
	walks    sync.Pool // of *reach
}

// Sites are all sites; a site's ID is its index.
func (p *Program) Sites() []*Site { return p.sites }

// SelfReferences are the errors of resources that refer to themselves. They do
// not make a configuration invalid: it only cannot be planned.
func (p *Program) SelfReferences() diag.List { return p.selves }

// Root is the root module.
func (p *Program) Root() *Module { return p.modules[0] }

// Modules are all static modules, callers before the called.
func (p *Program) Modules() []*Module { return p.modules }

// Schemas gives a provider's schemas.
func (p *Program) Schemas(a addr.Provider) (provider.Schemas, diag.List) { return p.schemas(a) }

// Module finds a static module; nil when the configuration has none there.
func (p *Program) Module(path addr.Module) *Module { return p.byPath[path] }

// Resource finds the site of a resource; nil when it is not declared.
func (p *Program) Resource(r addr.ConfigResource) *Site {
	if m := p.Module(r.Module); m != nil {
		return m.resources[r.Resource]
	}
	return nil
}

// Module is a static module with its sites.
type Module struct {
	ID     int
	Config *config.Module
	// Parent is nil for the root; Call is the site in the parent.
	Parent *Module
	Call   *Site

	variables, locals, outputs, calls, checks map[string]*Site
	resources                                 map[addr.Resource]*Site
	actions                                   map[config.ActionKey]*Site
	imports                                   []*Site
	// whole are the outputs in the order of their names.
	whole []*Site
	// metas are the values of provider_meta blocks that were asked for.
	metas map[addr.Provider]value.Bare
}

// Outputs are the module's output sites by name.
func (m *Module) Outputs() map[string]*Site { return m.outputs }

// Variables are the module's variable sites by name.
func (m *Module) Variables() map[string]*Site { return m.variables }

// Resources are the module's resource sites.
func (m *Module) Resources() map[addr.Resource]*Site { return m.resources }

// Site is a declaration in a static module.
type Site struct {
	ID     int
	Kind   Kind
	Module *Module
	// Name is the declaration's address in its module: "var.x", "aws_vpc.main".
	Name string
	// Reads are the sites whose slots this one needs, ascending, itself not
	// included.
	Reads []int
	// picks are, by resource site, the instances that are read of it by constant
	// keys; nil where a site reads nothing so.
	picks map[int][]addr.InstanceKey

	// links are the references, linked; functions the provider functions called;
	// depends what depends_on names, before linking, and waits after it.
	links     []link
	functions []lang.FuncRef
	depends   []lang.Ref
	waits     []*Site
	// broken is set when so much is wrong with the declaration that it cannot be
	// evaluated, faulty when anything was reported, and lost holds the references
	// and calls that lead nowhere.
	broken, faulty bool
	lost           map[diag.Range]bool
	// aside is set while conditions are compiled, after while provisioners are,
	// object while that is which can refer to self.
	aside, after, object bool
	// What the site declares; the one for its kind is set.
	Variable *VariableDecl
	Local    *lang.Expr
	Output   *OutputDecl
	Call     *CallDecl
	Provider *ProviderDecl
	Resource *ResourceDecl
	Check    *CheckDecl
	Import   *ImportDecl
	Action   *ActionDecl
	Question *Rule
}

// Broken says whether the declaration has errors with which it cannot be
// evaluated.
func (s *Site) Broken() bool { return s.broken }

// Faulty says whether the declaration has errors, reported already. What they
// are about is worth an unknown value, so that the rest can be evaluated; nobody
// else should be asked about it.
func (s *Site) Faulty() bool { return s.broken || s.faulty }

// lose notes a reference or a call that leads nowhere.
func (s *Site) lose(at diag.Range) {
	if s.lost == nil {
		s.lost = map[diag.Range]bool{}
	}
	s.lost[at] = true
}

// Addr is the site's address without instance keys.
func (s *Site) Addr() string {
	if m := s.Module.Config.Path.String(); m != "" {
		return m + "." + s.Name
	}
	return s.Name
}

// Title is what messages call the site.
func (s *Site) Title() string {
	switch {
	case s.Kind == Call, s.Kind == Local, s.Kind == Output, s.Kind == Variable && s.Module.Call != nil:
		return s.Addr() + " (expand)"
	case s.Kind == Done:
		return s.Module.Config.Path.String() + " " + s.Name
	}
	return s.Addr()
}

// link is a reference and the site it leads to; nil for path, terraform, each,
// count and self.
type link struct {
	ref  lang.Ref
	site *Site
	// aside links are of conditions and triggers: they order, but what they
	// lead to does not contribute to the value.
	aside bool
	// after links are of what is evaluated when the object exists.
	after bool
	// object links are of what self means something in: the object.
	object bool
}

// VariableDecl is an input variable. Arg is the caller's argument, nil when it
// is not given or the module is the root.
type VariableDecl struct {
	Config      *config.Variable
	Arg         *lang.Expr
	argLinks    []link
	Validations []Rule
}

// OutputDecl is an output value.
type OutputDecl struct {
	Config        *config.Output
	Expr          *lang.Expr
	Preconditions []Rule
}

// Repetition is the count, for_each or enabled argument of a declaration; at
// most one is set.
type Repetition struct{ Count, ForEach, Enabled *lang.Expr }

// IsNone says whether the declaration is not repeated.
func (r Repetition) IsNone() bool { return r.Count == nil && r.ForEach == nil && r.Enabled == nil }

// CallDecl is a module call.
type CallDecl struct {
	Config *config.ModuleCall
	Repetition
	Module *Module
	done   *Site
}

// ProviderDecl is a provider configuration: a block, or the implied empty one.
type ProviderDecl struct {
	Addr   addr.ProviderConfig
	Config *config.Provider
	Schema *schema.Resource
	Body   *lang.Body
	// Range is where to point for problems with the configuration.
	Range diag.Range
	// Used says that something is served by it: else it is not asked anything.
	Used bool
	// Repetition is that of a block with for_each.
	Repetition
}

// Rule is a condition with its message.
type Rule struct {
	Condition, Message *lang.Expr
	Range              diag.Range
}

// ResourceDecl is a managed, data or ephemeral resource.
type ResourceDecl struct {
	Config   *config.Resource
	Addr     addr.ConfigResource
	Provider *Site
	// Selection chooses the instance of the provider configuration; nil where
	// that has none.
	Selection *Selection
	Schema    *schema.Resource
	// Meta is what the module tells the provider with every call, the zero value
	// for nothing.
	Meta value.Bare
	Repetition
	Body                          *lang.Body
	Preconditions, Postconditions []Rule
	PreventDestroy                *lang.Expr
	Triggers                      []Trigger
	ActionTriggers                []ActionTrigger
	// List is set for list blocks.
	List         *ListDecl
	Provisioners []ProvisionerDecl
	// own are the references of provisioners to the resource itself.
	own []lang.Ref
	// DependsOn are the sites named by depends_on, here and on the calls of the
	// module and its callers.
	DependsOn []*Site
	// IgnoreChanges are relative paths; index steps hold constants.
	IgnoreChanges []cty.Path
	IgnoreAll     bool
	// Generated says that the body is not there yet: it is generated when the
	// object has been imported.
	Generated bool
	// CreateFirst says that a replacement creates before it destroys, here or
	// because a resource that needs this one does.
	CreateFirst bool
}

// Bare says that the configuration declares the resource and nothing else: what
// there is of it is to stay as it is.
func (d *ResourceDecl) Bare() bool { return d.Config.Config == nil && d.Body == nil && !d.Generated }

// HasConditions says whether there are pre- or postconditions.
func (d *ResourceDecl) HasConditions() bool {
	return len(d.Preconditions)+len(d.Postconditions) > 0
}

// RemovedDecl is what a removed block says of the objects it names.
type RemovedDecl struct {
	Provisioners []ProvisionerDecl
}

// Trigger is one element of replace_triggered_by.
type Trigger struct {
	Ref   lang.Ref
	Site  *Site
	Range diag.Range
}

// ProvisionerDecl is a provisioner with its compiled bodies.
type ProvisionerDecl struct {
	Config           *config.Provisioner
	Body, Connection *lang.Body
}

// CheckDecl is a check block.
type CheckDecl struct {
	Config  *config.Check
	Asserts []Rule
}
