package lang

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// RelativePath makes a traversal relative to an object, as in ignore_changes,
// into a path, and reports what an object of type t cannot have there.
func RelativePath(t hcl.Traversal, of cty.Type) (cty.Path, diag.List) {
	var path cty.Path
	at := of
	for _, step := range t {
		var d *diag.Diag
		switch step := step.(type) {
		case hcl.TraverseRoot:
			path, at, d = stepInto(path, at, step.Name, step.SrcRange)
		case hcl.TraverseAttr:
			path, at, d = stepInto(path, at, step.Name, step.SrcRange)
		case hcl.TraverseIndex:
			d = badIndex(at, step)
			path = path.Index(step.Key)
			at = elementOf(at, step.Key)
		default:
			return nil, diag.List{diag.Err("Invalid expression", "Only attribute access and constant indexes can be used here.").At(hcldiag.RangeOf(step.SourceRange()))}
		}
		if d != nil {
			return path, diag.List{*d}
		}
	}
	return path, nil
}

func stepInto(path cty.Path, at cty.Type, name string, r hcl.Range) (cty.Path, cty.Type, *diag.Diag) {
	switch {
	case at == cty.DynamicPseudoType:
		return path.GetAttr(name), at, nil
	case at.IsObjectType() && at.HasAttribute(name):
		return path.GetAttr(name), at.AttributeType(name), nil
	case at.IsMapType():
		return path.Index(cty.StringVal(name)), at.ElementType(), nil
	}
	d := missingAttribute(at, name).At(hcldiag.RangeOf(r))
	return path, at, &d
}

func missingAttribute(at cty.Type, name string) diag.Diag {
	const summary = "Unsupported attribute"
	switch {
	case at.IsObjectType():
		names := slices.Collect(maps.Keys(at.AttributeTypes()))
		return diag.Err(summary, fmt.Sprintf("This object has no argument, nested block, or exported attribute named %q.%s", name, DidYouMean(name, names)))
	case at.IsPrimitiveType():
		return diag.Err(summary, fmt.Sprintf("Can't access attributes on a primitive-typed value (%s).", at.FriendlyName()))
	}
	return diag.Err(summary, fmt.Sprintf("Can't access attributes on %s without an index.", at.FriendlyName()))
}

// badIndex says why a value of type t has no element of that key, whichever
// elements it has.
func badIndex(t cty.Type, step hcl.TraverseIndex) *diag.Diag {
	var detail string
	switch {
	case t.IsPrimitiveType():
		detail = fmt.Sprintf("A %s has no elements, so there is nothing to index.", t.FriendlyName())
	case t.IsSetType():
		detail = "Elements of a set have neither keys nor an order, so none can be named. Name the set as a whole."
	case t.IsListType() && step.Key.Type() != cty.Number:
		detail = "Elements of a list are named by number, beginning with zero."
	default:
		return nil
	}
	d := diag.Err("Invalid index", detail).At(hcldiag.RangeOf(step.SourceRange()))
	return &d
}

func elementOf(t cty.Type, key cty.Value) cty.Type {
	switch {
	case t.IsCollectionType():
		return t.ElementType()
	case t.IsTupleType():
		if k, ok := instanceKey(key); ok {
			if n, isInt := k.Int(); isInt && n < t.Length() {
				return t.TupleElementType(n)
			}
		}
	case t.IsObjectType():
		if k, ok := instanceKey(key); ok {
			if s, isStr := k.Str(); isStr && t.HasAttribute(s) {
				return t.AttributeType(s)
			}
		}
	}
	return cty.DynamicPseudoType
}

// CheckPath reports what of the rest of a reference to an object an object of
// the schema cannot have. It follows only what the schema decides: the inside
// of plain attributes is checked when they have a value.
func CheckPath(rest hcl.Traversal, s *schema.Block) diag.List {
	at := s.Type()
	for i, step := range rest {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			if at == cty.DynamicPseudoType || !(at.IsObjectType() || at.IsPrimitiveType()) {
				return nil
			}
			if at.IsPrimitiveType() || !at.HasAttribute(step.Name) {
				return diag.List{missingAttribute(at, step.Name).At(hcldiag.RangeOf(step.SrcRange))}
			}
			at = at.AttributeType(step.Name)
		case hcl.TraverseIndex:
			if i == 0 {
				return nil
			}
			at = elementOf(at, step.Key)
		default:
			return nil
		}
	}
	return nil
}
