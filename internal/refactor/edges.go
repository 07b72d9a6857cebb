package refactor

import (
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/graph"
)

// spot is what patterns have in common that can meet: the keys of modules aside, the
// same objects.
type spot struct {
	module      addr.Module
	hasResource bool
	resource    addr.Resource
	// key is the key of a resource; any stands for all that have none here.
	key addr.InstanceKey
	any bool
}

// spots are where p is found by the patterns that it meets: under its own key, or
// under any, and by patterns for any under both.
func (p pattern) spots() (own, wide spot) {
	wide = spot{module: p.module(), hasResource: p.hasResource, resource: p.resource, any: true}
	own = wide
	if p.hasResource && !p.any {
		own.key, own.any = p.key, false
	}
	return own, wide
}

// around are the spots of the modules that p is inside of.
func (p pattern) around() []spot {
	names := p.module().Names()
	out := make([]spot, 0, len(names)+1)
	for n := range len(names) + 1 {
		out = append(out, spot{module: addr.ModuleOf(names[:n]...), any: true})
	}
	return out
}

// ends finds statements by one of their ends.
type ends struct{ exact, all map[spot][]int }

func endsOf(all []statement, end func(statement) pattern) ends {
	e := ends{map[spot][]int{}, map[spot][]int{}}
	for i, s := range all {
		own, wide := end(s).spots()
		e.exact[own] = append(e.exact[own], i)
		e.all[wide] = append(e.all[wide], i)
	}
	return e
}

// meeting are the statements whose end may meet p.
func (e ends) meeting(p pattern) []int {
	own, wide := p.spots()
	if own == wide {
		return e.all[wide]
	}
	return slices.Concat(e.exact[own], e.exact[wide])
}

// enclosing are the statements whose end may be a module that p is inside of.
func (e ends) enclosing(p pattern) (out []int) {
	for _, at := range p.around() {
		out = append(out, e.exact[at]...)
	}
	return out
}

// edges are the statements that have to be followed before others. Only those are
// compared of which the addresses leave it open.
func edges(all []statement) []graph.Edge {
	var out []graph.Edge
	for i, later := range candidates(all) {
		for _, j := range later {
			if i != j && all[i].precedes(all[j]) {
				out = append(out, graph.Edge{From: graph.ID(j), To: graph.ID(i)})
			}
		}
	}
	return out
}

// candidates are, for each statement, those that it may precede, in order.
func candidates(all []statement) [][]int {
	froms := endsOf(all, func(s statement) pattern { return s.from })
	tos := endsOf(all, func(s statement) pattern { return s.to })
	later := make([][]int, len(all))
	for i, s := range all {
		later[i] = slices.Concat(later[i], froms.meeting(s.to), froms.enclosing(s.from), froms.enclosing(s.to))
		for _, first := range slices.Concat(tos.enclosing(s.from), tos.enclosing(s.to)) {
			later[first] = append(later[first], i)
		}
	}
	for i := range later {
		slices.Sort(later[i])
		later[i] = slices.Compact(later[i])
	}
	return later
}
