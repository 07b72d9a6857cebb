package order

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Among sites that only end, the same ends come before the same others whether or
// not what follows from the rest is left out; all else is left alone.
func TestReducedSaysTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "sites")
		sites := make([]Site, n)
		for i := range sites {
			sites[i] = Site{End: true, Make: rapid.IntRange(0, 4).Draw(t, "makes") == 0}
			sites[i].Recorded = rapid.SliceOfDistinct(rapid.IntRange(0, n-1), rapid.ID[int]).Draw(t, "recorded")
		}
		if rapid.Bool().Draw(t, "closed") {
			for i := range sites {
				sites[i].Recorded = before(sites, i)
			}
		}
		less := reduced(sites)
		for i := range sites {
			if sites[i].Make && !slices.Equal(sites[i].Recorded, less[i].Recorded) {
				t.Fatalf("site %d makes something", i)
			}
			want, got := before(sites, i), before(less, i)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Fatalf("what ends after site %d: %v, want %v (%v, of %v)", i, got, want, less, sites)
			}
		}
	})
}

// before are the sites whose ends wait for that of i, directly or through others
// that only end.
func before(sites []Site, i int) []int {
	in := make([]bool, len(sites))
	var out []int
	var follow func(int)
	follow = func(at int) {
		for _, a := range sites[at].Recorded {
			if a != i && !in[a] {
				in[a] = true
				out = append(out, a)
				if sites[a].onlyEnds() {
					follow(a)
				}
			}
		}
	}
	follow(i)
	return out
}

// A chain, of which states record every pair, is as long as it is.
func TestReducedChain(t *testing.T) {
	const n = 500
	sites := make([]Site, n)
	for i := range sites {
		sites[i].End = true
		for j := range i {
			sites[i].Recorded = append(sites[i].Recorded, j)
		}
	}
	if p := Arrange(sites); len(p.Edges) != n-1 || len(p.Legs) != n || p.Legs[0] != (Leg{n - 1, true}) {
		t.Errorf("%d edges, %d legs", len(p.Edges), len(p.Legs))
	}
}
