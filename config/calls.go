package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// CheckCalls checks the arguments of module calls against the variables of the
// modules they call.
func CheckCalls(t *Tree) diag.List {
	d := &decoder{}
	for _, m := range t.Modules() {
		if m.Call != nil {
			d.callArguments(m)
		}
	}
	return d.diags
}

func (d *decoder) callArguments(m *Module) {
	schema := &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{block("_")}}
	for _, name := range sortedKeys(m.Variables) {
		v := m.Variables[name]
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name, Required: v.Required()})
	}
	d.content(m.Call.Config, schema)
}

// Required says whether a caller has to give the variable a value.
func (v *Variable) Required() bool { return v.Default == cty.NilVal }
