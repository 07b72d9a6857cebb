package ephemeral

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/schedule"
)

// closers adds the nodes that close. Each waits for everything that its site's
// value may reach; that ends at the objects that are stored. The end of what
// ephemeral objects were made from waits for the closing, where that can be.
func (w *walk) closers(g schedule.Graph) schedule.Graph {
	if len(w.order) == 0 {
		return g
	}
	g.N += len(w.order)
	needs, dependants := make([][]int, g.N), make([][]int, g.N)
	add := func(from, to int) {
		g.Edges = append(g.Edges, schedule.Edge{From: from, To: to, Soft: true})
		needs[from] = append(needs[from], to)
	}
	closer := map[int]int{}
	for i, n := range w.order {
		closer[n.site.ID] = w.base + i
	}
	for _, e := range g.Edges {
		needs[e.From] = append(needs[e.From], e.To)
		dependants[e.To] = append(dependants[e.To], e.From)
	}
	for i, n := range w.order {
		for _, id := range reached(n.site.ID, dependants, w.passesOn) {
			add(w.base+i, id)
			if c, ok := closer[id]; ok && id != n.site.ID {
				add(w.base+i, c)
			}
		}
	}
	for i, n := range w.order {
		for _, end := range w.ends(n.site) {
			if !slices.Contains(reached(w.base+i, needs, always), end) {
				add(end, w.base+i)
			}
		}
	}
	return g
}

// reached are the nodes that edges lead to from id, id itself included; on says
// of which nodes the edges are followed.
func reached(id int, edges [][]int, on func(int) bool) []int {
	seen := map[int]bool{id: true}
	out := []int{id}
	for at := 0; at < len(out); at++ {
		if !on(out[at]) {
			continue
		}
		for _, d := range edges[out[at]] {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}

func always(int) bool { return true }

// passesOn says whether what needs a node may see ephemeral values through it.
func (w *walk) passesOn(id int) bool {
	if id >= len(w.run.Sites()) {
		return false
	}
	s := w.run.Sites()[id]
	return s.Kind != evaluate.Resource || isEphemeral(s)
}

// ends are the nodes that end what the objects of a site were made from.
func (w *walk) ends(s *evaluate.Site) []int {
	reads := make([][]int, len(w.run.Sites()))
	for _, at := range w.run.Sites() {
		reads[at.ID] = at.Reads
	}
	var out []int
	for _, id := range reached(s.ID, reads, func(id int) bool { return !isManaged(w.run.Sites()[id]) }) {
		if at := w.run.Sites()[id]; isManaged(at) {
			out = append(out, w.Ends(at)...)
		}
	}
	return out
}

func isManaged(s *evaluate.Site) bool {
	return s.Kind == evaluate.Resource && s.Resource.Addr.Resource.Mode == addr.Managed
}
