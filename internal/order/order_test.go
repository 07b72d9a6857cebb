package order

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
	"pgregory.net/rapid"
)

// testdata/stories.txt holds sites, and behind > the program made of them.
func TestStories(t *testing.T) {
	golden.Paragraphs(t, "testdata/stories.txt", func(given []string) []string { return tell(t, given[1:]) })
}

func tell(t *testing.T, lines []string) []string {
	var names []string
	spread, dependants := false, false
	for _, line := range lines {
		f := strings.Fields(line)
		if f[0] == "spread" {
			spread, dependants = true, len(f) > 1
			continue
		}
		names = append(names, f[0])
	}
	sites := make([]Site, len(names))
	ids := func(list string) (out []int) {
		for _, n := range strings.Split(list, ",") {
			out = append(out, slices.Index(names, n))
		}
		return out
	}
	for _, line := range lines {
		f := strings.Fields(line)
		i := slices.Index(names, f[0])
		if i < 0 {
			continue
		}
		for _, w := range f[1:] {
			key, list, _ := strings.Cut(w, "=")
			switch key {
			case "make":
				sites[i].Make = true
			case "end":
				sites[i].End = true
			case "replace":
				sites[i].Make, sites[i].End, sites[i].Replaces = true, true, true
			case "first":
				sites[i].CreateFirst = true
			case "holds":
				sites[i].Holds = true
			case "deps":
				sites[i].Deps = ids(list)
			case "was":
				sites[i].Recorded = ids(list)
			case "noted":
				sites[i].Noted = ids(list)
			case "ends":
				sites[i].EndNeeds = ids(list)
			case "prefers":
				sites[i].Prefers = ids(list)
			default:
				t.Fatalf("cannot read %q", line)
			}
		}
	}
	var out []string
	if spread {
		for i, s := range Spread(sites, dependants) {
			sites[i].CreateFirst = s.CreateFirst
			if s.Because != None {
				out = append(out, fmt.Sprintf("> %s is create-first because of %s", names[i], names[s.Because]))
			}
		}
	}
	return append(out, listing(Arrange(sites), names)...)
}

func listing(p Program, names []string) []string {
	var out []string
	if p.Cycle != nil {
		line := ">"
		for _, i := range p.Cycle {
			line += " " + names[i]
		}
		return append(out, line+" go in circles")
	}
	name := func(l Leg) string {
		verb, _, _ := strings.Cut(l.String(), " ")
		return verb + " " + names[l.Site]
	}
	for _, l := range p.Legs {
		line := "> " + name(l)
		var waits []string
		for _, e := range p.Edges {
			if e.From == l {
				waits = append(waits, name(e.To))
			}
		}
		if waits != nil {
			line += " after " + strings.Join(waits, ", ")
		}
		out = append(out, line)
	}
	for _, e := range p.Dropped {
		out = append(out, fmt.Sprintf("> not %s after %s (%s)", name(e.From), name(e.To), e.Row))
	}
	return out
}

func anySites(t *rapid.T, memory bool) []Site {
	n := rapid.IntRange(1, 8).Draw(t, "n")
	sites := make([]Site, n)
	for i := range sites {
		s := &sites[i]
		s.Make, s.End = rapid.Bool().Draw(t, "make"), rapid.Bool().Draw(t, "end")
		s.Make = s.Make || s.End && !memory
		s.Replaces = s.Make && s.End && rapid.Bool().Draw(t, "replaces")
		s.CreateFirst = rapid.Bool().Draw(t, "first")
		for j := range i {
			if rapid.IntRange(0, 2).Draw(t, "dep") == 0 {
				s.Deps = append(s.Deps, j)
			}
			if rapid.IntRange(0, 4).Draw(t, "serves") == 0 && memory {
				s.EndNeeds = append(s.EndNeeds, j)
			}
		}
		if memory {
			s.Holds = rapid.IntRange(0, 5).Draw(t, "holds") == 0
			s.Recorded = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 4).Draw(t, "was")
			s.Noted = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "noted")
		}
	}
	for i, s := range Spread(sites, rapid.Bool().Draw(t, "dependants")) {
		sites[i].CreateFirst = s.CreateFirst
	}
	return sites
}

// Whatever the state remembers, the program has no cycle (O1), the legs come in
// an order that honours all edges, and no must is missing.
func TestNeverACycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := anySites(t, true)
		p := Arrange(sites)
		if p.Cycle != nil {
			t.Fatalf("cycle %v", p.Cycle)
		}
		at := map[Leg]int{}
		for i, l := range p.Legs {
			at[l] = i
		}
		for _, e := range p.Edges {
			from, ok1 := at[e.From]
			to, ok2 := at[e.To]
			if ok1 && ok2 && from <= to {
				t.Fatalf("%v stands before %v (%s)", e.From, e.To, e.Row)
			}
		}
		for i, s := range sites {
			if _, ok := at[Leg{i, false}]; ok != s.Make {
				t.Fatalf("site %d is made %v", i, ok)
			}
			if _, ok := at[Leg{i, true}]; ok != s.End {
				t.Fatalf("site %d is ended %v", i, ok)
			}
			for _, d := range s.Deps {
				if s.Make && sites[d].Make && at[Leg{i, false}] < at[Leg{d, false}] {
					t.Fatalf("%d is made before %d, which it depends on", i, d)
				}
			}
			for _, d := range s.EndNeeds {
				if s.End && sites[d].Make && at[Leg{i, true}] < at[Leg{d, false}] {
					t.Fatalf("%d is ended before %d is made, which that needs", i, d)
				}
			}
			if s.Make && s.End && !s.Holds && (at[Leg{i, false}] < at[Leg{i, true}]) != s.CreateFirst {
				t.Fatalf("site %d is create-first %v", i, s.CreateFirst)
			}
		}
	})
}

// When the state remembers what is configured, nothing is dropped (O2).
func TestNothingIsDroppedWithoutNeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := anySites(t, false)
		for i := range sites {
			all := map[int]bool{}
			for _, d := range sites[i].Deps {
				all[d] = true
				for _, r := range sites[d].Recorded {
					all[r] = true
				}
			}
			for d := range len(sites) {
				if all[d] {
					sites[i].Recorded = append(sites[i].Recorded, d)
				}
			}
		}
		if p := Arrange(sites); p.Dropped != nil {
			t.Fatalf("dropped %v", p.Dropped)
		}
	})
}

// Spreading adds and never takes away (O3), and leaves nothing that is
// create-first on something that is not.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := anySites(t, true)
		for i, s := range Spread(sites, false) {
			if sites[i].CreateFirst && !s.CreateFirst {
				t.Fatalf("%d was create-first", i)
			}
			for _, d := range sites[i].Deps {
				if s.CreateFirst && !Spread(sites, false)[d].CreateFirst {
					t.Fatalf("%d is create-first and %d is not", i, d)
				}
			}
		}
	})
}
