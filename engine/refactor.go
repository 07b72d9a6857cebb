package engine

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
)

// refactor applies the statements of the configuration that move or remove
// objects.
func (e *Engine) refactor(_ *evaluate.Program, o PlanOptions) (refactored, diag.List) {
	return refactored{state: o.State, moved: map[addr.AbsInstance]addr.AbsInstance{}, forgotten: func(addr.AbsInstance) bool { return false }}, nil
}

// removed finds what a removed block says of an object.
func (e *Engine) removed(*evaluate.Program) func(addr.AbsInstance) *evaluate.RemovedDecl {
	return func(addr.AbsInstance) *evaluate.RemovedDecl { return nil }
}
