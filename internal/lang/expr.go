package lang

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Expr is an expression compiled once: its references and the calls of
// provider functions are known, and both syntaxes have become one tree.
type Expr struct {
	source hcl.Expression
	tree   hcl.Expression
	refs   []Ref
	calls  []FuncRef
	// constant is the value of an expression that reads and calls nothing;
	// cty.NilVal for all others.
	constant cty.Value
	// spoiled says that compiling reported errors. Such an expression is worth an
	// unknown value and makes no more.
	spoiled bool
}

// Compile compiles an expression; a nil expression gives a nil Expr. The
// diagnostics are about its references; the Expr is usable beside them.
func Compile(e hcl.Expression) (*Expr, diag.List) { return compiler{}.expr(e) }

// CompileTest is [Compile] for test files, which have more kinds of references.
func CompileTest(e hcl.Expression) (*Expr, diag.List) { return compiler{testing: true}.expr(e) }

// Refs are all references in the expression, in the order they are written.
func (x *Expr) Refs() []Ref {
	if x == nil {
		return nil
	}
	return x.refs
}

// ProviderFunctions are the calls of provider functions in the expression.
func (x *Expr) ProviderFunctions() []FuncRef {
	if x == nil {
		return nil
	}
	return x.calls
}

// Range is where the expression stands.
func (x *Expr) Range() diag.Range {
	if x == nil {
		return diag.Range{}
	}
	return hcldiag.RangeOf(x.source.Range())
}

// Literal says that the expression reads nothing from the scope.
func (x *Expr) Literal() bool { return x == nil || len(x.refs) == 0 }

// Eval evaluates the expression and converts the result to want
// (cty.DynamicPseudoType accepts anything). On errors the value is unknown.
func (x *Expr) Eval(s *Scope, want cty.Type) (value.V, diag.List) {
	v, diags := x.Value(s)
	if diags.HasErrors() {
		return cty.UnknownVal(plain(want)), diags
	}
	if want == cty.DynamicPseudoType {
		return v, diags
	}
	out, err := convert.Convert(v, want)
	if err != nil {
		d := diag.Err("Incorrect value type", fmt.Sprintf("Invalid expression value: %s.", value.ErrorText(err))).At(x.Range())
		d.Values = x.Notes(s, Causes{})
		return cty.UnknownVal(plain(want)), diags.Append(d)
	}
	return out, diags
}

// Value evaluates the expression as it is. Unlike Eval it gives the best
// partial value beside errors. A nil Expr is worth null.
func (x *Expr) Value(s *Scope) (value.V, diag.List) {
	if x == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	if x.constant != cty.NilVal {
		return x.constant, nil
	}
	if x.spoiled || s.lacks(x) {
		return cty.DynamicVal, nil
	}
	v, hd := x.tree.Value(s.context())
	return v, Diags(hd)
}

func plain(t cty.Type) cty.Type { return t.WithoutOptionalAttributesDeep() }
