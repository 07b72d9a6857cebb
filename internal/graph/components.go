package graph

import "slices"

// Components are the strongly connected components, each sorted, in an order in
// which everything comes after what it depends on.
func (g *Graph) Components() [][]ID {
	t := tarjan{g: g, index: make([]int32, g.Len()), low: make([]int32, g.Len()), on: make([]bool, g.Len())}
	for n := range ID(g.Len()) {
		if t.index[n] == 0 {
			t.run(n)
		}
	}
	return t.out
}

// tarjan finds components with an explicit stack of visits. Indexes begin at 1;
// 0 means not visited.
type tarjan struct {
	g          *Graph
	index, low []int32
	on         []bool
	stack      []ID
	visits     []visit
	count      int32
	out        [][]ID
	// room is where the components' members are cut from.
	room []ID
}

type visit struct {
	node ID
	edge int32
}

func (t *tarjan) enter(n ID) {
	t.count++
	t.index[n], t.low[n] = t.count, t.count
	t.stack, t.on[n] = append(t.stack, n), true
	t.visits = append(t.visits, visit{n, 0})
}

func (t *tarjan) run(root ID) {
	t.enter(root)
	for len(t.visits) > 0 {
		v := &t.visits[len(t.visits)-1]
		row := t.g.To(v.node)
		if int(v.edge) == len(row) {
			t.leave(v.node)
			continue
		}
		next := row[v.edge]
		v.edge++
		switch {
		case t.index[next] == 0:
			t.enter(next)
		case t.on[next]:
			t.low[v.node] = min(t.low[v.node], t.index[next])
		}
	}
}

func (t *tarjan) leave(n ID) {
	t.visits = t.visits[:len(t.visits)-1]
	if len(t.visits) > 0 {
		up := t.visits[len(t.visits)-1].node
		t.low[up] = min(t.low[up], t.low[n])
	}
	if t.low[n] != t.index[n] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != n {
		at--
	}
	begin := len(t.room)
	t.room = append(t.room, t.stack[at:]...)
	c := t.room[begin:len(t.room):len(t.room)]
	for _, m := range c {
		t.on[m] = false
	}
	t.stack = t.stack[:at]
	slices.Sort(c)
	t.out = append(t.out, c)
}

// Order is the nodes with everything after what it depends on. ok is false
// when there is a cycle, and then nodes of a cycle stand in any order.
func (g *Graph) Order() (order []ID, ok bool) {
	order, ok = make([]ID, 0, g.Len()), true
	for _, c := range g.Components() {
		ok = ok && len(c) == 1 && !g.loops(c[0])
		order = append(order, c...)
	}
	return order, ok
}

func (g *Graph) loops(n ID) bool {
	_, found := slices.BinarySearch(g.To(n), n)
	return found
}

// Cycle is a shortest cycle through the smallest node that is on any, beginning
// there: each depends on the next, and the last on the first. It is nil when
// there is none.
func (g *Graph) Cycle() []ID {
	var best []ID
	for _, c := range g.Components() {
		if (len(c) > 1 || g.loops(c[0])) && (best == nil || c[0] < best[0]) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return g.around(best)
}

// Cycles are one shortest cycle of each component that has any, by their
// first nodes.
func (g *Graph) Cycles() [][]ID {
	var out [][]ID
	for _, c := range g.Components() {
		if len(c) > 1 || g.loops(c[0]) {
			out = append(out, g.around(c))
		}
	}
	slices.SortFunc(out, func(a, b []ID) int { return int(a[0] - b[0]) })
	return out
}

// around finds a shortest way from the first node of a component back to it,
// breadth first.
func (g *Graph) around(component []ID) []ID {
	goal := component[0]
	if g.loops(goal) {
		return []ID{goal}
	}
	before := make([]ID, len(component))
	at := func(n ID) int { i, _ := slices.BinarySearch(component, n); return i }
	for i := range before {
		before[i] = -1
	}
	todo := []ID{goal}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for _, t := range g.To(n) {
			if t == goal {
				return trail(n, goal, func(n ID) ID { return before[at(n)] })
			}
			if _, in := slices.BinarySearch(component, t); in && before[at(t)] < 0 {
				before[at(t)] = n
				todo = append(todo, t)
			}
		}
	}
	return component
}

func trail(from, to ID, before func(ID) ID) []ID {
	var back []ID
	for n := from; n != to; n = before(n) {
		back = append(back, n)
	}
	back = append(back, to)
	slices.Reverse(back)
	return back
}
