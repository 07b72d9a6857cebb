package lang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// InstanceAddr evaluates an expression that is the address of a resource
// instance, such as `module.a.aws_vpc.b[each.key]`: the names are taken as they
// are written, the index expressions are evaluated.
func InstanceAddr(e hcl.Expression, s *Scope) (addr.AbsInstance, diag.List) {
	text, diags := addressText(e, s)
	if diags.HasErrors() {
		return addr.AbsInstance{}, diags
	}
	a, err := addr.ParseInstance(text)
	if err != nil {
		return a, diag.List{diag.Err("Invalid address", err.Error()+".").At(hcldiag.RangeOf(e.Range()))}
	}
	return a, nil
}

// ActionAddr is [InstanceAddr] for actions.
func ActionAddr(e hcl.Expression, s *Scope) (addr.AbsAction, diag.List) {
	text, diags := addressText(e, s)
	if diags.HasErrors() {
		return addr.AbsAction{}, diags
	}
	a, err := addr.ParseAction(text)
	if err != nil {
		return a, diag.List{diag.Err("Invalid action reference", err.Error()+".").At(hcldiag.RangeOf(e.Range()))}
	}
	return a, nil
}

func addressText(e hcl.Expression, s *Scope) (string, diag.List) {
	steps, diags := addressSteps(e, s)
	text := ""
	for i, st := range steps {
		if st.name != "" && i > 0 {
			text += "."
		}
		text += st.name + st.key.String()
	}
	return text, diags
}

// addressStep is a name or an index.
type addressStep struct {
	name string
	key  addr.InstanceKey
}

func addressSteps(e hcl.Expression, s *Scope) ([]addressStep, diag.List) {
	switch e := e.(type) {
	case *hclsyntax.IndexExpr:
		steps, diags := addressSteps(e.Collection, s)
		if diags.HasErrors() {
			return nil, diags
		}
		key, diags := keyOf(e.Key, s)
		return append(steps, addressStep{key: key}), diags
	case *hclsyntax.RelativeTraversalExpr:
		steps, diags := addressSteps(e.Source, s)
		return append(steps, traversalSteps(e.Traversal)...), diags
	}
	t, hd := hcl.AbsTraversalForExpr(e)
	if hd.HasErrors() {
		return nil, diag.List{diag.Err("Invalid address", "The address of a resource instance is expected, such as aws_vpc.main or module.net.aws_vpc.main[0].").At(hcldiag.RangeOf(e.Range()))}
	}
	return traversalSteps(t), nil
}

func traversalSteps(t hcl.Traversal) []addressStep {
	var out []addressStep
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			out = append(out, addressStep{name: step.Name})
		case hcl.TraverseAttr:
			out = append(out, addressStep{name: step.Name})
		case hcl.TraverseIndex:
			out = append(out, addressStep{key: keyFrom(step.Key)})
		}
	}
	return out
}

func keyOf(e hcl.Expression, s *Scope) (addr.InstanceKey, diag.List) {
	x, diags := Compile(e)
	if diags.HasErrors() {
		return addr.NoKey, diags
	}
	v, diags := x.Value(s)
	if diags.HasErrors() {
		return addr.NoKey, diags
	}
	bare := value.Strip(v).Cty()
	if bare.IsNull() || !bare.IsKnown() || bare.Type() != cty.Number && bare.Type() != cty.String || value.Contains(v, value.Sensitive|value.Ephemeral) {
		d := diag.Err("Invalid index expression", "An instance key must be a string or a number that is known when planning, and neither sensitive nor ephemeral.").At(hcldiag.RangeOf(e.Range()))
		d.Unknown = !bare.IsKnown()
		return addr.NoKey, diag.List{d}
	}
	return keyFrom(bare), nil
}

func keyFrom(v cty.Value) addr.InstanceKey {
	if v.Type() == cty.String {
		return addr.StringKey(v.AsString())
	}
	n, _ := v.AsBigFloat().Int64()
	return addr.IntKey(int(n))
}
