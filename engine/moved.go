package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/refactor"
)

// partial is the warning of a plan that is made for a part of the
// configuration.
func partial(o PlanOptions) diag.List {
	if len(o.Targets)+len(o.Excludes) == 0 {
		return nil
	}
	return diag.List{diag.Warn("Resource targeting is in effect",
		"The plan was made for a part of the configuration only, because of -target or -exclude, so it may not show all that the configuration asks for. This is meant for exceptional situations, such as recovering from errors; run a plan without these options afterwards.").By(diag.Operator)}
}

// leftBehind refuses a partial plan that would move an object and not look at
// it: half of a move cannot be planned.
func leftBehind(moves *refactor.Report, o PlanOptions) diag.List {
	seen := map[addr.AbsInstance]bool{}
	var out []addr.AbsInstance
	for _, m := range moves.Moved {
		for _, a := range []addr.AbsInstance{m.From, m.To} {
			if !seen[a] && !covers(a, o) {
				seen[a] = true
				out = append(out, a)
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	slices.SortFunc(out, addr.Compare)
	form, how := "\n  -target=%q", "add these options, which may bring in what else these objects depend on:"
	if len(o.Targets) == 0 {
		form, how = "\n  - %s", "exclude nothing that is about these addresses:"
	}
	var lines strings.Builder
	for _, a := range out {
		fmt.Fprintf(&lines, form, a.String())
	}
	return diag.List{diag.Err("Moved resource instances excluded by targeting",
		"Some objects of the state have other addresses in the configuration now. A plan has to look at both addresses of each, and -target or -exclude leaves some of them out.\n\nTake these options away altogether, or "+how+lines.String()).By(diag.Operator)}
}

// covers says whether a partial plan looks at an instance.
func covers(a addr.AbsInstance, o PlanOptions) bool {
	contains := func(t addr.Target) bool { return t.Contains(a) }
	if slices.ContainsFunc(o.Excludes, contains) {
		return false
	}
	return len(o.Targets) == 0 || slices.ContainsFunc(o.Targets, contains)
}
