package engine

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/refactor"
	"github.com/plumb-iac/plumb/internal/settings"
	"github.com/plumb-iac/plumb/state"
)

// refactored is the state after the statements of the configuration that move
// or remove objects.
type refactored struct {
	state     *state.Snapshot
	moves     *refactor.Report
	moved     map[addr.AbsInstance]addr.AbsInstance
	forgotten func(addr.AbsInstance) bool
}

// refactor applies the statements of the configuration that move or remove
// objects.
func (e *Engine) refactor(prog *evaluate.Program, o PlanOptions) (refactored, diag.List) {
	s, report, diags := refactor.Moves(prog.Tree, o.State, e.options.Dialect.Yes(settings.ModuleMovesImplied))
	removals, more := refactor.Removed(prog.Tree)
	diags = diags.With(more)
	out := refactored{state: s, moves: report, moved: map[addr.AbsInstance]addr.AbsInstance{}}
	for _, m := range report.Moved {
		out.moved[m.To] = m.From
	}
	out.forgotten = func(a addr.AbsInstance) bool {
		r := removals.Of(a.Config())
		return r != nil && !r.Destroy
	}
	return out, diags
}

// removed finds what a removed block says of an object.
func (e *Engine) removed(prog *evaluate.Program) func(addr.AbsInstance) *evaluate.RemovedDecl {
	return func(a addr.AbsInstance) *evaluate.RemovedDecl { return prog.Removed(a.Config()) }
}
