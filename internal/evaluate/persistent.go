package evaluate

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
)

// Persistent reports ephemeral values in arguments that are stored. All but the
// write-only ones are; those of ephemeral resources never.
func (d *ResourceDecl) Persistent(marks value.Marks) diag.List {
	if d.Addr.Resource.Mode == addr.Ephemeral {
		return nil
	}
	var out diag.List
	for _, m := range marks.Only(value.Ephemeral) {
		if a := d.Schema.Block.AttributeAt(m.Path); a != nil && a.WriteOnly {
			continue
		}
		problem := diag.Err("Invalid use of ephemeral value",
			fmt.Sprintf("The value of %s is ephemeral: it may not be kept in the plan or the state. Only write-only arguments take such values.", value.PathString(m.Path)))
		if rng := d.Body.RangeOf(m.Path); rng != nil {
			problem = problem.At(*rng)
		}
		out = append(out, problem)
	}
	return out
}
