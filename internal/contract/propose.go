package contract

import (
	"slices"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// ProposedNew is the object that a provider is asked to start its plan from:
// the configuration, with the prior value of everything that the configuration
// leaves to the provider. Without a prior object those are null. Elements of
// lists go by position, of maps by key, and of sets by what the configuration
// says of them.
func ProposedNew(s *schema.Block, prior, config cty.Value) cty.Value {
	return merger{cty.NullVal}.object(ofBlock(s), prior, config)
}

// DataUnknown is the object that stands for a data source until it is read:
// the configuration, with unknown values for everything it leaves to the
// provider.
func DataUnknown(s *schema.Block, config cty.Value) cty.Value {
	return merger{cty.UnknownVal}.object(ofBlock(s), cty.NilVal, config)
}

// merger lays a configuration over a prior object. Blank makes the value of
// what neither of them says.
type merger struct{ blank func(cty.Type) cty.Value }

func (m merger) object(b body, prior, config cty.Value) cty.Value {
	if !solid(config) {
		return config
	}
	attrs := make(map[string]cty.Value, len(b.attrNames)+len(b.blockNames))
	for _, name := range b.attrNames {
		a := b.attrs[name]
		attrs[name] = m.attribute(a, m.was(prior, name, a.Type), config.GetAttr(name))
	}
	for _, name := range b.blockNames {
		n := b.blocks[name]
		was := cty.NilVal
		if solid(prior) {
			was = prior.GetAttr(name)
		}
		attrs[name] = m.block(n, was, config.GetAttr(name))
	}
	return cty.ObjectVal(attrs)
}

func (m merger) was(prior cty.Value, name string, t cty.Type) cty.Value {
	switch {
	case absent(prior):
		return m.blank(t)
	case !prior.IsKnown():
		return cty.UnknownVal(t)
	}
	return prior.GetAttr(name)
}

func (m merger) attribute(a *schema.Attribute, prior, config cty.Value) cty.Value {
	switch {
	case leftToProvider(a, prior, config):
		return prior
	case a.Nested != nil:
		return m.collection(a.Nested.Nesting, ofObject(a.Nested), prior, config)
	}
	return config
}

func (m merger) block(n *schema.Nested, prior, config cty.Value) cty.Value {
	if n.Computed && empty(config) && !absent(prior) {
		return prior
	}
	return m.collection(n.Nesting, ofBlock(n.Block), prior, config)
}

func (m merger) collection(n schema.Nesting, b body, prior, config cty.Value) cty.Value {
	switch {
	case !solid(config):
		return config
	case n == schema.Single || n == schema.Group:
		return m.object(b, prior, config)
	case config.LengthInt() == 0 || !b.computes():
		return config
	case n == schema.Set:
		return m.set(b, prior, config)
	case config.Type().IsMapType() || config.Type().IsObjectType():
		return m.keyed(b, prior, config)
	}
	return m.listed(b, prior, config)
}

func (m merger) listed(b body, prior, config cty.Value) cty.Value {
	out := make([]cty.Value, 0, config.LengthInt())
	for it := config.ElementIterator(); it.Next(); {
		i, e := it.Element()
		out = append(out, m.object(b, item(prior, i), e))
	}
	if config.Type().IsTupleType() {
		return cty.TupleVal(out)
	}
	return cty.ListVal(out)
}

func (m merger) keyed(b body, prior, config cty.Value) cty.Value {
	out := make(map[string]cty.Value, config.LengthInt())
	for it := config.ElementIterator(); it.Next(); {
		k, e := it.Element()
		out[k.AsString()] = m.object(b, item(prior, k), e)
	}
	if config.Type().IsObjectType() {
		return cty.ObjectVal(out)
	}
	return cty.MapVal(out)
}

// set pairs each configured element with the first prior one that can have
// come from it and that no other element has taken. Only elements that agree in
// what nobody computes are tried.
func (m merger) set(b body, prior, config cty.Value) cty.Value {
	left := map[int][]cty.Value{}
	for _, p := range elementsOf(prior) {
		h := stem(b, p)
		left[h] = append(left[h], p)
	}
	out := make([]cty.Value, 0, config.LengthInt())
	for _, e := range elementsOf(config) {
		was, h := cty.NilVal, stem(b, e)
		for i, p := range left[h] {
			if cameFrom(b, p, e) {
				was, left[h] = p, slices.Delete(left[h], i, i+1)
				break
			}
		}
		out = append(out, m.object(b, was, e))
	}
	if !config.Type().IsSetType() {
		return cty.TupleVal(out)
	}
	return cty.SetVal(out)
}

// stem is a hash of the attributes of an object that nobody computes: objects
// that came from each other have the same.
func stem(b body, v cty.Value) int {
	if !solid(v) {
		return 0
	}
	h := 17
	for _, name := range b.attrNames {
		if a := b.attrs[name]; !a.Computed && !a.WriteOnly && a.Nested == nil {
			h = h*31 + v.GetAttr(name).Hash()
		}
	}
	return h
}

// leftToProvider says whether the configuration leaves the attribute to the
// provider. A structural attribute whose prior value holds anything that only
// a configuration can have set was configured before and is removed now, so it
// is not.
func leftToProvider(a *schema.Attribute, prior, config cty.Value) bool {
	return a.Computed && config.IsNull() && !(a.Optional && configured(a, prior))
}

// configured says whether prior holds anything that only a configuration can
// have set.
func configured(a *schema.Attribute, prior cty.Value) bool {
	if a.Nested == nil || !solid(prior) {
		return false
	}
	objects := []cty.Value{prior}
	if a.Nested.Nesting != schema.Single && a.Nested.Nesting != schema.Group {
		objects = elementsOf(prior)
	}
	for _, o := range objects {
		if !solid(o) {
			continue
		}
		for _, name := range a.Nested.Names() {
			n, v := a.Nested.Attributes[name], o.GetAttr(name)
			if !v.IsNull() && (!n.Computed || configured(n, v)) {
				return true
			}
		}
	}
	return false
}

// cameFrom says whether prior can be config with computed parts filled in.
func cameFrom(b body, prior, config cty.Value) bool {
	if !solid(prior) || !solid(config) {
		return same(prior, config)
	}
	for _, name := range b.attrNames {
		a, p, c := b.attrs[name], prior.GetAttr(name), config.GetAttr(name)
		switch {
		case same(p, c) || leftToProvider(a, p, c):
		case a.Nested == nil || !allCameFrom(a.Nested.Nesting, ofObject(a.Nested), p, c):
			return false
		}
	}
	for _, name := range b.blockNames {
		n, p, c := b.blocks[name], prior.GetAttr(name), config.GetAttr(name)
		if !same(p, c) && !allCameFrom(n.Nesting, ofBlock(n.Block), p, c) {
			return false
		}
	}
	return true
}

func allCameFrom(n schema.Nesting, b body, prior, config cty.Value) bool {
	switch {
	case n == schema.Single || n == schema.Group:
		return cameFrom(b, prior, config)
	case !solid(prior) || !solid(config) || prior.LengthInt() != config.LengthInt():
		return false
	case n == schema.Set:
		return eachHas(elementsOf(config), elementsOf(prior), func(c, p cty.Value) bool { return cameFrom(b, p, c) })
	}
	for it := config.ElementIterator(); it.Next(); {
		k, c := it.Element()
		p := item(prior, k)
		if p == cty.NilVal || !cameFrom(b, p, c) {
			return false
		}
	}
	return true
}

// eachHas says whether every value of a is matched by one of b.
func eachHas(a, b []cty.Value, match func(a, b cty.Value) bool) bool {
	for _, x := range a {
		found := false
		for _, y := range b {
			if match(x, y) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func empty(v cty.Value) bool {
	return absent(v) || v.IsKnown() && v.CanIterateElements() && !v.Type().IsObjectType() && v.LengthInt() == 0
}
