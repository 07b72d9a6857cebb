package engine

import (
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
)

// Convert reads a given value as the variable's declaration says: what a plan
// or apply would use.
func Convert(in Input, declared *config.Variable) (value.V, diag.List) {
	v, unfit, diags := inputValue(declared, in, true)
	return v, diags.With(unfit)
}
