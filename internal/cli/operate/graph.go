package operate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// graphTypes are what -type may be.
var graphTypes = []string{"plan", "plan-refresh-only", "plan-destroy", "apply"}

// Graph is the row of graph.
func Graph() command.Command {
	return command.Command{
		Name: "graph", Machine: true, Args: "[options]", Synopsis: "Draw what depends on what",
		About: `Writes the resources of the configuration and what they depend on, in the language of Graphviz: "plumb graph | dot -Tsvg". With -type all declarations are written.`,
		New: func(f *command.Flags) command.Run {
			kind := f.String("type", "TYPE", "", "Write all declarations: plan, plan-refresh-only, plan-destroy or apply.")
			file := f.String("plan", "FILE", "", "Write the declarations of a saved plan.")
			f.Old("draw-cycles")
			f.Each("module-depth", "N", "No longer has an effect.", func(string) {})
			b := &flagSet{f: f}
			b.variables()
			return func(ctx context.Context, s *session.Session, args []string) int {
				if len(args) > 0 {
					return s.Misused("Too many command line arguments", "Expected no positional arguments. Did you mean to use -chdir?")
				}
				if *kind != "" && !slices.Contains(graphTypes, *kind) {
					return s.Fail(diag.List{diag.Err("Unsupported graph type", "The option -type is one of "+strings.Join(graphTypes, ", ")+".").By(diag.Operator)})
				}
				return runGraph(ctx, s, b.options(), *kind != "", *file)
			}
		},
	}
}

func runGraph(ctx context.Context, s *session.Session, o Options, whole bool, file string) (status int) {
	p := newOperation(s, o)
	defer p.end(&status)
	configure := p.configure
	if file != "" {
		whole = true
		configure = func() diag.List { _, diags := p.read(ctx, file); return diags }
	}
	var diags diag.List
	for _, step := range []func() diag.List{p.open, configure, func() diag.List { return p.assemble(ctx) }} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	g, more := p.engine.Graph(ctx)
	if more.HasErrors() {
		return p.fail(more)
	}
	if whole || p.dir.GraphsWhole() {
		s.Print("%s", declarations(g))
		return 0
	}
	s.Print("%s", resources(g))
	return 0
}

// resources draws resources in a box for their module.
func resources(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString("digraph G {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n")
	byModule := map[addr.Module][]engine.GraphResource{}
	var modules []addr.Module
	for _, r := range g.Resources {
		if byModule[r.Addr.Module] == nil {
			modules = append(modules, r.Addr.Module)
		}
		byModule[r.Addr.Module] = append(byModule[r.Addr.Module], r)
	}
	slices.SortFunc(modules, func(a, b addr.Module) int { return strings.Compare(a.String(), b.String()) })
	for _, m := range modules {
		indent := "  "
		if !m.IsRoot() {
			fmt.Fprintf(&b, "  subgraph %q {\n    label = %q\n    fontname = \"sans-serif\"\n", "cluster_"+m.String(), m.String())
			indent = "    "
		}
		for _, r := range byModule[m] {
			fmt.Fprintf(&b, "%s%q [label=%q];\n", indent, r.Addr, r.Addr.Resource)
			for _, to := range r.Reads {
				fmt.Fprintf(&edges, "  %q -> %q;\n", r.Addr, to)
			}
		}
		if !m.IsRoot() {
			b.WriteString("  }\n")
		}
	}
	return b.String() + edges.String() + "}\n"
}

// declarations draws everything.
func declarations(g engine.Graph) string {
	var b, edges strings.Builder
	b.WriteString("digraph {\n\tcompound = \"true\"\n\tnewrank = \"true\"\n\tsubgraph \"root\" {\n")
	for _, d := range g.Declarations {
		fmt.Fprintf(&b, "\t\t%q [label = %q, shape = \"box\"]\n", "[root] "+d.Name, d.Name)
		for _, to := range d.Reads {
			fmt.Fprintf(&edges, "\t\t%q -> %q\n", "[root] "+d.Name, "[root] "+to)
		}
	}
	return b.String() + edges.String() + "\t}\n}\n"
}
