package applier

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/order"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
)

// graph is what the sites read, and the order of the legs.
func (w *walk) graph() schedule.Graph {
	n := len(w.Sites())
	g := schedule.Graph{N: len(w.nodes)}
	add := func(from, to int, soft bool) {
		if from != to {
			g.Edges = append(g.Edges, schedule.Edge{From: from, To: to, Soft: soft})
		}
	}
	for _, s := range w.Sites() {
		for _, id := range s.Reads {
			add(s.ID, id, false)
		}
	}
	for i, e := range w.ends {
		for _, c := range e.changes {
			if p := w.providerSite(e.site, c); p != nil {
				add(n+i, p.ID, false)
			}
		}
	}
	for _, e := range order.Arrange(w.orderSites()).Edges {
		add(w.node(e.From), w.node(e.To), e.From.Site == e.To.Site)
	}
	return g
}

// node is the node of a leg. A resource without a declaration has only an end.
func (w *walk) node(l order.Leg) int {
	if l.End || w.ends[l.Site].site == nil {
		return len(w.Sites()) + l.Site
	}
	return w.ends[l.Site].site.ID
}

// orderSites describes the resources to package order: one site an end leg.
func (w *walk) orderSites() []order.Site {
	out := make([]order.Site, len(w.ends))
	for i, e := range w.ends {
		out[i].Make = e.site != nil
		out[i].End = true
		out[i].CreateFirst = w.createFirst(e)
		if e.site != nil {
			for _, d := range w.Direct(e.site) {
				out[i].Deps = append(out[i].Deps, w.endOf[d.Resource.Addr])
			}
		}
		out[i].Recorded = w.recorded(e)
	}
	return out
}

// createFirst says whether the resource is replaced create-first, by the
// configuration or by what the state remembers.
func (w *walk) createFirst(e endLeg) bool {
	if e.site != nil && e.site.Resource.CreateFirst {
		return true
	}
	for _, c := range e.changes {
		if c.CreateBeforeDestroy || c.Action == plan.CreateThenDelete {
			return true
		}
	}
	return false
}

// recorded are the dependencies that the state remembers of what ends.
func (w *walk) recorded(e endLeg) []int {
	seen := map[addr.ConfigResource]bool{e.addr: true}
	var out []int
	for _, c := range e.changes {
		o := w.prior.Object(c.Object())
		if o == nil {
			continue
		}
		for _, d := range o.Dependencies {
			if i, ok := w.endOf[d]; ok && !seen[d] {
				seen[d] = true
				out = append(out, i)
			}
		}
	}
	return out
}

var _ = evaluate.Resource
