package lang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
)

// native gives an expression of the JSON syntax as a tree of the native
// syntax, so that its templates are parsed once and not at every evaluation,
// and so that calls in it can be found. Other expressions stay as they are.
func native(e hcl.Expression) (hcl.Expression, hcl.Diagnostics) {
	if !json.IsJSONExpression(e) {
		return e, nil
	}
	return fromJSON(e)
}

func fromJSON(e hcl.Expression) (hclsyntax.Expression, hcl.Diagnostics) {
	if items, hd := hcl.ExprList(e); !hd.HasErrors() {
		return tupleFromJSON(e, items)
	}
	if pairs, hd := hcl.ExprMap(e); !hd.HasErrors() {
		return objectFromJSON(e, pairs)
	}
	raw, hd := e.Value(nil)
	if hd.HasErrors() {
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: e.Range()}, hd
	}
	if raw.IsNull() || raw.Type() != cty.String {
		return &hclsyntax.LiteralValueExpr{Val: raw, SrcRange: e.Range()}, nil
	}
	start := e.Range().Start
	start.Byte++
	start.Column++
	return hclsyntax.ParseTemplate([]byte(raw.AsString()), e.Range().Filename, start)
}

func tupleFromJSON(e hcl.Expression, items []hcl.Expression) (hclsyntax.Expression, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	out := &hclsyntax.TupleConsExpr{SrcRange: e.Range(), OpenRange: e.StartRange()}
	for _, item := range items {
		x, hd := fromJSON(item)
		diags = append(diags, hd...)
		out.Exprs = append(out.Exprs, x)
	}
	return out, diags
}

func objectFromJSON(e hcl.Expression, pairs []hcl.KeyValuePair) (hclsyntax.Expression, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	out := &hclsyntax.ObjectConsExpr{SrcRange: e.Range(), OpenRange: e.StartRange()}
	for _, p := range pairs {
		k, hd := fromJSON(p.Key)
		diags = append(diags, hd...)
		v, hd := fromJSON(p.Value)
		diags = append(diags, hd...)
		out.Items = append(out.Items, hclsyntax.ObjectConsItem{KeyExpr: k, ValueExpr: v})
	}
	return out, diags
}

// Sole is the reference that an expression is, if it does nothing but refer to
// something; else "".
func Sole(e hcl.Expression) string {
	if p, ok := e.(*hclsyntax.ParenthesesExpr); ok {
		return Sole(p.Expression)
	}
	if e == nil {
		return ""
	}
	t, hd := hcl.AbsTraversalForExpr(e)
	if hd.HasErrors() {
		return ""
	}
	return TraversalText(t)
}
