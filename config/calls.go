package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// CheckCalls finds arguments of module calls for which the called module has no variable.
// An argument that is missing is none of its business: init installs modules whose calls
// have none yet, and who needs the value reports that there is none.
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
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	d.content(m.Call.Config, schema)
}

// Required says whether a caller has to give the variable a value.
func (v *Variable) Required() bool { return v.Default == cty.NilVal }
