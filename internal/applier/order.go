package applier

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/order"
	"github.com/plumb-iac/plumb/internal/schedule"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
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
			add(s.ID, id, s.Picks()[id] != nil) // see deprived
		}
		if s.Kind == evaluate.Resource && nested(s) {
			w.last(s, add)
		}
	}
	for i, e := range w.ends {
		for _, c := range e.changes {
			if p := w.providerSite(e.site, c); p != nil {
				add(n+i, p.ID, false)
			}
			g.Edges = append(g.Edges, w.endActionEdges(n+i, c)...)
		}
	}
	sites := w.orderSites()
	for i := range sites {
		out := &sites[i]
		for _, c := range w.ends[i].changes {
			out.Replaces = out.Replaces || c.Action.IsReplace()
		}
	}
	for _, e := range order.Arrange(sites).Edges {
		// Between beginnings the reads say whose failure matters to whom. What could
		// not be destroyed to make room may be in the way of all that needs the new.
		begin := !e.From.End && !e.To.End
		add(w.node(e.From), w.node(e.To), e.Own || begin)
		if to := &sites[e.To.Site]; begin && to.End && !to.CreateFirst {
			add(w.node(e.From), n+e.To.Site, false)
		}
	}
	return g
}

// last makes a data source of a check block wait for everything that changes,
// so that the check sees what came of it. It runs although other data could not
// be read.
func (w *walk) last(s *evaluate.Site, add func(from, to int, soft bool)) {
	for i, e := range w.ends {
		if e.site != nil && nested(e.site) {
			continue
		}
		add(s.ID, len(w.Sites())+i, false)
		if e.site != nil {
			add(s.ID, e.site.ID, e.addr.Resource.Mode == addr.Data)
		}
	}
}

// node is the node of a leg. What goes for good has only an end.
func (w *walk) node(l order.Leg) int {
	if e := w.ends[l.Site]; !l.End && !e.gone && e.site != nil {
		return e.site.ID
	}
	return len(w.Sites()) + l.Site
}

// orderSites describes the resources to package order: one site an end leg.
func (w *walk) orderSites() []order.Site {
	out := make([]order.Site, len(w.ends))
	seen := make([]int, len(w.ends))
	for i, e := range w.ends {
		out[i].End = len(e.changes) > 0
		out[i].CreateFirst = w.createFirst(e)
		out[i].Recorded, out[i].Noted = w.recorded(i, seen)
		out[i].EndNeeds = w.endNeeds(e)
		if e.gone || e.site == nil {
			continue
		}
		out[i].Make = w.acts(e.site)
		for _, d := range w.Direct(e.site) {
			out[i].Deps = append(out[i].Deps, w.endOf[endKey{addr: d.Resource.Addr}])
		}
		if j, ok := w.endOf[endKey{e.addr, true}]; ok && !out[i].CreateFirst {
			out[i].Prefers = []int{j}
		}
	}
	return out
}

// endNeeds are the resources that the providers which end something are configured
// with: its own, and those of actions that run then.
func (w *walk) endNeeds(e endLeg) []int {
	var out []int
	var asked []*evaluate.Site
	for _, c := range e.changes {
		for _, p := range append(w.endActions(c), w.providerSite(e.site, c)) {
			if p == nil || slices.Contains(asked, p) {
				continue
			}
			asked = append(asked, p)
			for _, d := range w.Direct(p) {
				out = append(out, w.endOf[endKey{addr: d.Resource.Addr}])
			}
		}
	}
	return out
}

// acts says whether anything is created, updated or read in a make leg.
func (w *walk) acts(s *evaluate.Site) bool {
	for _, c := range w.makes[s.ID] {
		if c.Action != plan.NoOp {
			return true
		}
	}
	return false
}

// createFirst says whether the resource is replaced create-first: by what its
// replacements say, else by the configuration, else by what the state remembers
// of what goes.
func (w *walk) createFirst(e endLeg) bool {
	remembered := false
	for _, c := range e.changes {
		switch c.Action {
		case plan.DeleteThenCreate:
			return false
		case plan.CreateThenDelete, plan.CreateThenForget:
			return true
		}
		remembered = remembered || c.CreateBeforeDestroy
	}
	return remembered || e.site != nil && e.site.Resource.CreateFirst
}

// recorded are the dependencies that the state remembers of what changes in the
// i-th end leg: those of the previous run, and those that this one took note of.
// seen holds for each end leg the last one, plus one, that was found to need it.
func (w *walk) recorded(i int, seen []int) (remembered, noted []int) {
	e := w.ends[i]
	changes := e.changes
	if e.site != nil && !e.gone {
		changes = append(changes[:len(changes):len(changes)], w.makes[e.site.ID]...)
	}
	for _, own := range w.endsOf(e.addr) {
		seen[own] = i + 1
	}
	needs := func(at *state.Snapshot) (out []int) {
		for _, c := range changes {
			o := at.Object(c.Object())
			if c.Action == plan.NoOp || o == nil {
				continue
			}
			for _, d := range o.Dependencies {
				for _, end := range w.endsOf(d) {
					if seen[end] != i+1 {
						seen[end] = i + 1
						out = append(out, end)
					}
				}
			}
		}
		return out
	}
	remembered = needs(w.Plan.PrevRun)
	return remembered, needs(w.prior)
}

// endsOf are the end legs of a resource.
func (w *walk) endsOf(r addr.ConfigResource) []int { return w.endsAt[r] }
