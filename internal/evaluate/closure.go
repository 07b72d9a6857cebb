package evaluate

import (
	"slices"
	"sync"

	"github.com/plumb-iac/plumb/addr"
)

// reaching finds what sites reach. The order of the resources is found once, so
// that along a chain, where the answers add up, each part of an answer costs
// next to nothing.
type reaching struct {
	sorted []addr.ConfigResource
	// rank is the place of a site's resource in sorted, -1 for other sites.
	rank  []int32
	walks sync.Pool // of *reach
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
	r.walks.New = func() any { return &reach{marks: make([]uint32, len(sites))} }
	return r
}

// Closure are the resources that s reaches through what it reads, sorted, s
// itself left out: what the state records as dependencies.
func (p *Program) Closure(s *Site) []addr.ConfigResource {
	r := p.reaching()
	w := r.walks.Get().(*reach)
	defer r.walks.Put(w)
	w.from(s, r.rank, p.sites)
	if len(w.found) == 0 {
		return nil
	}
	out := make([]addr.ConfigResource, len(w.found))
	for i, rank := range w.found {
		out[i] = r.sorted[rank]
	}
	return out
}

// from collects the ranks of the resources that s reaches, sorted.
func (w *reach) from(s *Site, ranks []int32, sites []*Site) {
	w.walk++
	w.marks[s.ID] = w.walk
	w.found, w.stack = w.found[:0], append(w.stack[:0], s.Reads...)
	for len(w.stack) > 0 {
		id := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.marks[id] == w.walk {
			continue
		}
		w.marks[id] = w.walk
		if rank := ranks[id]; rank >= 0 {
			w.found = append(w.found, rank)
		}
		w.stack = append(w.stack, sites[id].Reads...)
	}
	slices.Sort(w.found)
}
