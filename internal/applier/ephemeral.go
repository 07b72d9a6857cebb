package applier

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
)

// Active says whether a site takes part in the apply.
func (w *walk) Active(id int) bool { return w.active[id] }

// Configured is an instance of the provider at a provider's site; nil when it
// could not be configured.
func (w *walk) Configured(s *evaluate.Site, key addr.InstanceKey) provider.Provider {
	return w.book.Client(s, key)
}

// Pending is never so: when a site's turn comes, all that it needs was applied.
func (w *walk) Pending(*evaluate.Site) bool { return false }

// PutOff is never called: an apply offers no deferral.
func (w *walk) PutOff(*evaluate.Site, addr.AbsInstance, addr.ProviderConfig, plan.DeferReason) {}

// Ends are the nodes of a resource's end legs, where anything ends.
func (w *walk) Ends(s *evaluate.Site) []int {
	var out []int
	for _, i := range w.endsOf(s.Resource.Addr) {
		if len(w.ends[i].changes) > 0 {
			out = append(out, len(w.Sites())+i)
		}
	}
	return out
}
