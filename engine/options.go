package engine

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Providers opens providers by their source address. Each call gives a new,
// unconfigured instance (its own process where it is one). The engine closes
// what it opened. A provider may be part of the program: when it panics, or does
// not come back after its context ended, that is a failed call and nothing more.
type Providers interface {
	Open(ctx context.Context, p addr.Provider) (provider.Provider, diag.List)
	// Schemas gives a provider's schemas without keeping an instance.
	Schemas(ctx context.Context, p addr.Provider) (provider.Schemas, diag.List)
}

// Provisioner runs after creation or before destruction of an object.
type Provisioner interface {
	// Schema is the body's schema as a provider would give it.
	Schema() *schema.Block
	// Run does the work. config and connection are bare; output is called with
	// each line to show.
	Run(ctx context.Context, config, connection cty.Value, output func(string)) diag.List
}

// Judge is a provisioner that can tell from the arguments that are written, be they
// known or not, that they do not go together.
type Judge interface {
	Judge(written func(argument string) bool) diag.List
}

// Store keeps state snapshots durably. Backends implement it.
type Store interface {
	// Write makes a snapshot durable as the latest one.
	Write(ctx context.Context, s *state.Snapshot) error
}

// Prober is a store that can say why it would not take a state now. An apply asks
// before it changes anything.
type Prober interface {
	Probe(ctx context.Context) error
}

// Mourner is a store that is told, when it did not take the last state of an apply,
// of the objects whose present form the journal has not, either: what is known
// of them is in the snapshot that Apply gives and nowhere else.
type Mourner interface {
	Unrecorded(objects []addr.Object)
}

// Journal keeps edits durable between two snapshots. A nil Journal is allowed:
// then each snapshot edit is only durable when the store has it.
type Journal interface {
	// Append makes records durable; it returns after they are.
	Append(records ...[]byte) error
	// Reset drops all records after a snapshot that holds them was stored, and puts
	// others in their place, if there are any: durably, or not at all.
	Reset(records ...[]byte) error
}

// Deprecations says of which modules deprecated variables and outputs are told.
type Deprecations = evaluate.Deprecations

// All modules, those with a relative path, or none.
const (
	DeprecationsAll   = evaluate.DeprecationsAll
	DeprecationsLocal = evaluate.DeprecationsLocal
	DeprecationsNone  = evaluate.DeprecationsNone
)

// Dialect is how the language is read where Terraform and OpenTofu differ.
type Dialect = settings.Dialect

// The dialects.
const (
	Terraform = settings.Terraform
	OpenTofu  = settings.OpenTofu
)

// Files is the file system as functions of the language see it. Errors are those of
// package os.
type Files = lang.Files

// Options configure an Engine.
type Options struct {
	Config    *config.Tree
	Providers Providers
	// Provisioners are the provisioners by name.
	Provisioners map[string]Provisioner
	// Dialect decides where Terraform and OpenTofu read the same syntax
	// differently; the zero value is Terraform.
	Dialect Dialect
	// Deprecations says of which modules deprecated variables and outputs are
	// told; the zero value is all of them.
	Deprecations Deprecations
	// Files is what functions such as file and templatefile read.
	Files Files
	// Doubles stand in for providers, in tests; nil for none.
	Doubles Doubles
	// Observer is told the events; nil for none.
	Observer event.Observer
	// Parallelism bounds concurrent provider calls; 0 means 10.
	Parallelism int
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Workspace is terraform.workspace; "" means default.
	Workspace string
	// WorkDir is path.cwd: the directory plumb was started in.
	WorkDir string
	// Input asks the person for a value; nil when nobody can be asked.
	Input func(ctx context.Context, q Question) (string, error)
}

// Question is something to ask a person.
type Question struct {
	ID, Query, Description string
	Secret                 bool
}

// Input is the raw value of a root variable with where it comes from.
type Input struct {
	// Value is used when it is set; otherwise Text is parsed as the variable's
	// declaration says.
	Value cty.Value
	Text  string
	// Source says where the value is from.
	Source InputSource
	Range  *diag.Range
}

// InputSource says where a variable's value comes from.
type InputSource uint8

// The sources.
const (
	FromEnv InputSource = iota
	FromAutoFile
	FromNamedFile
	FromFlag
	FromCaller
	FromPlan
	FromPrompt
)

// PlanOptions configure a plan.
type PlanOptions struct {
	Mode        plan.Mode
	State       *state.Snapshot
	Variables   map[string]Input
	Targets     []addr.Target
	Excludes    []addr.Target
	Replace     []addr.AbsInstance
	SkipRefresh bool
	// Deferral leaves what cannot be planned yet to a later plan, when this one
	// was applied: a count or for_each that is not known, and what a provider
	// puts off. Without it the first is an error and the second a fault.
	Deferral bool
	// Invoke names actions to run for their own sake. Nothing else is changed
	// then; one target may name the object that stands for the caller.
	Invoke []addr.AbsAction
	// Imports are objects to bring under management besides those of import
	// blocks. Their resources have to be declared.
	Imports []Import
	// GenerateConfig makes configuration for import blocks whose target has
	// none.
	GenerateConfig bool
	// Questions are answered by what is planned; nil for none.
	Questions *Questions
	// Explain is filled in with the artefacts of the object that it names; nil
	// for none.
	Explain *Artefacts
}

// Import names a remote object by id or by identity.
type Import struct {
	Addr     addr.AbsInstance
	ID       string
	Identity value.Bare
}

// ApplyOptions configure an apply.
type ApplyOptions struct {
	Store   Store
	Journal Journal
	// Variables are the ephemeral ones that the plan does not hold.
	Variables map[string]Input
	// Stored is the state as the store has it; nil when it is what the plan was
	// made from. Unresolved are intents of an earlier run without a result, where
	// the journal does not tell itself what it holds.
	Stored     *state.Snapshot
	Unresolved []state.Intent
	// ForgottenIsFine lets a destroy succeed that forgot objects, where the
	// dialect has it fail.
	ForgottenIsFine bool
	// Questions are answered by what there is afterwards; nil for none.
	Questions *Questions
	// Explain is completed with the final artefacts of the object that it
	// names; nil for none.
	Explain *Artefacts
}
