package install

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
)

// InState are the providers that objects in a state belong to.
func InState(s *state.Snapshot) []addr.Provider {
	if s == nil {
		return nil
	}
	seen := map[addr.Provider]bool{}
	var out []addr.Provider
	for r := range s.Resources() {
		for i := range r.Instances() {
			if p := i.Provider().Provider; !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
	}
	return out
}
