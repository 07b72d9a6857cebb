package state

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/plumb-iac/plumb/addr"
	"github.com/zclconf/go-cty/cty"
)

// Defect is a broken invariant of a snapshot.
type Defect struct {
	// Invariant is the number, as in the package comment.
	Invariant string
	// Where is the address of the object or output.
	Where  string
	Reason string
}

// Error names invariant, place and reason.
func (d *Defect) Error() string {
	return fmt.Sprintf("%s: %s (invariant %s of the state)", d.Where, d.Reason, d.Invariant)
}

// Check gives the defects of s, nil for none. Snapshots that only edits made
// have none; those read from a file may.
func (s *Snapshot) Check() []error { return s.CheckSince(nil) }

// CheckSince is Check without the resources and instances that s shares with
// base.
func (s *Snapshot) CheckSince(base *Snapshot) []error {
	var out []error
	for r := range s.Resources() {
		old := base.Resource(r.addr)
		if old != r {
			out = append(out, r.check(old)...)
		}
	}
	for name, o := range s.Outputs() {
		if !storable(o.Value) {
			out = append(out, &Defect{"S9", "output." + name, "the value is missing, marked or not wholly known"})
		}
	}
	return out
}

func (r *Resource) check(old *Resource) []error {
	var out []error
	if r.addr.Resource.Mode != addr.Managed && r.addr.Resource.Mode != addr.Data {
		out = append(out, &Defect{"S2", r.addr.String(), "resources of this mode are not stored"})
	}
	if r.provider == nil {
		out = append(out, &Defect{"S8", r.addr.String(), "no provider configuration is recorded"})
	}
	for i := range r.Instances() {
		if i == old.Instance(i.key) {
			continue
		}
		where := r.addr.Instance(i.key)
		if i.len() == 0 {
			out = append(out, &Defect{"S4", where.String(), "the instance has no object"})
		}
		for k, o := range i.Objects() {
			if invariant, reason := o.defect(where, k); invariant != "" {
				out = append(out, &Defect{invariant, addr.Object{Instance: where, Deposed: k}.String(), reason})
			}
		}
	}
	return out
}

func (o *Object) defect(at addr.AbsInstance, k addr.DeposedKey) (invariant, reason string) {
	switch {
	case o.Flat == nil && (jsontext.Value(o.Attrs).Kind() != '{' || !jsontext.Value(o.Attrs).IsValid()):
		return "S3", "the attributes are not a JSON object"
	case o.Identity != nil && (jsontext.Value(o.Identity).Kind() != '{' || !jsontext.Value(o.Identity).IsValid()):
		return "S3", "the identity is not a JSON object"
	case k != "" && !validDeposed(k):
		return "S5", "the deposed key is not eight hexadecimal digits"
	case at.Resource.Mode == addr.Data && (k != "" || o.Status != Ready):
		return "S10", "a data source result is never tainted or deposed"
	case !sortedDependencies(o.Dependencies):
		return "S11", "the dependencies are not sorted, or repeat"
	}
	return "", ""
}

func sortedDependencies(deps []addr.ConfigResource) bool {
	for i := 1; i < len(deps); i++ {
		if !deps[i-1].Less(deps[i]) {
			return false
		}
	}
	return true
}

func validDeposed(k addr.DeposedKey) bool {
	if len(k) != 8 {
		return false
	}
	for i := 0; i < len(k); i++ {
		if c := k[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func storable(v cty.Value) bool {
	return v != cty.NilVal && !v.ContainsMarked() && v.IsWhollyKnown()
}
