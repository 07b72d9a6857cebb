package order

import (
	"cmp"
	"slices"
)

// reduced leaves out what is recorded and follows from the rest. States record
// everything that an object needed, directly or not, so that along a chain the
// dependencies add up to its square; of a site that needed a chain only the last
// link matters.
//
// Only sites that are ended and nothing else count: among them one row holds,
// which has the one end before the other, and so what goes through a third needs
// no word. A third stands for others only if it records less than the site
// itself, so that memories that contradict themselves lose nothing.
func reduced(sites []Site) []Site {
	out := slices.Clone(sites)
	r := reducer{sites: sites, size: bySize(sites), covered: make([]int, len(sites))}
	for b := range sites {
		if sites[b].onlyEnds() && len(sites[b].Recorded) > 1 {
			out[b].Recorded = r.reduce(b)
		}
	}
	return out
}

// onlyEnds says that nothing but an end happens to the site.
func (s *Site) onlyEnds() bool { return s.End && !s.Make && !s.Holds }

// reducer finds what follows from what.
type reducer struct {
	sites []Site
	// size is the place of each site among all, those that record most first.
	size []int
	// covered holds for each site the last one, plus one, that it follows for.
	covered []int
}

func bySize(sites []Site) []int {
	order := make([]int, len(sites))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(sites[b].Recorded), len(sites[a].Recorded)), cmp.Compare(a, b))
	})
	place := make([]int, len(sites))
	for i, s := range order {
		place[s] = i
	}
	return place
}

// reduce gives the recorded dependencies of site b that do not follow from
// others. The work is bounded by what is recorded: where the dependencies do not
// cover each other they stay.
func (r *reducer) reduce(b int) []int {
	needed := slices.DeleteFunc(slices.Clone(r.sites[b].Recorded), func(a int) bool { return a < 0 || a >= len(r.sites) || a == b })
	slices.SortFunc(needed, func(x, y int) int { return r.size[x] - r.size[y] })
	budget := 4 * len(needed)
	kept := needed[:0]
	for _, a := range needed {
		s := &r.sites[a]
		if r.covered[a] == b+1 && s.onlyEnds() {
			continue
		}
		kept = append(kept, a)
		if s.onlyEnds() && len(s.Recorded) < len(r.sites[b].Recorded) && budget > 0 {
			budget -= len(s.Recorded)
			for _, through := range s.Recorded {
				if through >= 0 && through < len(r.sites) && through != a {
					r.covered[through] = b + 1
				}
			}
		}
	}
	return slices.Clone(kept)
}
