package plan

import (
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Action is what happens to an object.
type Action uint8

// The actions.
const (
	NoOp Action = iota
	Create
	Read
	Update
	DeleteThenCreate
	CreateThenDelete
	Delete
	Forget
	// CreateThenForget replaces an object whose old self is not destroyed.
	CreateThenForget
	// ForgetThenCreate is the same in the other order, which a dialect has: the
	// old object leaves the state when its replacement is about to be created.
	ForgetThenCreate
)

// IsReplace says whether the action makes a new object for an old one.
func (a Action) IsReplace() bool {
	switch a {
	case DeleteThenCreate, CreateThenDelete, CreateThenForget, ForgetThenCreate:
		return true
	}
	return false
}

// Forgets says whether an object leaves the state that still exists.
func (a Action) Forgets() bool {
	return a == Forget || a == CreateThenForget || a == ForgetThenCreate
}

// Names are the words of the plan JSON.
func (a Action) Names() []string {
	switch a {
	case Create:
		return []string{"create"}
	case Read:
		return []string{"read"}
	case Update:
		return []string{"update"}
	case DeleteThenCreate:
		return []string{"delete", "create"}
	case CreateThenDelete:
		return []string{"create", "delete"}
	case Delete:
		return []string{"delete"}
	case Forget:
		return []string{"forget"}
	case CreateThenForget:
		return []string{"create", "forget"}
	case ForgetThenCreate:
		return []string{"forget", "create"}
	}
	return []string{"no-op"}
}

// Reason says why an action was chosen where that is not obvious. The text is
// the action_reason of the plan JSON.
type Reason string

// The reasons.
const (
	NoReason               Reason = ""
	ReplaceTainted         Reason = "replace_because_tainted"
	ReplaceCannotUpdate    Reason = "replace_because_cannot_update"
	ReplaceRequested       Reason = "replace_by_request"
	ReplaceTriggered       Reason = "replace_by_triggers"
	DeleteNoResourceConfig Reason = "delete_because_no_resource_config"
	DeleteWrongRepetition  Reason = "delete_because_wrong_repetition"
	DeleteCountIndex       Reason = "delete_because_count_index"
	DeleteEachKey          Reason = "delete_because_each_key"
	DeleteNoModule         Reason = "delete_because_no_module"
	DeleteNoMoveTarget     Reason = "delete_because_no_move_target"
	DeleteEnabledFalse     Reason = "delete_because_enabled_false"
	ForgotInConfig         Reason = "forgot_because_lifecycle_destroy_in_config"
	ForgotInState          Reason = "forgot_because_lifecycle_destroy_in_state"
	ReadConfigUnknown      Reason = "read_because_config_unknown"
	ReadDependencyPending  Reason = "read_because_dependency_pending"
	ReadCheckNested        Reason = "read_because_check_nested"
)

// Mode is the kind of plan.
type Mode uint8

// The modes.
const (
	Normal Mode = iota
	Destroy
	RefreshOnly
)

// Change is what happens to one object.
type Change struct {
	Addr addr.AbsInstance
	// PrevAddr is the address in the previous run's state; equal to Addr unless
	// the object moved.
	PrevAddr addr.AbsInstance
	Deposed  addr.DeposedKey
	Provider addr.ProviderConfig
	Action   Action
	Reason   Reason
	// Before and After carry sensitive marks (from the schema, the state and
	// the configuration). Null of the schema's type where there is no object.
	Before, After                 value.V
	BeforeIdentity, AfterIdentity value.Bare
	// ReplacePaths are the attributes that force the replacement, sorted.
	ReplacePaths []cty.Path
	// Private is the provider's planned private data. Legacy says that the provider
	// has the older type system.
	Private []byte
	Legacy  bool
	// Importing is set when the object is imported by this plan.
	Importing       *Importing
	GeneratedConfig string
	// Schema is the resource type's schema, for views. It is not stored in plan
	// files; reading one fills it in again.
	Schema *schema.Resource
	// Dependencies and CreateBeforeDestroy are stored with the new object.
	Dependencies        []addr.ConfigResource
	CreateBeforeDestroy bool
	SkipDestroy         bool
}

// Object is the object that changes.
func (c *Change) Object() addr.Object { return addr.Object{Instance: c.Addr, Deposed: c.Deposed} }

// Moved says whether the object had another address in the previous run.
func (c *Change) Moved() bool { return c.PrevAddr != c.Addr }

// Importing says where an imported object comes from.
type Importing struct {
	ID       string
	Identity value.Bare
	// Unknown says that the id is not known yet.
	Unknown bool
}

// OutputChange is what happens to a root output value.
type OutputChange struct {
	Name          string
	Action        Action
	Before, After value.V
	Sensitive     bool
}

// RelevantAttr is an attribute that contributes to the planned changes.
type RelevantAttr struct {
	Resource addr.AbsInstance
	Path     cty.Path
}

// Variable is a root input variable's value as the plan used it.
type Variable struct {
	// Value is cty.NilVal for an ephemeral variable, which is never stored.
	Value cty.Value
	// Shown is what is told of it: the value as it was given, before it got the
	// declared type, or the default. Of an ephemeral variable it is the default,
	// cty.NilVal where there is none.
	Shown cty.Value
	// Ephemeral variables must be given again at apply when Set.
	Ephemeral, Set bool
	// Default says that the value came from the declaration.
	Default bool
}

// DeferredChange is a change put off to a later run. The change is what it
// would be as far as that can be said now. Its address may stand for instances
// that are not known (addr.AnyKey).
type DeferredChange struct {
	Reason DeferReason
	Change Change
}

// DeferReason says why a change is put off. The text is the reason of the plan
// JSON; "" is no deferral.
type DeferReason string

// The reasons of deferral.
const (
	NotDeferred DeferReason = ""
	// DeferUnknown is a provider's deferral without a reason.
	DeferUnknown DeferReason = "unknown"
	// DeferCountUnknown is that of a count, for_each or enabled that is known
	// only later, here or at a module above.
	DeferCountUnknown DeferReason = "instance_count_unknown"
	// DeferConfigUnknown and DeferProviderConfigUnknown are a configuration that
	// is known only later, of the object or of its provider.
	DeferConfigUnknown         DeferReason = "resource_config_unknown"
	DeferProviderConfigUnknown DeferReason = "provider_config_unknown"
	// DeferAbsentPrereq is something that a provider misses and the engine
	// does not know of.
	DeferAbsentPrereq DeferReason = "absent_prereq"
	// DeferPrereq is something that the object needs, and that is deferred
	// itself.
	DeferPrereq DeferReason = "deferred_prereq"
)

// Invocation is a planned run of an action.
type Invocation struct {
	// Addr is the address of the action's instance, in its text form; Type, Name
	// and Module are parts of it.
	Addr     string
	Type     string
	Name     string
	Module   addr.ModuleInstance
	Provider addr.ProviderConfig
	// Config is the action's config block, with null for ephemeral values.
	Config value.V
	// Trigger is nil for an action invoked from the command line.
	Trigger *InvocationTrigger
}

// DeferredInvocation is a run of an action that is put off to a later run,
// together with the change that triggers it. It is what it would be as far as
// that can be said now; its address may stand for instances that are not known.
type DeferredInvocation struct {
	Reason     DeferReason
	Invocation Invocation
}

// InvocationTrigger says which resource instance and event trigger an action.
type InvocationTrigger struct {
	Resource addr.AbsInstance
	// Event is one of before_create, after_create, before_update, after_update,
	// before_destroy, after_destroy.
	Event string
	// BlockIndex counts the action_trigger blocks of the resource, ActionIndex the
	// elements of actions in it, both from 0. OnFailure is halt, taint or continue.
	BlockIndex  int
	ActionIndex int
	OnFailure   string
}

// Document is a whole plan.
type Document struct {
	Mode Mode
	// PrevRun is the state as the previous run left it, upgraded and with moves
	// applied; Prior is that with what refreshing found.
	PrevRun, Prior *state.Snapshot
	Changes        []*Change
	// Drift is what refreshing found, in the form of changes.
	Drift []*Change
	// Outputs are the root module's outputs by name, those that stay included.
	Outputs []OutputChange
	// Checks are the conditions of this plan and how they came out.
	Checks []state.CheckResult
	// Relevant are the attributes of other objects that changes come of: drift is
	// told where it is among them.
	Relevant []RelevantAttr
	// Deferred are the changes that wait for a later run.
	Deferred []*DeferredChange
	// Invocations are the runs of actions, in the order of their triggers.
	Invocations []*Invocation
	// DeferredInvocations are what the deferred changes would trigger.
	DeferredInvocations []*DeferredInvocation
	// Variables are the root module's variables by name.
	Variables map[string]Variable
	// Targets, Excludes and Replace are what was asked for by -target, -exclude and
	// -replace; SkipRefresh by -refresh=false.
	Targets     []addr.Target
	Excludes    []addr.Target
	Replace     []addr.AbsInstance
	SkipRefresh bool
	// Timestamp is what plantimestamp() gives, in UTC.
	Timestamp time.Time
	// Errored plans are kept for showing and cannot be applied.
	Errored bool
	// Applyable says that applying would do something; Complete that nothing
	// was left out by targeting or deferral.
	Applyable, Complete bool
	// Workspace is that of the state. A plan is carried out in no other.
	Workspace string
	// LanguageVersion and Version say what made the plan: the level of the language,
	// and plumb's own version.
	LanguageVersion, Version string
}
