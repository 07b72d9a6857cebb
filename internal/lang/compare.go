package lang

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Compared gives the two sides of an expression that is an equality, as JSON, for
// showing why it is false. It is nil for other expressions, and where a side is
// not to be shown or not known.
func (x *Expr) Compared(s *Scope) *diag.Comparison {
	if x == nil {
		return nil
	}
	tree := x.tree
	for {
		p, ok := tree.(*hclsyntax.ParenthesesExpr)
		if !ok {
			break
		}
		tree = p.Expression
	}
	op, ok := tree.(*hclsyntax.BinaryOpExpr)
	if !ok || op.Op != hclsyntax.OpEqual {
		return nil
	}
	left, leftType, ok1 := shown(op.LHS, s)
	right, rightType, ok2 := shown(op.RHS, s)
	if !ok1 || !ok2 {
		return nil
	}
	out := &diag.Comparison{Left: left, Right: right}
	if !leftType.Equals(rightType) && leftType != cty.DynamicPseudoType && rightType != cty.DynamicPseudoType { // null has any type
		out.Warning = "The two sides are of different types, " + leftType.FriendlyName() + " and " + rightType.FriendlyName() + ", so they are never equal."
	}
	return out
}

// shown writes one side of an equality.
func shown(e hclsyntax.Expression, s *Scope) (text string, t cty.Type, ok bool) {
	v, hd := e.Value(s.context())
	if hd.HasErrors() || value.Contains(v, value.Sensitive) || value.Contains(v, value.Ephemeral) {
		return "", cty.NilType, false
	}
	bare := value.Strip(v).Cty()
	if !bare.IsWhollyKnown() {
		return "", cty.NilType, false
	}
	raw, err := ctyjson.Marshal(bare, bare.Type())
	if err != nil {
		return "", cty.NilType, false
	}
	text, err = laidOut(raw)
	return text, bare.Type(), err == nil
}

// laidOut spreads JSON over lines, with <, > and & as they are.
func laidOut(raw []byte) (string, error) {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		return "", err
	}
	var text strings.Builder
	out := json.NewEncoder(&text)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	err := out.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}
