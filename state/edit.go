package state

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
)

// Edit is one change of a snapshot. The set of edits is closed.
type Edit interface {
	// Subject is the object the edit is about; zero for outputs and checks.
	Subject() addr.Object
	// String is the edit in one line, without values.
	String() string
	// apply changes d, or says which invariant forbids it.
	apply(d *draft) error
}

// Put stores an object, current or deposed, in place of what was there. A zero
// Provider keeps the one recorded. A Provider with an instance key is recorded
// for the instance alone.
type Put struct {
	Object   addr.Object
	Provider addr.ProviderConfig
	New      *Object
}

// Drop removes an object; one that is not there is fine. The instance and the
// resource go with their last object.
type Drop struct{ Object addr.Object }

// Depose turns the current object into a deposed one.
type Depose struct {
	Instance addr.AbsInstance
	Key      addr.DeposedKey
}

// Undepose turns a deposed object back into the current one.
type Undepose struct {
	Instance addr.AbsInstance
	Key      addr.DeposedKey
}

// Taint marks the current object as damaged, or not.
type Taint struct {
	Instance addr.AbsInstance
	Tainted  bool
}

// Rebind moves an instance with all its objects to another address, of which
// nothing may be known yet. What comes to a resource that it depended on does so no
// longer.
type Rebind struct{ From, To addr.AbsInstance }

// PutProvider records another provider configuration for a resource and all
// its instances. A resource that is not there becomes a husk.
type PutProvider struct {
	Resource addr.AbsResource
	Provider addr.ProviderConfig
}

// Prune removes the husks: resources without instances.
type Prune struct{}

// PutOutput stores an output value.
type PutOutput struct {
	Name   string
	Output Output
}

// DropOutput removes an output value; one that is not there is fine.
type DropOutput struct{ Name string }

// PutChecks replaces the outcomes of checks.
type PutChecks struct{ Checks []CheckResult }

// Intent announces that an operation is about to be asked of a provider. It
// leaves the snapshot as it is and lives in the journal alone.
type Intent struct {
	Object addr.Object
	// Op is the operation: create, update, delete.
	Op string
	// Digest identifies the planned values.
	Digest string
}

// Settle says that an announced operation came to nothing. It leaves the
// snapshot as it is and lives in the journal alone.
type Settle struct{ Object addr.Object }

// Subject is the object the operation was about.
func (e Settle) Subject() addr.Object { return e.Object }

// String is the edit in one line.
func (e Settle) String() string { return "settle " + e.Object.String() }

// Subject is the object stored.
func (e Put) Subject() addr.Object { return e.Object }

// Subject is the object removed.
func (e Drop) Subject() addr.Object { return e.Object }

// Subject is the object under its new key.
func (e Depose) Subject() addr.Object { return addr.Object{Instance: e.Instance, Deposed: e.Key} }

// Subject is the current object.
func (e Undepose) Subject() addr.Object { return addr.Object{Instance: e.Instance} }

// Subject is the current object.
func (e Taint) Subject() addr.Object { return addr.Object{Instance: e.Instance} }

// Subject is the object at its new address.
func (e Rebind) Subject() addr.Object { return addr.Object{Instance: e.To} }

// Subject is zero: the edit is about a whole resource.
func (e PutProvider) Subject() addr.Object { return addr.Object{} }

// Subject is zero.
func (e Prune) Subject() addr.Object { return addr.Object{} }

// Subject is zero.
func (e PutOutput) Subject() addr.Object { return addr.Object{} }

// Subject is zero.
func (e DropOutput) Subject() addr.Object { return addr.Object{} }

// Subject is zero.
func (e PutChecks) Subject() addr.Object { return addr.Object{} }

// Subject is the object the operation is about.
func (e Intent) Subject() addr.Object { return e.Object }

// String is the edit in one line.
func (e Put) String() string { return "put " + e.Object.String() }

// String is the edit in one line.
func (e Drop) String() string { return "drop " + e.Object.String() }

// String is the edit in one line.
func (e Depose) String() string { return "depose " + e.Instance.String() + " as " + string(e.Key) }

// String is the edit in one line.
func (e Undepose) String() string {
	return "undepose " + e.Instance.String() + " from " + string(e.Key)
}

// String is the edit in one line.
func (e Taint) String() string {
	if e.Tainted {
		return "taint " + e.Instance.String()
	}
	return "untaint " + e.Instance.String()
}

// String is the edit in one line.
func (e Rebind) String() string { return "rebind " + e.From.String() + " to " + e.To.String() }

// String is the edit in one line.
func (e PutProvider) String() string {
	return "put-provider " + e.Resource.String() + " " + e.Provider.String()
}

// String is the edit in one line.
func (e Prune) String() string { return "prune" }

// String is the edit in one line.
func (e PutOutput) String() string { return "put-output " + e.Name }

// String is the edit in one line.
func (e DropOutput) String() string { return "drop-output " + e.Name }

// String is the edit in one line.
func (e PutChecks) String() string { return fmt.Sprintf("put-checks %d", len(e.Checks)) }

// String is the edit in one line.
func (e Intent) String() string { return "intent " + e.Op + " " + e.Object.String() }

// EditError says that an edit does not fit the snapshot: a mistake of the
// engine, not of the user.
type EditError struct {
	Edit Edit
	// Invariant is the number of the broken invariant, as in the package
	// comment.
	Invariant string
	Reason    string
}

// Error names edit, invariant and reason.
func (e *EditError) Error() string {
	return fmt.Sprintf("state edit %q breaks invariant %s: %s", e.Edit, e.Invariant, e.Reason)
}
