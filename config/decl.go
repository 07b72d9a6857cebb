package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// Tree is a whole configuration: the root module and everything it calls.
type Tree struct {
	Root *Module
	// Sources are the contents of all files read, by the name that ranges use.
	// Views show snippets of them; a plan file stores them.
	Sources map[string][]byte
	// Tests are the test files, sorted by name, where they were asked for.
	Tests []*TestFile
}

// Module is the declarations of one static module (one call path).
type Module struct {
	Path addr.Module
	// Dir is the directory of the module, as path.module shows it.
	Dir string
	// Call is the call in the parent; nil for the root.
	Call     *ModuleCall
	Parent   *Module
	Children map[string]*Module

	Settings  Settings
	Providers map[ProviderKey]*Provider
	Variables map[string]*Variable
	Locals    map[string]*Local
	Outputs   map[string]*Output
	Calls     map[string]*ModuleCall
	Resources map[addr.Resource]*Resource
	Actions   map[ActionKey]*Action
	Checks    map[string]*Check
	Moved     []*Moved
	Removed   []*Removed
	Imports   []*Import

	// host is the registry of providers without one in their address.
	host string
}

// Settings are the terraform (and language) blocks of a module.
type Settings struct {
	RequiredVersions []VersionConstraint
	// Required are the required providers by local name.
	Required map[string]*RequiredProvider
	// Backend, Cloud and Store say where the state is kept; at most one does.
	Backend *Backend
	Cloud   *Backend
	Store   *StateStore
	// Meta are the provider_meta blocks by provider local name.
	Meta map[string]*ProviderMeta
	// Encryption is the block of that name, nil where there is none.
	Encryption      hcl.Body
	EncryptionRange diag.Range
	// CompatibleWith are the constraints on OpenTofu's version in language
	// blocks.
	CompatibleWith []VersionConstraint
	// Range is the first terraform block.
	Range diag.Range
}

// Keeping is the block that says where the state is kept, nil for none.
func (s *Settings) Keeping() *diag.Range {
	for _, at := range []*diag.Range{whereBackend(s.Cloud), whereStore(s.Store), whereBackend(s.Backend)} {
		if at != nil {
			return at
		}
	}
	return nil
}

// VersionConstraint is a constraint as written.
type VersionConstraint struct {
	Text  string
	Range diag.Range
	// Argument is the whole argument, name and value.
	Argument diag.Range
}

// RequiredProvider is an entry of required_providers.
type RequiredProvider struct {
	Name    string
	Source  addr.Provider
	Version VersionConstraint
	// SourceSet says whether the source is written rather than implied.
	SourceSet bool
	// Aliases are the configuration_aliases.
	Aliases []ProviderKey
	Range   diag.Range
}

// Backend is a backend or cloud block.
type Backend struct {
	Type             string
	Config           hcl.Body
	Range, TypeRange diag.Range
}

// StateStore is a state_store block: a provider that keeps the state.
type StateStore struct {
	Type   string
	Config hcl.Body
	// Provider is the local name of the provider, ProviderConfig its configuration,
	// which has nothing to do with the provider blocks of the module.
	Provider                        string
	ProviderConfig                  hcl.Body
	Range, TypeRange, ProviderRange diag.Range
}

// ProviderMeta is a provider_meta block.
type ProviderMeta struct {
	Provider string
	Config   hcl.Body
	Range    diag.Range
}

// ProviderKey is a provider's local name with an alias ("" for the default
// configuration).
type ProviderKey struct{ Name, Alias string }

// String is NAME or NAME.ALIAS.
func (k ProviderKey) String() string {
	if k.Alias == "" {
		return k.Name
	}
	return k.Name + "." + k.Alias
}

// ProviderRef is a reference to a provider configuration.
type ProviderRef struct {
	ProviderKey
	// Key selects an instance of a provider block with for_each; nil for none.
	Key   hcl.Expression
	Range diag.Range
}

// Provider is a provider block.
type Provider struct {
	Key     ProviderKey
	Config  hcl.Body
	ForEach hcl.Expression
	Version VersionConstraint
	// Mock says that something stands in for the provider, so that there is
	// nothing to configure. Config is nil then.
	Mock  bool
	Range diag.Range
}

// Variable is an input variable.
type Variable struct {
	Name        string
	Description string
	// Type is the constraint, dynamic when there is none; Defaults fill
	// optional() attributes.
	Type     cty.Type
	Defaults *TypeDefaults
	// TypeGiven says whether the block has a type argument.
	TypeGiven bool
	// Literal says that values from the environment or the command line are
	// strings taken literally rather than expressions.
	Literal bool
	// Default is cty.NilVal when the variable is required; otherwise converted.
	// DefaultExpr is the default as it is written, nil without one.
	Default                        cty.Value
	DefaultExpr                    hcl.Expression
	Sensitive, Ephemeral, Nullable bool
	Const                          *bool
	Deprecated                     string
	DeprecatedSet                  bool
	Validations                    []*Condition
	Range                          diag.Range
	DescriptionSet, SensitiveSet   bool
	EphemeralSet, NullableSet      bool
}

// Local is one named local value.
type Local struct {
	Name  string
	Expr  hcl.Expression
	Range diag.Range
}

