package refactor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/graph"
)

// statement is a moved block, seen from the root.
type statement struct {
	from, to pattern
	at       diag.Range
}

// statements are the moved blocks of all modules, callers first.
func statements(tree *config.Tree) []statement {
	var out []statement
	for _, m := range tree.Modules() {
		for _, b := range m.Moved {
			from, to := patterns(m.Path, b.From, b.To)
			out = append(out, statement{from, to, b.Range})
		}
	}
	return out
}

// precedes says whether x has to be followed before y: it brings y its objects,
// or it is about the inside of what y takes away, or y is about the inside of
// what x brings.
func (x statement) precedes(y statement) bool {
	return y.from.meets(x.to) ||
		x.from.within(y.from) || x.to.within(y.from) ||
		y.from.within(x.to) || y.to.within(x.to)
}

// sequence puts statements in the order in which they are followed. Where
// nothing else orders two of them, the one about a single instance goes first,
// so that the order of the blocks makes no difference. Statements that form a
// cycle are reported.
func sequence(all []statement) ([]statement, diag.List) {
	slices.SortStableFunc(all, func(a, b statement) int {
		return cmp.Or(a.from.breadth()-b.from.breadth(),
			strings.Compare(a.from.String(), b.from.String()), strings.Compare(a.to.String(), b.to.String()))
	})
	g := graph.Build(len(all), edges(all))
	var diags diag.List
	for _, cycle := range g.Cycles() {
		diags = append(diags, circle(all, cycle))
	}
	if diags != nil {
		return nil, diags
	}
	order, _ := g.Order()
	out := make([]statement, len(order))
	for i, id := range order {
		out[i] = all[id]
	}
	return out, nil
}

func circle(all []statement, ids []graph.ID) diag.Diag {
	lines := make([]string, len(ids))
	for i, id := range ids {
		s := all[id]
		lines[i] = fmt.Sprintf("  - %s: %s → %s\n", s.at, s.from, s.to)
	}
	slices.Sort(lines)
	return diag.Err("Cyclic dependency in move statements",
		"These move statements lead back to where they begin, so there is no place for the objects to end up at:\n"+
			strings.Join(lines, "")+
			"\nTake out the statement that does not describe what happened, so that the chain ends at an address that is still declared.")
}
