package lang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
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
	f := finder{}
	if node, ok := tree.(hclsyntax.Node); ok {
		_ = hclsyntax.Walk(node, &f)
	} else {
		f.calls = 1
	}
	shadowed := false
	for _, t := range traversals {
		if f.inType(t.SourceRange()) {
			continue
		}
		if c.shadowed(t.RootName()) {
			shadowed = true
			continue
		}
		ref, ds := parseRef(t, c.testing)
		diags = diags.With(ds)
		if len(ds) == 0 {
			x.refs = append(x.refs, ref)
			continue
		}
		diags = diags.With(nameless(t))
	}
	x.calls = f.providers
	diags = diags.With(f.diags)
	f.narrow(x.refs)
	if len(traversals) == 0 && !shadowed && f.calls == 0 && len(hd) == 0 {
		if v, hd := tree.Value(&hcl.EvalContext{}); len(hd) == 0 {
			x.constant = v
		}
	}
	x.spoiled = diags.HasErrors()
	return x, diags
}

func (c compiler) shadowed(name string) bool { return slices.Contains(c.iterators, name) }

// within is c inside a dynamic block with the given iterator.
func (c compiler) within(iterator string) compiler {
	c.iterators = append(c.iterators[:len(c.iterators):len(c.iterators)], iterator)
	return c
}

// finder walks an expression for calls and for what stands behind an index.
type finder struct {
	providers []FuncRef
	calls     int
	diags     diag.List
	// guards are the places where try and can are called.
	guards []hcl.Range
	// types are the places of type constraints: the second arguments of convert.
	types []hcl.Range
	// indexed are the index expressions, picked what is selected behind an
	// index or a splat.
	indexed []*hclsyntax.IndexExpr
	picked  []pick
}

// pick is an attribute read of some or all elements of a collection.
type pick struct {
	collection hclsyntax.Expression
	attribute  string
}

// Enter implements hclsyntax.Walker.
func (f *finder) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch n := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		f.call(n)
	case *hclsyntax.IndexExpr:
		f.indexed = append(f.indexed, n)
	case *hclsyntax.RelativeTraversalExpr:
		if ix, ok := n.Source.(*hclsyntax.IndexExpr); ok {
			f.pick(ix.Collection, n.Traversal)
		}
	case *hclsyntax.SplatExpr:
		if each, ok := n.Each.(*hclsyntax.RelativeTraversalExpr); ok {
			f.pick(n.Source, each.Traversal)
		}
	}
	return nil
}

// Exit implements hclsyntax.Walker.
func (f *finder) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }

func (f *finder) call(n *hclsyntax.FunctionCallExpr) {
	f.calls++
	switch strings.TrimPrefix(n.Name, "core::") {
	case "try", "can":
		f.guards = append(f.guards, n.Range())
	}
	if namespace, _, namespaced := strings.Cut(n.Name, "::"); namespaced && namespace != "core" {
		ref, problem := providerFunction(namespace, n)
		if problem != "" {
			f.diags = f.diags.Append(diag.Err("Unknown provider function", problem).At(hcldiag.RangeOf(n.NameRange)))
		} else {
			f.providers = append(f.providers, ref)
		}
	}
	if (n.Name == "convert" || n.Name == "core::convert") && len(n.Args) == 2 {
		if _, hd := typeexpr.TypeConstraint(n.Args[1]); !hd.HasErrors() {
			f.types = append(f.types, n.Args[1].Range())
		}
	}
}

func (f *finder) pick(collection hclsyntax.Expression, t hcl.Traversal) {
	if len(t) == 0 {
		return
	}
	if a, ok := t[0].(hcl.TraverseAttr); ok {
		f.picked = append(f.picked, pick{collection, a.Name})
	}
}

// inType says whether a name stands in a type constraint, where it is no
// reference.
func (f *finder) inType(r hcl.Range) bool {
	return slices.ContainsFunc(f.types, func(t hcl.Range) bool { return t.ContainsPos(r.Start) })
}

// guarded says whether a name stands in a call of try or can.
func (f *finder) guarded(at diag.Range) bool {
	return slices.ContainsFunc(f.guards, func(g hcl.Range) bool { return g.Start.Byte <= at.Start.Byte && at.Start.Byte < g.End.Byte })
}

// narrow notes in the references what their index says.
func (f *finder) narrow(refs []Ref) {
	for i := range refs {
		refs[i].Guarded = f.guarded(refs[i].Full)
	}
	for _, ix := range f.indexed {
		if r := at(refs, ix.Collection); r != nil {
			r.SameKey = ownKey(ix.Key)
		}
	}
	for _, p := range f.picked {
		if r := at(refs, p.collection); r != nil && r.Kind == RefModule {
			r.Selected = p.attribute
		}
	}
}

// at finds the reference that expression e is and nothing else.
func at(refs []Ref, e hclsyntax.Expression) *Ref {
	st, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return nil
	}
	want := hcldiag.RangeOf(st.Traversal.SourceRange())
	for i := range refs {
		r := &refs[i]
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

// providerFunction reads the name of a provider function; problem says why it
// is none.
func providerFunction(namespace string, n *hclsyntax.FunctionCallExpr) (ref FuncRef, problem string) {
	if namespace != "provider" {
		return ref, fmt.Sprintf("The function namespace %q is not valid. Provider function calls must use the \"provider::\" namespace prefix.", namespace)
	}
	parts := strings.Split(n.Name, "::")[1:]
	ref = FuncRef{Range: hcldiag.RangeOf(n.NameRange), Provider: parts[0], Name: parts[len(parts)-1]}
	switch len(parts) {
	case 2:
		return ref, ""
	case 3:
		ref.Alias = parts[1]
		return ref, ""
	}
	return ref, "A function of a provider is called as provider::NAME::FUNCTION, with the provider's name in required_providers."
}
