package planner

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/order"
	"github.com/plumb-iac/plumb/plan"
)

// spreadUp has the state remember, of objects that are updated behind a
// create-first replacement, that they are create-first now. It is the reading of
// a dialect. Replacements keep the order that their action shows.
func (w *walk) spreadUp(d *plan.Document) {
	if !w.SpreadsUp {
		return
	}
	resources, at := w.resources()
	if !slices.ContainsFunc(resources, func(s *evaluate.Site) bool { return s.Resource.CreateFirst }) {
		return
	}
	sites := make([]order.Site, len(resources))
	for i, s := range resources {
		sites[i].CreateFirst = s.Resource.CreateFirst
		for _, dep := range w.Direct(s) {
			sites[i].Deps = append(sites[i].Deps, at[dep.Resource.Addr])
		}
	}
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

// resources are the sites of the configuration's resources, and where each is
// among them.
func (w *walk) resources() ([]*evaluate.Site, map[addr.ConfigResource]int) {
	var out []*evaluate.Site
	at := map[addr.ConfigResource]int{}
	for _, s := range w.Sites() {
		if s.Kind == evaluate.Resource && s.Resource != nil {
			at[s.Resource.Addr] = len(out)
			out = append(out, s)
		}
	}
	return out, at
}
