package operate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/engine"
)

// drawer writes a graph in a language of drawings.
type drawer interface {
	// resources draws resources in a box for their module.
	resources(g engine.Graph) string
	// declarations draws everything, references that lead in a circle in red.
	declarations(g engine.Graph) string
}

// drawers are the languages by their names.
var drawers = map[string]drawer{"dot": dot{}, "mermaid": mermaid{}}

// box is a module with its resources.
type box struct {
	module    addr.Module
	resources []engine.GraphResource
}

// boxes are the modules by their addresses, with the resources of each.
func boxes(g engine.Graph) []box {
	at := map[addr.Module]int{}
	var out []box
	for _, r := range g.Resources {
		i, known := at[r.Addr.Module]
		if !known {
			i = len(out)
			at[r.Addr.Module] = i
			out = append(out, box{module: r.Addr.Module})
		}
		out[i].resources = append(out[i].resources, r)
	}
	slices.SortFunc(out, func(a, b box) int { return strings.Compare(a.module.String(), b.module.String()) })
	return out
}

// arrow leads from one declaration to one that it reads.
type arrow struct{ from, to string }

// circling are the arrows of references that lead in a circle.
func circling(g engine.Graph) map[arrow]bool {
	out := map[arrow]bool{}
	for _, names := range g.Cycles {
		for i, name := range names {
			out[arrow{name, names[(i+1)%len(names)]}] = true
		}
	}
	return out
}

// dot is the language of Graphviz.
type dot struct{}

func (dot) resources(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString("digraph G {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n")
	if len(g.Resources) == 0 {
		b.WriteString("  /* There are no resources. All declarations: plumb graph -type=plan */\n")
	}
	for _, x := range boxes(g) {
		indent := "  "
		if !x.module.IsRoot() {
			fmt.Fprintf(&b, "  subgraph %q {\n    label = %q\n    fontname = \"sans-serif\"\n", "cluster_"+x.module.String(), x.module.String())
			indent = "    "
		}
		for _, r := range x.resources {
			fmt.Fprintf(&b, "%s%q [label=%q];\n", indent, r.Addr, r.Addr.Resource)
			for _, to := range r.Reads {
				fmt.Fprintf(&edges, "  %q -> %q;\n", r.Addr, to)
			}
		}
		if !x.module.IsRoot() {
			b.WriteString("  }\n")
		}
	}
	return b.String() + edges.String() + "}\n"
}

func (dot) declarations(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString("digraph {\n\tcompound = \"true\"\n\tnewrank = \"true\"\n\tsubgraph \"root\" {\n")
	red := circling(g)
	for _, d := range g.Declarations {
		fmt.Fprintf(&b, "\t\t%q [label = %q, shape = \"box\"]\n", "[root] "+d.Name, d.Name)
		for _, to := range d.Reads {
			colour := ""
			if red[arrow{d.Name, to}] {
				colour = " [color = \"red\", penwidth = \"2.0\"]"
			}
			fmt.Fprintf(&edges, "\t\t%q -> %q%s\n", "[root] "+d.Name, "[root] "+to, colour)
		}
	}
	return b.String() + edges.String() + "\t}\n}\n"
}

// mermaid is the language of Mermaid, whose nodes have numbers for names.
type mermaid struct{}

const mermaidHead = "flowchart RL\n"

// said is a text as a label of Mermaid's.
func said(text string) string { return `"` + strings.ReplaceAll(text, `"`, "#quot;") + `"` }

func (mermaid) resources(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString(mermaidHead)
	number := make(map[addr.ConfigResource]int, len(g.Resources))
	for i, r := range g.Resources {
		number[r.Addr] = i
	}
	for i, x := range boxes(g) {
		indent := "  "
		if !x.module.IsRoot() {
			fmt.Fprintf(&b, "  subgraph m%d[%s]\n", i, said(x.module.String()))
			indent = "    "
		}
		for _, r := range x.resources {
			fmt.Fprintf(&b, "%sn%d[%s]\n", indent, number[r.Addr], said(r.Addr.Resource.String()))
			for _, to := range r.Reads {
				fmt.Fprintf(&edges, "  n%d --> n%d\n", number[r.Addr], number[to])
			}
		}
		if !x.module.IsRoot() {
			b.WriteString("  end\n")
		}
	}
	return b.String() + edges.String()
}

func (mermaid) declarations(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString(mermaidHead)
	number := make(map[string]int, len(g.Declarations))
	for i, d := range g.Declarations {
		number[d.Name] = i
		fmt.Fprintf(&b, "  n%d[%s]\n", i, said(d.Name))
	}
	red, arrows := circling(g), 0
	for _, d := range g.Declarations {
		for _, to := range d.Reads {
			fmt.Fprintf(&edges, "  n%d --> n%d\n", number[d.Name], number[to])
			if red[arrow{d.Name, to}] {
				fmt.Fprintf(&edges, "  linkStyle %d stroke:red,stroke-width:2px\n", arrows)
			}
			arrows++
		}
	}
	return b.String() + edges.String()
}
