package lang

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// compiler holds what surrounds the expression being compiled.
type compiler struct {
	testing bool
	// iterators are the names that enclosing dynamic blocks define.
	iterators []string
}

func (c compiler) expr(e hcl.Expression) (*Expr, diag.List) {
	if e == nil {
		return nil, nil
	}
	tree, hd := native(e)
	diags := Diags(hd)
	x := &Expr{source: e, tree: tree}
	traversals := tree.Variables()
	shadowed := false
	for _, t := range traversals {
		if c.shadowed(t.RootName()) {
			shadowed = true
			continue
		}
		ref, ds := parseRef(t, c.testing)
		diags = diags.With(ds)
		if len(ds) == 0 {
			x.refs = append(x.refs, ref)
		}
	}
	calls := 0
	if node, ok := tree.(hclsyntax.Node); ok {
		f := finder{refs: x.refs}
		_ = hclsyntax.Walk(node, &f)
		x.calls, calls = f.providers, f.calls
	} else {
		calls = 1
	}
	if len(traversals) == 0 && !shadowed && calls == 0 && len(hd) == 0 {
		if v, hd := tree.Value(&hcl.EvalContext{}); len(hd) == 0 {
			x.constant = v
		}
	}
	return x, diags
}

func (c compiler) shadowed(name string) bool {
	for _, it := range c.iterators {
		if it == name {
			return true
		}
	}
	return false
}

// within is c inside a dynamic block with the given iterator.
func (c compiler) within(iterator string) compiler {
	c.iterators = append(c.iterators[:len(c.iterators):len(c.iterators)], iterator)
	return c
}

// finder walks an expression for calls and for what stands behind an index.
type finder struct {
	refs      []Ref
	providers []FuncRef
	calls     int
}

// Enter implements hclsyntax.Walker.
func (f *finder) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch n := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		f.calls++
		if ref, ok := providerFunction(n); ok {
			f.providers = append(f.providers, ref)
		}
	case *hclsyntax.IndexExpr:
		if r := f.at(n.Collection); r != nil {
			r.SameKey = ownKey(n.Key)
		}
	case *hclsyntax.RelativeTraversalExpr:
		if ix, ok := n.Source.(*hclsyntax.IndexExpr); ok {
			f.selected(ix.Collection, n.Traversal)
		}
	case *hclsyntax.SplatExpr:
		if each, ok := n.Each.(*hclsyntax.RelativeTraversalExpr); ok {
			f.selected(n.Source, each.Traversal)
		}
	}
	return nil
}

// Exit implements hclsyntax.Walker.
func (f *finder) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }

// selected notes which output is read of the selected instances of a module.
func (f *finder) selected(collection hclsyntax.Expression, t hcl.Traversal) {
	r := f.at(collection)
	if r == nil || r.Kind != RefModule || len(t) == 0 {
		return
	}
	if a, ok := t[0].(hcl.TraverseAttr); ok {
		r.Selected = a.Name
	}
}

// at finds the reference that expression e is and nothing else.
func (f *finder) at(e hclsyntax.Expression) *Ref {
	st, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return nil
	}
	want := RangeOf(st.Traversal.SourceRange())
	for i := range f.refs {
		r := &f.refs[i]
		if r.Full == want && !r.HasKey && len(r.Remaining) == 0 && (r.Kind == RefResource || r.Kind == RefModule) {
			return r
		}
	}
	return nil
}

// ownKey says whether an index is count.index or each.key.
func ownKey(key hclsyntax.Expression) RefKind {
	st, ok := key.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(st.Traversal) != 2 {
		return RefInvalid
	}
	switch TraversalText(st.Traversal) {
	case "count.index":
		return RefCount
	case "each.key":
		return RefEach
	}
	return RefInvalid
}

func providerFunction(n *hclsyntax.FunctionCallExpr) (FuncRef, bool) {
	rest, ok := strings.CutPrefix(n.Name, "provider::")
	if !ok {
		return FuncRef{}, false
	}
	parts := strings.Split(rest, "::")
	ref := FuncRef{Range: RangeOf(n.NameRange), Provider: parts[0], Name: parts[len(parts)-1]}
	switch len(parts) {
	case 2:
	case 3:
		ref.Alias = parts[1]
	default:
		return FuncRef{}, false
	}
	return ref, true
}

// constantString is the value of an expression that is a plain string.
func constantString(e hcl.Expression) (string, bool) {
	v, hd := e.Value(nil)
	if hd.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}