// Output is an output value.
type Output struct {
	Name        string
	Description string
	Expr        hcl.Expression
	// Type is the declared constraint; cty.NilType when there is none.
	Type                 cty.Type
	Defaults             *TypeDefaults
	Sensitive, Ephemeral bool
	Deprecated           string
	DependsOn            []hcl.Traversal
	Preconditions        []*Condition
	Range                diag.Range
	DescriptionSet       bool
	SensitiveSet         bool
}

// ModuleCall is a module block.
type ModuleCall struct {
	Name string
	// Source is the evaluated source address, SourceExpr the expression.
	Source      string
	SourceExpr  hcl.Expression
	SourceRange diag.Range
	Version     VersionConstraint
	VersionExpr hcl.Expression
	// Config holds the input arguments.
	Config                  hcl.Body
	Count, ForEach, Enabled hcl.Expression
	DependsOn               []hcl.Traversal
	// Providers maps the child's names to the parent's. Explicit is set when
	// the providers argument is written.
	Providers                []PassedProvider
	Explicit                 bool
	IgnoreNestedDeprecations bool
	Range                    diag.Range
	// Body is the whole block, for tools that show the configuration.
	Body hcl.Body
}

// PassedProvider is one entry of a call's providers argument.
type PassedProvider struct{ Child, Parent ProviderRef }

// Resource is a resource, data or ephemeral block.
type Resource struct {
	Addr addr.Resource
	// Provider is the reference as written, or the one implied by the type.
	Provider ProviderRef
	// Source is the provider that the local name stands for in this module.
	Source addr.Provider
	// ProviderSet says whether the provider argument is written.
	ProviderSet bool
	// Config is nil where the block says nothing of the objects: the resource is
	// Undeclared, or Bare.
	Config                  hcl.Body
	Count, ForEach, Enabled hcl.Expression
	DependsOn               []hcl.Traversal
	Lifecycle               Lifecycle
	Connection              hcl.Body
	Provisioners            []*Provisioner
	// Check is the check block that a nested data block belongs to.
	Check            string
	Range, TypeRange diag.Range
	// List-resource arguments of query files.
	IncludeResource, Limit hcl.Expression
}

// Lifecycle is the lifecycle block of a resource.
type Lifecycle struct {
	CreateBeforeDestroy    bool
	CreateBeforeDestroySet bool
	// PreventDestroy is nil when not written.
	PreventDestroy hcl.Expression
	// Destroy is false when objects are forgotten instead of destroyed.
	Destroy       bool
	IgnoreChanges []hcl.Traversal
	IgnoreAll     bool
	// DestroySet says whether the destroy argument is written.
	DestroySet         bool
	ReplaceTriggeredBy []hcl.Expression
	Preconditions      []*Condition
	Postconditions     []*Condition
	ActionTriggers     []*ActionTrigger
	Range              diag.Range
}

// Condition is a validation, precondition, postcondition or assert block.
type Condition struct {
	Condition, ErrorMessage hcl.Expression
	Range                   diag.Range
}

// ActionTrigger is an action_trigger block.
type ActionTrigger struct {
	Events    []string
	Condition hcl.Expression
	Actions   []hcl.Expression
	OnFailure string
	Range     diag.Range
}

// Provisioner is a provisioner block.
type Provisioner struct {
	Type       string
	Config     hcl.Body
	Connection hcl.Body
	// Destroy is set for when = destroy, Continue for on_failure = continue.
	Destroy, Continue bool
	Range             diag.Range
}

// ConnectionOver is what the provisioner connects with: the arguments of its own
// connection block, and for the others those of base, the block of its resource.
// It is nil when there is neither.
func (p *Provisioner) ConnectionOver(base hcl.Body) hcl.Body { return overlay(base, p.Connection) }

// ActionKey names an action block.
type ActionKey struct{ Type, Name string }

// in is the action's address as it is declared in m.
func (k ActionKey) in(m *Module) string {
	at := "action." + k.Type + "." + k.Name
	if m.Path.IsRoot() {
		return at
	}
	return m.Path.String() + "." + at
}

// Action is an action block.
type Action struct {
	Key              ActionKey
	Provider         ProviderRef
	ProviderSet      bool
	Source           addr.Provider
	Config           hcl.Body
	Count, ForEach   hcl.Expression
	Range, TypeRange diag.Range
}

// Check is a check block; its nested data block is in Resources, too.
type Check struct {
	Name    string
	Data    *Resource
	Asserts []*Condition
	Range   diag.Range
}

// Moved is a moved block.
type Moved struct {
	From, To MoveEndpoint
	Range    diag.Range
}

// MoveEndpoint is a module or resource address relative to its module.
type MoveEndpoint struct {
	addr.Target
	Range diag.Range
}

// Removed is a removed block.
type Removed struct {
	From         MoveEndpoint
	Destroy      bool
	DestroySet   bool
	Connection   hcl.Body
	Provisioners []*Provisioner
	// LifecycleRange is the lifecycle block; nil where there is none.
	LifecycleRange *diag.Range
	Range          diag.Range
}

// Import is an import block.
type Import struct {
	// To is the target's expression: a traversal, with index expressions under
	// for_each.
	To           hcl.Expression
	Resource     addr.ConfigResource
	ID, Identity hcl.Expression
	ForEach      hcl.Expression
	Provider     ProviderRef
	ProviderSet  bool
	Range        diag.Range

	// text is the address without expressions; static says that it is all of
	// it.
	text   string
	static bool
}
