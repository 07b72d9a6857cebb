package operate

import (
	"context"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/cli/command"
	"github.com/plumb-iac/plumb/internal/cli/session"
)

// graphTypes are what -type may be.
var graphTypes = []string{"plan", "plan-refresh-only", "plan-destroy", "apply"}

// Graph is the row of graph.
func Graph() command.Command {
	return command.Command{
		Name: "graph", Machine: true, Gap: true, Args: "[options]", Synopsis: "Draw what depends on what",
		About: `Writes the resources of the configuration and what they depend on, in the language of Graphviz ("plumb graph | dot -Tsvg") or that of Mermaid. With -type all declarations are written.`,
		New: func(f *command.Flags) command.Run {
			kind := f.String("type", "TYPE", "", "Write all declarations: plan, plan-refresh-only, plan-destroy or apply.")
			file := f.String("plan", "FILE", "", "Write the declarations of a saved plan.")
			format := f.String("format", "FORMAT", "dot", "The language of the drawing: dot, which Graphviz reads, or mermaid.")
			cycles := f.Bool("draw-cycles", false, "With -type, draw references that lead in a circle in red rather than refusing them.")
			f.Old("verbose")
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
				d, known := drawers[*format]
				if !known {
					return s.Fail(diag.List{diag.Err("Unsupported graph format", "The option -format is dot or mermaid.").By(diag.Operator)})
				}
				return runGraph(ctx, s, b.options(), drawing{d, *kind != "" || *file != "", *cycles}, *file)
			}
		},
	}
}

// drawing says how a graph is drawn.
type drawing struct {
	drawer
	// whole draws declarations of all kinds, cycles also those that lead in a circle.
	whole, cycles bool
}

func runGraph(ctx context.Context, s *session.Session, o Options, how drawing, file string) (status int) {
	p := newOperation(s, o)
	p.looks = true
	defer p.end(&status)
	configure := p.configure
	if file != "" {
		configure = func() diag.List { _, diags := p.read(ctx, file); return diags }
	}
	var diags diag.List
	for _, step := range []func() diag.List{p.open, configure, func() diag.List { return p.assemble(ctx) }} {
		if diags = diags.With(step()); diags.HasErrors() {
			return p.fail(diags)
		}
	}
	g, more := p.engine.Graph(ctx)
	whole := how.whole || p.dir.GraphsWhole()
	if more.HasErrors() && !(whole && how.cycles && len(g.Cycles) > 0) {
		return p.fail(more)
	}
	if whole {
		s.Print("%s", how.declarations(g))
		return 0
	}
	s.Print("%s", how.resources(g))
	return 0
}
