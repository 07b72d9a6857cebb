package lang

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/zclconf/go-cty/cty"
)

// Ignored warns of attributes that an object has and its type constraint does not:
// converting drops them. Only objects that are written out are looked at; values from
// elsewhere may well have more than is needed. what names the owner of the type:
// `input variable "x"`.
func Ignored(e hcl.Expression, t cty.Type, what string) diag.List {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		return ignoredIn(e, t, what)
	case *hclsyntax.TupleConsExpr:
		var out diag.List
		for i, element := range e.Exprs {
			inner := fmt.Sprintf("%s, element [%d],", what, i)
			switch {
			case t.IsListType(), t.IsSetType():
				out = out.With(Ignored(element, t.ElementType(), inner))
			case t.IsTupleType() && i < t.Length():
				out = out.With(Ignored(element, t.TupleElementType(i), inner))
			}
		}
		return out
	}
	return nil
}

func ignoredIn(e *hclsyntax.ObjectConsExpr, t cty.Type, what string) diag.List {
	var out diag.List
	for _, item := range e.Items {
		key, hd := item.KeyExpr.Value(nil)
		if hd.HasErrors() || key.IsNull() || !key.IsKnown() || key.IsMarked() || key.Type() != cty.String {
			continue
		}
		name := key.AsString()
		switch {
		case t.IsMapType():
			out = out.With(Ignored(item.ValueExpr, t.ElementType(), fmt.Sprintf("%s, element [%q],", what, name)))
		case !t.IsObjectType():
		case t.HasAttribute(name):
			out = out.With(Ignored(item.ValueExpr, t.AttributeType(name), what+", attribute ."+name+","))
		default:
			known := slices.Sorted(maps.Keys(t.AttributeTypes()))
			out = out.Append(diag.Warn("Object attribute is ignored",
				fmt.Sprintf("The type of %s has no attribute %q, so what is written here is not used.%s", what, name, DidYouMean(name, known))).At(hcldiag.RangeOf(item.KeyExpr.Range())))
		}
	}
	return out
}
