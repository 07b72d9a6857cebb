package order

import (
	"cmp"
	"slices"

	"github.com/plumb-iac/plumb/internal/graph"
)

// rank is how firmly a row is meant. Wishes of higher rank are dropped first.
type rank uint8

const (
	must rank = iota
	// reverse wishes give way only where the state's memory contradicts itself
	// or the configuration.
	reverse
	// mixed wishes would have a create-first end precede a destroy-first one.
	mixed
	// polite wishes let an update finish before what it no longer needs goes.
	polite
)

// source says which dependencies a row is about.
type source uint8

const (
	configured source = 1 << iota
	remembered
	noted
	serving
	recorded = remembered | noted
)

// row says, for a site b that depends on a site a, or is ended with its help: after waits for before.
type row struct {
	name   string
	of     source
	rank   rank
	when   func(a, b *Site) bool
	before half
	after  half
}

// half picks a leg of a pair.
type half struct {
	ofB, end bool
}

var (
	makeA = half{false, false}
	endA  = half{false, true}
	makeB = half{true, false}
	endB  = half{true, true}
)

var rows = []row{
	{"make what is needed first", configured, must, always, makeA, makeB},
	{"make what the end needs first", serving, must, always, makeA, endB},
	{"end what needs it first", remembered, reverse, func(a, b *Site) bool { return a.first() || !b.first() }, endB, endA},
	{"end what needs it first, replaced or not", remembered, mixed, func(a, b *Site) bool { return !a.first() && b.first() }, endB, endA},
	{"end what is going to need it first", noted, polite, always, endB, endA},
	{"let go before the end", recorded, must, func(a, _ *Site) bool { return a.first() }, makeB, endA},
	{"use before closing", configured, must, holds, makeB, endA},
	{"be made before the end", configured, polite, func(a, _ *Site) bool { return a.first() }, makeB, endA},
	{"get out of the way", recorded, polite, func(a, b *Site) bool { return a.first() && a.Replaces && b.Make && !b.first() }, endB, makeA},
	{"let go before the removal", recorded, polite, func(a, b *Site) bool { return !a.Make && !b.Replaces }, makeB, endA},
	{"open before use", configured, mixed, holds, makeA, endB},
	{"end before closing", configured, mixed, holds, endB, endA},
	{"close before its ground goes", configured, polite, func(_, b *Site) bool { return b.Holds }, endB, endA},
}

func always(_, _ *Site) bool { return true }
func holds(a, _ *Site) bool  { return a.Holds }

// has says whether a site has a leg. One that nothing happens to passes the
// waiting on as if it were made.
func (s *Site) has(h half) bool {
	if h.end {
		return s.End
	}
	return s.Make || !s.End
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wait is an edge with its rank while the program is made.
type wait struct {
	Edge
	rank rank
}

// Arrange puts the legs of sites in order.
func Arrange(sites []Site) Program {
	if cycle := circle(sites); cycle != nil {
		return Program{Cycle: cycle}
	}
	sites = reduced(sites)
	waits := own(sites)
	for i := range rows {
		waits = rows[i].apply(sites, waits)
	}
	waits = tidy(waits)
	var p Program
	for r := polite; r > must; r-- {
		waits, p.Dropped = drop(sites, waits, r, p.Dropped)
	}
	for _, w := range waits {
		p.Edges = append(p.Edges, w.Edge)
	}
	p.Legs = legs(sites, waits)
	return p
}

// circle finds sites that depend on each other as configured.
func circle(sites []Site) []int {
	var edges []graph.Edge
	for i := range sites {
		for _, d := range slices.Concat(sites[i].Deps, sites[i].EndNeeds) {
			edges = append(edges, graph.Edge{From: graph.ID(i), To: graph.ID(d)})
		}
	}
	var out []int
	for _, id := range graph.Build(len(sites), edges).Cycle() {
		out = append(out, int(id))
	}
	return out
}

func own(sites []Site) []wait {
	var out []wait
	for i := range sites {
		s := &sites[i]
		for _, a := range s.Prefers {
			if s.Make && sites[a].End {
				out = append(out, wait{Edge{From: Leg{i, false}, To: Leg{a, true}, Own: true, Row: "make room"}, polite})
			}
		}
		if !s.Make || !s.End {
			continue
		}
		e := Edge{From: Leg{i, false}, To: Leg{i, true}, Own: true, Row: "destroy first"}
		if s.first() {
			e = Edge{From: e.To, To: e.From, Own: true, Row: "make first"}
		}
		out = append(out, wait{e, must})
	}
	return out
}

func (r *row) apply(sites []Site, out []wait) []wait {
	for b := range sites {
		if r.of&configured != 0 {
			out = r.pairs(sites, b, sites[b].Deps, out)
		}
		if r.of&remembered != 0 {
			out = r.pairs(sites, b, sites[b].Recorded, out)
		}
		if r.of&noted != 0 {
			out = r.pairs(sites, b, sites[b].Noted, out)
		}
		if r.of&serving != 0 {
			out = r.pairs(sites, b, sites[b].EndNeeds, out)
		}
	}
	return out
}

func (r *row) pairs(sites []Site, b int, needed []int, out []wait) []wait {
	for _, a := range needed {
		if a < 0 || a >= len(sites) || a == b {
			continue
		}
		pair := [2]int{a, b}
		x, y := &sites[a], &sites[b]
		before, after := pair[bit(r.before.ofB)], pair[bit(r.after.ofB)]
		if r.when(x, y) && sites[before].has(r.before) && sites[after].has(r.after) {
			out = append(out, wait{Edge{From: Leg{after, r.after.end}, To: Leg{before, r.before.end}, Row: r.name}, r.rank})
		}
	}
	return out
}

// tidy sorts waits and keeps the firmest of equal ones.
func tidy(waits []wait) []wait {
	slices.SortStableFunc(waits, func(a, b wait) int {
		return cmp.Or(cmp.Compare(node(a.From), node(b.From)), cmp.Compare(node(a.To), node(b.To)), cmp.Compare(a.rank, b.rank))
	})
	return slices.CompactFunc(waits, func(a, b wait) bool { return a.From == b.From && a.To == b.To })
}

// node is the number of a leg among all that there could be.
func node(l Leg) graph.ID { return graph.ID(2*l.Site + bit(l.End)) }

func legOf(n graph.ID) Leg { return Leg{int(n / 2), n%2 == 1} }

func build(sites []Site, waits []wait) *graph.Graph {
	edges := make([]graph.Edge, len(waits))
	for i, w := range waits {
		edges[i] = graph.Edge{From: node(w.From), To: node(w.To)}
	}
	return graph.Build(2*len(sites), edges)
}

// drop takes away the wishes of rank r that lie on cycles.
func drop(sites []Site, waits []wait, r rank, dropped []Edge) ([]wait, []Edge) {
	in := make([]int32, 2*len(sites))
	cyclic := false
	for i, c := range build(sites, waits).Components() {
		cyclic = cyclic || len(c) > 1
		for _, n := range c {
			in[n] = int32(i)
		}
	}
	if !cyclic {
		return waits, dropped
	}
	kept := waits[:0]
	for _, w := range waits {
		if w.rank == r && in[node(w.From)] == in[node(w.To)] {
			dropped = append(dropped, w.Edge)
			continue
		}
		kept = append(kept, w)
	}
	return kept, dropped
}

func legs(sites []Site, waits []wait) []Leg {
	order, _ := build(sites, waits).Order()
	var out []Leg
	for _, n := range order {
		l := legOf(n)
		if s := &sites[l.Site]; l.End && s.End || !l.End && s.Make {
			out = append(out, l)
		}
	}
	return out
}
