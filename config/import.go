package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
)

// Single says whether the block imports one object, whose address has no
// instance key.
func (i *Import) Single() bool {
	return i.ForEach == nil && i.static && i.To != nil && !i.Keyed()
}

// Keyed says whether the target's address ends with an instance key.
func (i *Import) Keyed() bool {
	var t hcl.Traversal
	switch to := i.To.(type) {
	case *hclsyntax.IndexExpr:
		return true
	case *hclsyntax.RelativeTraversalExpr:
		t = to.Traversal
	default:
		t, _ = hcl.AbsTraversalForExpr(to)
	}
	if len(t) == 0 {
		return false
	}
	_, keyed := t[len(t)-1].(hcl.TraverseIndex)
	return keyed
}

// Static says whether the target's address has no expressions in it.
func (i *Import) Static() bool { return i.static }

// Undeclared is the resource that an import block names, as if it was declared.
// It has no configuration.
func (m *Module) Undeclared(i *Import) *Resource {
	r := &Resource{Addr: i.Resource.Resource, Provider: i.Provider, ProviderSet: i.ProviderSet,
		Range: i.Range, TypeRange: i.Range, Lifecycle: Lifecycle{Destroy: true}}
	if !r.ProviderSet {
		r.Provider = ProviderRef{ProviderKey: ProviderKey{Name: ImpliedProviderName(r.Addr.Type)}, Range: i.Range}
	}
	r.Source = m.ProviderSource(r.Provider.Name)
	return r
}

// Bare is the tree with its managed resources declared and nothing said of their
// objects: all that is left of the blocks is how many objects there are, and by
// which provider.
func (t *Tree) Bare() *Tree {
	return t.With(func(m *Module) {
		resources := make(map[addr.Resource]*Resource, len(m.Resources))
		for a, r := range m.Resources {
			if a.Mode == addr.Managed {
				r = r.bare()
			}
			resources[a] = r
		}
		m.Resources = resources
	})
}

func (r *Resource) bare() *Resource {
	return &Resource{Addr: r.Addr, Provider: r.Provider, Source: r.Source, ProviderSet: r.ProviderSet,
		Count: r.Count, ForEach: r.ForEach, Enabled: r.Enabled, DependsOn: r.DependsOn,
		Lifecycle: Lifecycle{Destroy: true}, Range: r.Range, TypeRange: r.TypeRange}
}

// providerAgrees refuses a provider argument beside a declared resource that
// does not say the same: the object is read and changed by one provider.
func (i *Import) providerAgrees(m *Module) diag.List {
	r := m.Resources[i.Resource.Resource]
	if !i.ProviderSet || r == nil || !i.Resource.Module.IsRoot() || r.ProviderSet && r.Provider.ProviderKey == i.Provider.ProviderKey {
		return nil
	}
	return diag.List{diag.Err("Invalid import provider argument",
		"The provider argument of an import block is for objects whose configuration is generated. "+r.Addr.String()+" is declared: say in its resource block which provider is meant, and leave the argument out here.").At(i.Provider.Range)}
}

// ParseResource gives the configuration in the text of one resource block. A
// provider argument is taken off, as it is from a declaration.
func ParseResource(text, name string) (hcl.Body, diag.List) {
	f, hd := parseNative([]byte(text), name)
	if hd.HasErrors() {
		return nil, hcldiag.List(hd)
	}
	blocks := f.Body.(*hclsyntax.Body).Blocks
	if len(blocks) != 1 || blocks[0].Type != "resource" || len(blocks[0].Labels) != 2 {
		return nil, diag.Errs("Generated configuration is not a resource", "One resource block was expected in "+name+".")
	}
	_, rest, hd := blocks[0].Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "provider"}}})
	return rest, hcldiag.List(hd)
}

// ProviderText is a reference to a provider configuration as it is written, ""
// where the one that the type implies is meant.
func (r *Resource) ProviderText() string {
	switch {
	case r.Provider.Alias != "":
		return r.Provider.Name + "." + r.Provider.Alias
	case r.Provider.Name != ImpliedProviderName(r.Addr.Type):
		return r.Provider.Name
	}
	return ""
}
