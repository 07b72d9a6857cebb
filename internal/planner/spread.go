package planner

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/order"
	"github.com/plumb-iac/plumb/plan"
)

// createsFirst says which sites, by their numbers, are resources that are replaced
// create-first. In a plan that takes a part of the configuration only those spread it
// to what they depend on that take part.
func (w *walk) createsFirst() []bool {
	out, some := make([]bool, len(w.Sites())), false
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && s.Resource.CreateFirst {
			out[s.ID], some = true, true
		}
	}
	if !w.Partial || !some {
		return out
	}
	resources, sites, _ := w.resources(func(s *evaluate.Site) bool { return w.active[s.ID] && s.Resource.Config.Lifecycle.CreateBeforeDestroy })
	for i, sp := range order.Spread(sites, false) {
		out[resources[i].ID] = sp.CreateFirst
	}
	return out
}

// spreadUp has the state remember, of objects that are updated behind a
// create-first replacement, that they are create-first now. It is the reading of
// a dialect. Replacements keep the order that their action shows.
func (w *walk) spreadUp(d *plan.Document) {
	if !w.SpreadsUp || !slices.Contains(w.first, true) {
		return
	}
	_, sites, at := w.resources(func(s *evaluate.Site) bool { return w.first[s.ID] })
	for _, c := range d.Changes {
		i, known := at[c.Addr.Config()]
		if !known || c.Deposed != "" || c.Action == plan.NoOp {
			continue
		}
		sites[i].Make = true
		sites[i].Replaces = sites[i].Replaces || c.Action.IsReplace()
		if o := d.Prior.Object(c.Object()); o != nil {
			for _, dep := range o.Dependencies {
				if j, known := at[dep]; known {
					sites[i].Recorded = append(sites[i].Recorded, j)
				}
			}
		}
	}
	spread := order.Spread(sites, true)
	for _, c := range d.Changes {
		if i, known := at[c.Addr.Config()]; known && c.Action == plan.Update {
			c.CreateBeforeDestroy = c.CreateBeforeDestroy || spread[i].CreateFirst
		}
	}
}

// resources are the sites of the configuration's resources, with what they depend on
// and which of them are first as package order has it, and where each is among them.
func (w *walk) resources(first func(*evaluate.Site) bool) (resources []*evaluate.Site, sites []order.Site, at map[addr.ConfigResource]int) {
	at = map[addr.ConfigResource]int{}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource {
			at[s.Resource.Addr] = len(resources)
			resources = append(resources, s)
		}
	}
	sites = make([]order.Site, len(resources))
	for i, s := range resources {
		sites[i].CreateFirst = first(s)
		for _, dep := range w.Direct(s) {
			sites[i].Deps = append(sites[i].Deps, at[dep.Resource.Addr])
		}
	}
	return resources, sites, at
}
