package engine

import (
	"context"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
)

// Graph is what depends on what in a configuration.
type Graph struct {
	// Resources are the resources in the order of their addresses, with the
	// resources that they read, through whatever declarations.
	Resources []GraphResource
	// Declarations are all declarations with those that they read.
	Declarations []GraphDeclaration
	// Cycles are the declarations whose references lead in a circle, in the order
	// in which each reads the next one, and the last one the first.
	Cycles [][]string
}

// GraphResource is a resource block.
type GraphResource struct {
	Addr addr.ConfigResource
	// Reads leaves out what another of them reads already.
	Reads []addr.ConfigResource
}

// GraphDeclaration is any declaration, by the name that people know it by.
type GraphDeclaration struct {
	Name  string
	Reads []string
}

// Graph gives what depends on what. Where references lead in a circle, that is an
// error, and the graph has the declarations all the same, but not the resources.
func (e *Engine) Graph(ctx context.Context) (Graph, diag.List) {
	e.running.Lock()
	defer e.running.Unlock()
	prog, diags := e.compile(ctx, e.options.Config, nil, uncalled)
	if diags.HasErrors() {
		return Graph{}, diags
	}
	g := Graph{Cycles: circles(prog)}
	diags = diags.With(cyclic(g.Cycles))
	for _, s := range prog.Sites() {
		d := GraphDeclaration{Name: s.Title()}
		for _, id := range s.Reads {
			d.Reads = append(d.Reads, prog.Sites()[id].Title())
		}
		g.Declarations = append(g.Declarations, d)
		if s.Kind == evaluate.Resource && len(g.Cycles) == 0 {
			g.Resources = append(g.Resources, GraphResource{s.Resource.Addr, reduced(prog, s)})
		}
	}
	slices.SortFunc(g.Resources, func(a, b GraphResource) int { return compareResources(a.Addr, b.Addr) })
	return g, diags
}

// reduced are the resources that s reads, without those that one of them reaches.
func reduced(prog *evaluate.Program, s *evaluate.Site) []addr.ConfigResource {
	var out []addr.ConfigResource
	for _, near := range prog.Nearest(s) {
		out = append(out, near.Resource.Addr)
	}
	slices.SortFunc(out, compareResources)
	return out
}

func compareResources(a, b addr.ConfigResource) int {
	switch x, y := a.String(), b.String(); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
