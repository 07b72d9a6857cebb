package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parse reads "0>1 1>2" into a graph of n nodes.
func parse(n int, s string) *Graph {
	var edges []Edge
	for _, f := range strings.Fields(s) {
		var e Edge
		fmt.Sscanf(f, "%d>%d", &e.From, &e.To)
		edges = append(edges, e)
	}
	return Build(n, edges)
}

func TestStories(t *testing.T) {
	for _, c := range []struct {
		name, edges       string
		n                 int
		components, cycle string
	}{
		{"nothing", "", 0, "[]", "[]"},
		{"a chain", "0>1 1>2", 3, "[[2] [1] [0]]", "[]"},
		{"a diamond with repeated edges", "0>1 0>2 1>3 2>3 0>1 9>1", 4, "[[3] [1] [2] [0]]", "[]"},
		{"a loop", "1>1", 2, "[[0] [1]]", "[1]"},
		{"a long cycle with a short cut", "0>1 1>2 2>3 3>0 2>0 4>0", 5, "[[0 1 2 3] [4]]", "[0 1 2]"},
		{"two cycles", "4>5 5>4 1>2 2>1", 6, "[[0] [1 2] [3] [4 5]]", "[1 2]"},
	} {
		g := parse(c.n, c.edges)
		if got := fmt.Sprint(g.Components()); got != c.components {
			t.Errorf("%s: components %s, want %s", c.name, got, c.components)
		}
		if got := fmt.Sprint(g.Cycle()); got != c.cycle {
			t.Errorf("%s: cycle %s, want %s", c.name, got, c.cycle)
		}
	}
	if got := fmt.Sprint(parse(6, "4>5 5>4 1>2 2>1").Cycles()); got != "[[1 2] [4 5]]" {
		t.Errorf("cycles %s", got)
	}
}

func TestAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		node := rapid.Int32Range(0, int32(n-1))
		var edges []Edge
		for range rapid.IntRange(0, 30).Draw(t, "m") {
			edges = append(edges, Edge{node.Draw(t, "from"), node.Draw(t, "to")})
		}
		g := Build(n, edges)
		reach := make([][]bool, n)
		for i := range n {
			reach[i] = make([]bool, n)
			for _, next := range g.To(ID(i)) {
				follow(g, next, reach[i])
			}
		}
		seen := make([]bool, n)
		cyclic := false
		for _, c := range g.Components() {
			for _, a := range c {
				for b := range n {
					together := slices.Contains(c, ID(b))
					if together != (int(a) == b || reach[a][b] && reach[b][a]) {
						t.Fatalf("component %v and node %d", c, b)
					}
					if !together && reach[a][b] && !seen[b] {
						t.Fatalf("%d comes before %d, which it depends on", a, b)
					}
				}
				cyclic = cyclic || reach[a][a]
			}
			for _, a := range c {
				seen[a] = true
			}
		}
		cycle := g.Cycle()
		if cyclic != (cycle != nil) {
			t.Fatalf("cyclic %v, cycle %v", cyclic, cycle)
		}
		for i, a := range cycle {
			if !slices.Contains(g.To(a), cycle[(i+1)%len(cycle)]) {
				t.Fatalf("%v is no cycle", cycle)
			}
		}
	})
}

// follow marks everything that can be reached from n.
func follow(g *Graph, n ID, in []bool) {
	if in[n] {
		return
	}
	in[n] = true
	for _, next := range g.To(n) {
		follow(g, next, in)
	}
}

func TestLongChainIsNoDanger(t *testing.T) {
	const n = 300_000
	edges := make([]Edge, 0, n)
	for i := range ID(n - 1) {
		edges = append(edges, Edge{i, i + 1})
	}
	g := Build(n, edges)
	if order, ok := g.Order(); !ok || order[0] != n-1 || order[n-1] != 0 {
		t.Error("the chain does not begin with its end")
	}
	closed := Build(n, append(edges, Edge{n - 1, 0}))
	if got := len(closed.Cycle()); got != n {
		t.Errorf("the cycle is %d long", got)
	}
}

func BenchmarkComponents(b *testing.B) {
	for _, n := range []int{50_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			edges := make([]Edge, 0, 3*n)
			for i := range ID(n) {
				edges = append(edges, Edge{i, i / 2}, Edge{i, i / 3}, Edge{i, i - 1})
			}
			g := Build(n, edges[3:])
			b.ReportAllocs()
			for b.Loop() {
				g.Components()
			}
		})
	}
}
