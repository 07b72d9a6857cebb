package state

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/zclconf/go-cty/cty"
)

// Status is the condition of an object.
type Status uint8

// The statuses.
const (
	Ready Status = iota
	Tainted
)

// Object is one remote object as it is stored: its attributes stay encoded
// until somebody needs them. Objects are immutable and shared between
// snapshots.
type Object struct {
	Status        Status
	SchemaVersion int64
	// Attrs is the JSON object of the attributes. Flat is what states of 0.11
	// have instead.
	Attrs []byte
	Flat  map[string]string
	// Sensitive are the paths marked sensitive beyond what the schema says.
	Sensitive []cty.Path
	// Private is the provider's own data, opaque.
	Private []byte
	// Dependencies are the resources this object depended on when it was last
	// changed, sorted.
	Dependencies        []addr.ConfigResource
	CreateBeforeDestroy bool
	// Identity is the JSON object of the resource identity, nil where there is
	// none.
	Identity        []byte
	IdentityVersion int64
	// SkipDestroy remembers lifecycle.destroy = false after the block is gone.
	SkipDestroy bool
}

// Others are dependencies without the resource that the object is of: nothing waits for
// itself.
func Others(deps []addr.ConfigResource, own addr.ConfigResource) []addr.ConfigResource {
	if !slices.Contains(deps, own) {
		return deps
	}
	return slices.DeleteFunc(slices.Clone(deps), func(d addr.ConfigResource) bool { return d == own })
}

// Output is a root module output value as stored.
type Output struct {
	Value     cty.Value
	Sensitive bool
	// Deprecated is a message, empty for none.
	Deprecated string
}

// CheckStatus is the outcome of a check.
type CheckStatus uint8

// The outcomes.
const (
	CheckUnknown CheckStatus = iota
	CheckPass
	CheckFail
	CheckError
)

// String is the word of the state file.
func (s CheckStatus) String() string { return [...]string{"unknown", "pass", "fail", "error"}[s] }

// CheckResult is the outcome of all checks of one configuration object.
type CheckResult struct {
	// Kind is resource, output, check or var.
	Kind string
	// ConfigAddr is the object's address without instance keys.
	ConfigAddr string
	Status     CheckStatus
	Objects    []CheckObject
}

// CheckObject is the outcome for one instance.
type CheckObject struct {
	Addr     string
	Status   CheckStatus
	Failures []string
}
