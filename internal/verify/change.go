package verify

import (
	"slices"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

func sortedAttrs(t cty.Type) []string {
	var names []string
	for name := range t.AttributeTypes() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// replaced is v with another value at path; v itself where there is no such
// place, or where another value does not fit there.
func replaced(v cty.Value, path cty.Path, to cty.Value) (out cty.Value) {
	out, err := cty.Transform(v, func(at cty.Path, old cty.Value) (cty.Value, error) {
		if at.Equals(path) {
			return to, nil
		}
		return old, nil
	})
	if err != nil {
		return v
	}
	return out
}

// settable are the places in a configuration that an author may set otherwise
// and that are not null: top-level arguments, and those of nested objects that
// are reached by names, positions and keys.
func settable(b *schema.Block, v cty.Value, fixed map[string]cty.Value) []cty.Path {
	var out []cty.Path
	// The walk cannot fail: the callback never does.
	_ = cty.Walk(v, func(at cty.Path, v cty.Value) (bool, error) {
		if len(at) > 0 {
			if g, ok := at[0].(cty.GetAttrStep); ok {
				if _, given := fixed[g.Name]; given {
					return false, nil
				}
			}
		}
		if v.IsNull() || !v.IsKnown() {
			return false, nil
		}
		if _, named := last(at).(cty.GetAttrStep); named {
			if a := b.AttributeAt(at); a != nil {
				if a.Required || a.Optional {
					out = append(out, at.Copy())
				}
				return a.Nested != nil, nil
			}
		}
		return !v.Type().IsSetType(), nil
	})
	for _, name := range b.BlockNames() {
		n, v := b.Blocks[name], v.GetAttr(name)
		if _, given := fixed[name]; !given && (n.Nesting == schema.List || n.Nesting == schema.Set) && v.IsKnown() && !v.IsNull() && v.LengthInt() > 0 {
			out = append(out, cty.GetAttrPath(name))
		}
	}
	return out
}

func last(p cty.Path) cty.PathStep {
	if len(p) == 0 {
		return nil
	}
	return p[len(p)-1]
}

// reductions are the configurations that are one step simpler than v.
func reductions(b *schema.Block, v cty.Value, fixed map[string]cty.Value) []cty.Value {
	var out []cty.Value
	for _, name := range b.BlockNames() {
		if _, given := fixed[name]; given {
			continue
		}
		n := b.Blocks[name]
		out = append(out, simpler(v, name, nestedReductions(n.Nesting, n.Type(), v.GetAttr(name), func(e cty.Value) []cty.Value {
			return reductions(n.Block, e, nil)
		}))...)
	}
	for _, name := range b.AttrNames() {
		if _, given := fixed[name]; given {
			continue
		}
		out = append(out, simpler(v, name, attrReductions(b.Attributes[name], v.GetAttr(name)))...)
	}
	return out
}

// simpler are objects with one attribute replaced by each of some values.
func simpler(v cty.Value, name string, tos []cty.Value) []cty.Value {
	var out []cty.Value
	for _, to := range tos {
		attrs := v.AsValueMap()
		attrs[name] = to
		out = append(out, cty.ObjectVal(attrs))
	}
	return out
}

func attrReductions(a *schema.Attribute, v cty.Value) []cty.Value {
	if v.IsNull() {
		return nil
	}
	var out []cty.Value
	if !a.Required {
		out = append(out, cty.NullVal(a.Type))
	}
	switch {
	case !v.IsKnown():
	case a.Nested != nil:
		out = append(out, nestedReductions(a.Nested.Nesting, a.Type, v, func(e cty.Value) []cty.Value {
			var each []cty.Value
			for _, name := range a.Nested.Names() {
				each = append(each, simpler(e, name, attrReductions(a.Nested.Attributes[name], e.GetAttr(name)))...)
			}
			return each
		})...)
	case v.Type() == cty.String && len(v.AsString()) > 1:
		out = append(out, cty.StringVal("a"))
	case v.CanIterateElements() && !v.Type().IsObjectType() && v.LengthInt() > 1:
		out = append(out, shorter(v)...)
	}
	return out
}

// nestedReductions are simpler arrangements of nested objects: none, one
// element less, a simpler element.
func nestedReductions(n schema.Nesting, t cty.Type, v cty.Value, of func(cty.Value) []cty.Value) []cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch n {
	case schema.Group:
		return of(v)
	case schema.Single:
		return append([]cty.Value{cty.NullVal(t)}, of(v)...)
	}
	if v.LengthInt() == 0 {
		return nil
	}
	out := append([]cty.Value{n.Empty(t)}, shorter(v)...)
	if n == schema.Set {
		return out
	}
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		for _, to := range of(e) {
			var step cty.PathStep = cty.IndexStep{Key: key}
			if v.Type().IsObjectType() {
				step = cty.GetAttrStep{Name: key.AsString()}
			}
			out = append(out, replaced(v, cty.Path{step}, to))
		}
	}
	return out
}

// shorter are collections of one element of v each, if it has more.
func shorter(v cty.Value) []cty.Value {
	if v.LengthInt() < 2 {
		return nil
	}
	var out []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		switch t := v.Type(); {
		case t.IsMapType():
			out = append(out, cty.MapVal(map[string]cty.Value{k.AsString(): e}))
		case t.IsObjectType():
			out = append(out, cty.ObjectVal(map[string]cty.Value{k.AsString(): e}))
		case t.IsTupleType():
			out = append(out, cty.TupleVal([]cty.Value{e}))
		case t.IsSetType():
			out = append(out, cty.SetVal([]cty.Value{e}))
		default:
			out = append(out, cty.ListVal([]cty.Value{e}))
		}
	}
	return out
}

// emptied is a configuration with every optional collection empty that was
// null or had elements, and whether that makes a difference.
func emptied(b *schema.Block, v cty.Value, fixed map[string]cty.Value) (cty.Value, bool) {
	attrs, changed := v.AsValueMap(), false
	for _, name := range b.AttrNames() {
		a := b.Attributes[name]
		if _, given := fixed[name]; given || !a.Optional || !a.Type.IsCollectionType() {
			continue
		}
		attrs[name], changed = schema.InvalidNesting.Empty(a.Type), true
	}
	return cty.ObjectVal(attrs), changed
}

// differences are the places where two objects differ.
func differences(a, b cty.Value, at cty.Path) []cty.Path {
	if a.RawEquals(b) {
		return nil
	}
	here := []cty.Path{at.Copy()}
	if a.IsNull() || b.IsNull() || !a.IsKnown() || !b.IsKnown() || !a.Type().Equals(b.Type()) {
		return here
	}
	switch t := a.Type(); {
	case t.IsObjectType():
		var out []cty.Path
		for _, name := range sortedAttrs(t) {
			out = append(out, differences(a.GetAttr(name), b.GetAttr(name), at.GetAttr(name))...)
		}
		return out
	case t.IsListType() && a.LengthInt() == b.LengthInt():
		var out []cty.Path
		for it := a.ElementIterator(); it.Next(); {
			k, e := it.Element()
			out = append(out, differences(e, b.Index(k), at.Index(k))...)
		}
		return out
	}
	return here
}
