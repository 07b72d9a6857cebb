package inputs

import (
	"maps"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/cli/session"
	"github.com/zclconf/go-cty/cty"
)

// Given is what the sources say, by variable name. The last word is kept.
type Given struct{ values map[string]engine.Input }

func newGiven() *Given { return &Given{values: map[string]engine.Input{}} }

// In is what is given to those for whom the value files of dir count, too, before
// all else.
func (g *Given) In(s *session.Session, dir string) (*Given, diag.List) {
	out := &Given{values: maps.Clone(g.values)}
	return out, out.autoFiles(s, dir)
}

func (g *Given) put(name string, in engine.Input) { g.values[name] = in }

// Early are the values for what has to be known while the configuration is
// loaded, such as module sources.
func (g *Given) Early() map[string]cty.Value {
	out := make(map[string]cty.Value, len(g.values))
	for name, in := range g.values {
		if in.Value != cty.NilVal {
			out[name] = in.Value
			continue
		}
		out[name] = cty.StringVal(in.Text)
	}
	return out
}

// All are the values as given, for variables that exist or not.
func (g *Given) All() map[string]engine.Input { return g.values }
