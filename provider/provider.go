package provider

import (
	"context"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Provider is everything the engine may ask of one provider instance. All
// methods may be called concurrently, except that Configure comes before the
// calls that touch remote objects, and Close last. A call whose context ends is to
// return soon; the engine waits for it no more than a moment.
type Provider interface {
	Describer
	Configurer
	Managed
	Importer
	DataReader
	EphemeralOpener
	FunctionCaller
	Lister
	Actor
}

// Describer tells what a provider has.
type Describer interface {
	// Schemas gives the provider's schemas. The result is cached and immutable.
	Schemas(ctx context.Context) (Schemas, diag.List)
}

// Configurer is the provider's own lifecycle.
type Configurer interface {
	// ValidateProvider gives config, or what a provider of protocol 5 made of it, with
	// defaults in it. That is for looking at: a provider is configured with what was
	// written, as it may ask which of the two a value is.
	ValidateProvider(ctx context.Context, config value.Bare) (prepared value.Bare, diags diag.List)
	Configure(ctx context.Context, req ConfigureRequest) diag.List
	// Stop asks the provider to abort what it is doing as soon as it can do so
	// gracefully.
	Stop(ctx context.Context) error
	// Close ends the provider's process or frees what it holds.
	Close() error
}

// Managed is the lifecycle of managed resources.
type Managed interface {
	// ValidateResource looks at a configuration, which may have unknown values.
	ValidateResource(ctx context.Context, typeName string, config value.Bare) diag.List
	// UpgradeState gives a stored object in the present schema. It is asked for each
	// stored object, whatever its version.
	UpgradeState(ctx context.Context, req UpgradeRequest) (UpgradeResponse, diag.List)
	// Read finds out what an object is like now.
	Read(ctx context.Context, req ReadRequest) (ReadResponse, diag.List)
	// Plan foresees what an apply would make, and changes nothing. It is asked while
	// planning, and again while applying with everything known.
	Plan(ctx context.Context, req PlanRequest) (PlanResponse, diag.List)
	// Apply makes a planned object true. What exists afterwards is in the answer,
	// with errors as well: a null there says that nothing does.
	Apply(ctx context.Context, req ApplyRequest) (ApplyResponse, diag.List)
}

// Importer brings objects into the state that the engine did not create.
type Importer interface {
	// Import finds an object by its id or identity. A read follows.
	Import(ctx context.Context, req ImportRequest) (ImportResponse, diag.List)
	// Move makes an object of one type of that of another, maybe of another
	// provider.
	Move(ctx context.Context, req MoveRequest) (MoveResponse, diag.List)
	// UpgradeIdentity gives a stored identity in the present schema.
	UpgradeIdentity(ctx context.Context, req UpgradeIdentityRequest) (value.Bare, diag.List)
	// GenerateConfig makes a configuration object from a state object.
	GenerateConfig(ctx context.Context, typeName string, state value.Bare) (value.Bare, diag.List)
}

// DataReader reads data sources.
type DataReader interface {
	ValidateData(ctx context.Context, typeName string, config value.Bare) diag.List
	ReadData(ctx context.Context, req ReadDataRequest) (ReadDataResponse, diag.List)
}

// EphemeralOpener opens objects that live for one run only.
type EphemeralOpener interface {
	ValidateEphemeral(ctx context.Context, typeName string, config value.Bare) diag.List
	Open(ctx context.Context, req OpenRequest) (OpenResponse, diag.List)
	// Renew is asked when the time that Open or Renew gave has come, with the private
	// data that came with it.
	Renew(ctx context.Context, typeName string, private []byte) (RenewResponse, diag.List)
	// CloseEphemeral ends what Open began. It is asked once for each object.
	CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List
}

// FunctionCaller calls provider functions.
type FunctionCaller interface {
	// CallFunction gives the result, or the error text and the index of the
	// argument to blame (-1 for none).
	CallFunction(ctx context.Context, name string, args []value.Bare) FunctionResult
}

// Lister lists remote objects.
type Lister interface {
	ValidateList(ctx context.Context, req ListRequest) diag.List
	// ListResources calls each for every object until the limit, an error, or
	// each returns false.
	ListResources(ctx context.Context, req ListRequest, each func(Listed) bool) diag.List
}

// Actor runs provider actions.
type Actor interface {
	ValidateAction(ctx context.Context, typeName string, config value.Bare) diag.List
	// PlanAction says whether the action can run; the deferral is nil if it can.
	PlanAction(ctx context.Context, req PlanActionRequest) (*Deferred, diag.List)
	// InvokeAction calls progress with each message of the provider.
	InvokeAction(ctx context.Context, typeName string, config value.Bare, progress func(message string)) diag.List
}

// Schemas is the index of a provider's schemas. Types are compiled when they
// are first asked for. Type, Action, ListConfig and StateStore give nil for a type that does not
// exist; diagnostics of a malformed schema come with the first request for it.
type Schemas interface {
	// Provider is the schema of the provider's own configuration.
	Provider() *schema.Resource
	// Meta is the provider_meta schema, nil where there is none.
	Meta() *schema.Block
	// Type is the schema of a resource, data source or ephemeral resource.
	Type(mode addr.Mode, name string) (*schema.Resource, diag.List)
	// Action is the schema of an action's config.
	Action(name string) (*schema.Resource, diag.List)
	// ListConfig is the schema of a list block's config.
	ListConfig(name string) (*schema.Resource, diag.List)
	// StateStore is the schema of a state store's configuration.
	StateStore(name string) (*schema.Resource, diag.List)
	// Functions are the signatures of all functions by name.
	Functions() map[string]*schema.Function
	// TypeNames are the names that Type knows for a mode, sorted.
	TypeNames(mode addr.Mode) []string
	// ActionNames are the names that Action knows, StateStoreNames those of StateStore;
	// sorted.
	ActionNames() []string
	StateStoreNames() []string
	// Capabilities are those that came with the schemas.
	Capabilities() Capabilities
}

// Capabilities is what a provider says it can do.
type Capabilities struct {
	// PlanDestroy: it wants to be asked for a plan before an object is deleted.
	PlanDestroy bool
	// SchemaOptional: it works without being asked for its schemas first.
	SchemaOptional bool
	// MoveResourceState and GenerateConfig: it has these calls.
	MoveResourceState bool
	GenerateConfig    bool
}

// In requests and answers
//
//   - TypeName is the type in the provider's schema;
//   - Config, Prior, Proposed, Planned and New are objects of that type, and null where
//     there is none;
//   - Private is the provider's own data about the object: what an answer gives goes into
//     the state with the object, and comes back with it, byte for byte;
//   - Identity is the object's identity in its schema, the zero value where it has none;
//   - Meta is the value of the module's provider_meta block, the zero value for none;
//   - DeferralAllowed offers the provider to put its answer off, Deferred says that it
//     did, nil for not.

// Deferred is a provider's word that it cannot answer yet.
type Deferred struct{ Reason DeferReason }

// DeferReason says why something was deferred.
type DeferReason uint8

// The reasons a provider may give, numbered as in the protocol.
const (
	DeferUnknown DeferReason = iota
	DeferResourceConfigUnknown
	DeferProviderConfigUnknown
	DeferAbsentPrereq
)

// ConfigureRequest carries the provider block's value.
type ConfigureRequest struct {
	Config value.Bare
	// LanguageVersion is sent as terraform_version.
	LanguageVersion string
	// DeferralAllowed offers the provider to defer.
	DeferralAllowed bool
}

// UpgradeRequest carries a stored object as it was written.
type UpgradeRequest struct {
	TypeName string
	Version  int64
	// JSON is the stored attributes; Flatmap those of states of 0.11. One is
	// nil.
	JSON    []byte
	Flatmap map[string]string
}

// UpgradeResponse is the object in the current schema.
type UpgradeResponse struct {
	Upgraded value.Bare
	// AsStored says that the provider has read what is stored and made nothing else of
	// it, which need not be compared then. The protocol has no such answer; false is
	// always right.
	AsStored bool
}

// UpgradeIdentityRequest carries a stored identity of an older version.
type UpgradeIdentityRequest struct {
	TypeName string
	Version  int64
	JSON     []byte
}

// ReadRequest asks for the present state of a remote object.
type ReadRequest struct {
	TypeName        string
	Prior           value.Bare
	Private         []byte
	Meta            value.Bare
	Identity        value.Bare
	DeferralAllowed bool
}

// ReadResponse is the object as it is now; a null New means that it is gone.
type ReadResponse struct {
	New      value.Bare
	Private  []byte
	Identity value.Bare
	Deferred *Deferred
}

// PlanRequest asks for the planned new state. Prior is null for a create,
// Proposed and Config are null for a destroy plan.
type PlanRequest struct {
	TypeName                string
	Prior, Proposed, Config value.Bare
	PriorPrivate            []byte
	// PlannedPrivate is what the first plan returned, at the second plan.
	PlannedPrivate  []byte
	Meta            value.Bare
	PriorIdentity   value.Bare
	DeferralAllowed bool
}

// PlanResponse is the provider's prediction.
type PlanResponse struct {
	Planned value.Bare
	// RequiresReplace are the attributes that cannot change in place. Those at which
	// nothing differs count for nothing.
	RequiresReplace []cty.Path
	Private         []byte
	// Legacy is set by providers of the old type system, whose inconsistencies
	// are tolerated.
	Legacy   bool
	Identity value.Bare
	Deferred *Deferred
}

// ApplyRequest asks to make the planned state true. Planned is null for a
// deletion.
type ApplyRequest struct {
	TypeName               string
	Prior, Planned, Config value.Bare
	Private                []byte
	Meta                   value.Bare
	Identity               value.Bare
}

// ApplyResponse is what exists now, errors or not.
type ApplyResponse struct {
	New      value.Bare
	Private  []byte
	Legacy   bool
	Identity value.Bare
}

// ImportRequest names a remote object by id or by identity.
type ImportRequest struct {
	TypeName        string
	ID              string
	Identity        value.Bare
	DeferralAllowed bool
}

// ImportResponse are the stubs found.
type ImportResponse struct {
	Imported []Imported
	Deferred *Deferred
}

// Imported is one imported stub.
type Imported struct {
	TypeName string
	State    value.Bare
	Private  []byte
	Identity value.Bare
}

// MoveRequest carries an object of another type or provider.
//
// What is about the source is as it was stored, by the provider and in the version of
// the schema that it was stored with.
type MoveRequest struct {
	SourceProvider        addr.Provider
	SourceType            string
	SourceVersion         int64
	SourceJSON            []byte
	SourcePrivate         []byte
	SourceIdentityJSON    []byte
	SourceIdentityVersion int64
	TargetType            string
}

// MoveResponse is the object in the target type's schema.
type MoveResponse struct {
	Target   value.Bare
	Private  []byte
	Identity value.Bare
}

// ReadDataRequest asks for a data source's result.
type ReadDataRequest struct {
	TypeName string
	// Object is what is read, for providers inside this program. No other is
	// told.
	Object          addr.AbsInstance
	Config          value.Bare
	Meta            value.Bare
	DeferralAllowed bool
}

// ReadDataResponse is the data source's result.
type ReadDataResponse struct {
	State    value.Bare
	Deferred *Deferred
}

// OpenRequest opens an ephemeral resource.
type OpenRequest struct {
	TypeName        string
	Config          value.Bare
	DeferralAllowed bool
}

// OpenResponse is the ephemeral object. RenewAt is zero when it needs no
// renewal.
type OpenResponse struct {
	Result   value.Bare
	Private  []byte
	RenewAt  time.Time
	Deferred *Deferred
}

// RenewResponse says when to renew next.
type RenewResponse struct {
	Private []byte
	RenewAt time.Time
}

// FunctionResult is a function's answer. Error is empty on success.
type FunctionResult struct {
	Result value.Bare
	Error  string
	// Argument is the index of the argument to blame, -1 for none.
	Argument int
	// Failed are the diagnostics of a call that did not come through.
	Failed diag.List
}

// ListRequest asks for objects of a type.
type ListRequest struct {
	TypeName string
	// Config is the config block of the list, in the schema of ListConfig.
	Config value.Bare
	// IncludeObjects asks for whole objects beside their identities.
	IncludeObjects bool
	// Limit is how many are wanted at the most.
	Limit int64
}

// Listed is one object found.
type Listed struct {
	// DisplayName is for people.
	DisplayName string
	Identity    value.Bare
	// Object is the zero value where it was not asked for.
	Object value.Bare
	// Diags are about this object; the others may be fine.
	Diags diag.List
}

// PlanActionRequest asks whether an action can run.
type PlanActionRequest struct {
	TypeName        string
	Config          value.Bare
	DeferralAllowed bool
}
