package graph

import (
	"slices"
)

// ID is a node: 0 … Len()-1.
type ID = int32

// Edge says that From depends on To.
type Edge struct{ From, To ID }

// Graph is a directed graph in compressed rows.
type Graph struct {
	// start[i] … start[i+1] is the row of node i in to.
	start []int32
	to    []ID
}

// Build makes a graph of n nodes. Edges to or from nodes outside 0 … n-1 are
// left out, repeated ones count once. Edges of a node to itself are kept: they
// are cycles.
func Build(n int, edges []Edge) *Graph {
	g := &Graph{start: make([]int32, n+1)}
	ok := func(e Edge) bool { return e.From >= 0 && e.To >= 0 && int(e.From) < n && int(e.To) < n }
	for _, e := range edges {
		if ok(e) {
			g.start[e.From+1]++
		}
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	g.to = make([]ID, g.start[n])
	next := slices.Clone(g.start[:n])
	for _, e := range edges {
		if ok(e) {
			g.to[next[e.From]] = e.To
			next[e.From]++
		}
	}
	g.tidy()
	return g
}

// tidy sorts the rows and drops repeated entries.
func (g *Graph) tidy() {
	kept := int32(0)
	for i := range g.Len() {
		row := g.to[g.start[i]:g.start[i+1]]
		slices.Sort(row)
		g.start[i] = kept
		last := ID(-1)
		for _, t := range row {
			if t != last {
				g.to[kept] = t
				kept++
				last = t
			}
		}
	}
	g.start[g.Len()] = kept
	g.to = g.to[:kept:kept]
}

// Len is the number of nodes.
func (g *Graph) Len() int { return len(g.start) - 1 }

// To are the nodes that n depends on, sorted. The slice belongs to the graph.
func (g *Graph) To(n ID) []ID { return g.to[g.start[n]:g.start[n+1]] }
