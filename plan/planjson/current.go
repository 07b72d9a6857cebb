package planjson

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
)

// Current says which object of a state was written with another version of its
// schema than the one at hand, so that its attributes cannot be told truly. Only
// the objects of the instances that which accepts are looked at; nil is all.
func Current(s *state.Snapshot, schemas Schemas, which func(addr.AbsInstance) bool) error {
	if s == nil {
		return nil
	}
	for r := range s.Resources() {
		for i := range r.Instances() {
			at := r.Addr().Instance(i.Key())
			if which != nil && !which(at) {
				continue
			}
			sch := schemas.of(i.Provider().Provider, at.Resource)
			if sch == nil {
				continue
			}
			for _, o := range i.Objects() {
				if o.SchemaVersion != sch.Version {
					return fmt.Errorf("schema version %d for %s in state does not match version %d from the provider", o.SchemaVersion, at, sch.Version)
				}
			}
		}
	}
	return nil
}
