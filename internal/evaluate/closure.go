package evaluate

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
)

// reaching finds what sites reach. The order of the resources is found once, so
// that along a chain, where the answers add up, each part of an answer costs
// next to nothing.
type reaching struct {
	sorted []addr.ConfigResource
	// rank is the place of a site's resource in sorted, -1 for other sites.
	rank []int32
}

// reach is one walk over the sites: marks holds the number of the walk that came
// to a site last.
type reach struct {
	marks []uint32
	walk  uint32
	stack []int
	found []int32
}

func newReaching(sites []*Site) *reaching {
	r := &reaching{rank: make([]int32, len(sites))}
	at := make(map[addr.ConfigResource]int32, len(sites))
	for _, s := range sites {
		if s.Kind == Resource {
			r.sorted = append(r.sorted, s.Resource.Addr)
		}
	}
	slices.SortFunc(r.sorted, addr.Compare)
	for i, a := range r.sorted {
		at[a] = int32(i)
	}
	for i, s := range sites {
		r.rank[i] = -1
		if s.Kind == Resource {
			r.rank[i] = at[s.Resource.Addr]
		}
	}
	return r
}

// Closure are the resources that s reaches through what it reads, sorted, s
// itself left out: what the state records as dependencies.
func (p *Program) Closure(s *Site) []addr.ConfigResource {
	r := p.reaching()
	w := p.walk()
	defer p.walks.Put(w)
	w.first(s.ID)
	w.from(s.Reads, r.rank, p.sites)
	slices.Sort(w.found)
	if len(w.found) == 0 {
		return nil
	}
	out := make([]addr.ConfigResource, len(w.found))
	for i, rank := range w.found {
		out[i] = r.sorted[rank]
	}
	return out
}

// Nearest are the resources that s reads, through declarations that are not
// resources, without those that another of them reaches: one walk from all of them
// tells. References must not lead in a circle.
func (p *Program) Nearest(s *Site) []*Site {
	direct := p.Direct(s)
	r := p.reaching()
	w := p.walk()
	defer p.walks.Put(w)
	for _, d := range direct {
		w.from(d.Reads, r.rank, p.sites)
	}
	return slices.DeleteFunc(direct, func(d *Site) bool { return w.marks[d.ID] == w.walk })
}

// walk begins a walk over the sites; who is done with it puts it back.
func (p *Program) walk() *reach {
	w, _ := p.walks.Get().(*reach)
	if w == nil || len(w.marks) != len(p.sites) { // while it is compiled, a program grows
		w = &reach{marks: make([]uint32, len(p.sites))}
	}
	w.walk++
	w.found = w.found[:0]
	return w
}

// first says whether the walk comes to a site for the first time.
func (w *reach) first(id int) bool {
	first := w.marks[id] != w.walk
	w.marks[id] = w.walk
	return first
}

// Direct are the resources that s reads, through declarations that are not
// resources.
func (p *Program) Direct(s *Site) []*Site {
	w := p.walk()
	defer p.walks.Put(w)
	w.first(s.ID)
	var out []*Site
	w.stack = append(w.stack[:0], s.Reads...)
	for len(w.stack) > 0 {
		id := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if !w.first(id) {
			continue
		}
		at := p.sites[id]
		if at.Kind == Resource {
			out = append(out, at)
			continue
		}
		w.stack = append(w.stack, at.Reads...)
	}
	return out
}

// Reached are the sites that s reads, directly or not, and s itself.
func (p *Program) Reached(s *Site) []int {
	w := p.walk()
	defer p.walks.Put(w)
	w.first(s.ID)
	out := []int{s.ID}
	for i := 0; i < len(out); i++ {
		for _, id := range p.sites[out[i]].Reads {
			if w.first(id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// from adds these sites and what they reach to the walk.
func (w *reach) from(start []int, ranks []int32, sites []*Site) {
	w.stack = append(w.stack[:0], start...)
	for len(w.stack) > 0 {
		id := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if !w.first(id) {
			continue
		}
		if rank := ranks[id]; rank >= 0 {
			w.found = append(w.found, rank)
		}
		w.stack = append(w.stack, sites[id].Reads...)
	}
}
