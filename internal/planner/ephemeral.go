package planner

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
)

// Active says whether a site takes part in the plan.
func (w *walk) Active(id int) bool { return w.active[id] }

// Configured is an instance of the provider at a provider's site; nil when it
// could not be configured.
func (w *walk) Configured(s *evaluate.Site, key addr.InstanceKey) provider.Provider {
	return w.book.Client(s, key)
}

// Pending says whether something that depends_on of a site leads to is going
// to change, so that the site's objects are opened in the apply only. What is
// going to be destroyed serves until then, if it is there.
func (w *walk) Pending(s *evaluate.Site) bool {
	if w.awaits(s.ID) {
		return true
	}
	if w.Mode != plan.Destroy {
		return w.pending(s).anywhere()
	}
	for _, d := range s.Resource.DependsOn {
		if d.Kind == evaluate.Resource && d.Resource.Addr.Resource.Mode == addr.Managed && len(w.nodes[d.ID].objects) == 0 {
			return true
		}
	}
	return false
}

// Ends are none: a plan ends nothing.
func (w *walk) Ends(*evaluate.Site) []int { return nil }
