package mock

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// filler makes up what a provider would decide of one object.
type filler struct {
	schema *schema.Resource
	values Values
	// hole says that nothing is there yet; make gives what comes there, from what
	// was given for it or from nothing.
	hole func(cty.Value) bool
	make func(t cty.Type, given cty.Value) cty.Value
	// any fills what is given in attributes, too, that are not computed.
	any   bool
	seed  []byte
	text  func() string
	path  []string
	diags diag.List
}

// part is what was given for a part of an object; cty.NilVal for nothing.
func part(given cty.Value, name string) cty.Value {
	if given == cty.NilVal || given.IsNull() || !given.IsKnown() {
		return cty.NilVal
	}
	switch t := given.Type(); {
	case t.IsObjectType() && t.HasAttribute(name):
		return given.GetAttr(name)
	case t.IsMapType() && given.HasIndex(cty.StringVal(name)).True():
		return given.Index(cty.StringVal(name))
	}
	return cty.NilVal
}

// block fills an object of a block's schema.
func (f *filler) block(b *schema.Block, v, given cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	out := make(map[string]cty.Value, len(b.Attributes)+len(b.Blocks))
	for _, name := range b.AttrNames() {
		out[name] = f.inside(name, func() cty.Value {
			return f.attribute(b.Attributes[name], v.GetAttr(name), part(given, name))
		})
	}
	for _, name := range b.BlockNames() {
		n := b.Blocks[name]
		out[name] = f.inside(name, func() cty.Value {
			return each(n.Nesting, v.GetAttr(name), func(e cty.Value) cty.Value { return f.block(n.Block, e, part(given, name)) })
		})
	}
	return cty.ObjectVal(out)
}

func (f *filler) inside(name string, work func() cty.Value) cty.Value {
	f.path = append(f.path, name)
	defer func() { f.path = f.path[:len(f.path)-1] }()
	return work()
}

func (f *filler) attribute(a *schema.Attribute, v, given cty.Value) cty.Value {
	switch {
	case a.WriteOnly:
		return cty.NullVal(a.Type)
	case f.hole(v) && (a.Computed || f.any && given != cty.NilVal):
		if ofElements(a, given) {
			given = cty.NilVal // there are no elements
		}
		return f.make(a.Type, given)
	case a.Nested == nil || v.IsNull() || !v.IsKnown():
		return v
	}
	return each(a.Nested.Nesting, v, func(e cty.Value) cty.Value {
		if e.IsNull() || !e.IsKnown() {
			return e
		}
		out := map[string]cty.Value{}
		for _, name := range a.Nested.Names() {
			out[name] = f.inside(name, func() cty.Value {
				return f.attribute(a.Nested.Attributes[name], e.GetAttr(name), part(given, name))
			})
		}
		return cty.ObjectVal(out)
	})
}

// ofElements says whether an object was given for a structural attribute that is a
// list or set: it is for its elements, as far as the configuration has them.
func ofElements(a *schema.Attribute, given cty.Value) bool {
	if a.Nested == nil || given == cty.NilVal || a.Nested.Nesting != schema.List && a.Nested.Nesting != schema.Set {
		return false
	}
	return given.Type().IsObjectType() || given.Type().IsMapType()
}

// each applies work to the objects of a nested value.
func each(n schema.Nesting, v cty.Value, work func(cty.Value) cty.Value) cty.Value {
	if n == schema.Single || n == schema.Group {
		return work(v)
	}
	if v.IsNull() || !v.IsKnown() || v.LengthInt() == 0 {
		return v
	}
	var list []cty.Value
	named := map[string]cty.Value{}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		e = work(e)
		list = append(list, e)
		if k.Type() == cty.String && k.IsKnown() {
			named[k.AsString()] = e
		}
	}
	switch t := v.Type(); {
	case t.IsListType():
		return cty.ListVal(list)
	case t.IsSetType():
		return cty.SetVal(list)
	case t.IsTupleType():
		return cty.TupleVal(list)
	case t.IsMapType():
		return cty.MapVal(named)
	}
	return cty.ObjectVal(named)
}

// madeUp is the value given for an attribute, completed, or a generated one.
func (f *filler) madeUp(t cty.Type, given cty.Value) cty.Value {
	if given == cty.NilVal {
		return f.generate(t)
	}
	v, err := convert.Convert(f.complete(t, given), t)
	if err != nil {
		name := f.path[0]
		for _, n := range f.path[1:] {
			name += "." + n
		}
		d := diag.Err("Failed to compute attribute",
			fmt.Sprintf("The value that was given for the attribute %q of what stands in for the provider does not fit its type: %s.", name, err))
		if f.values.Range != nil {
			d = d.At(*f.values.Range)
		}
		f.diags = append(f.diags, d)
		return f.generate(t)
	}
	return v
}

// complete adds generated values for attributes of objects that were not given.
func (f *filler) complete(t cty.Type, given cty.Value) cty.Value {
	if given.IsNull() || !given.IsKnown() {
		return given
	}
	switch {
	case t.IsObjectType() && (given.Type().IsObjectType() || given.Type().IsMapType()):
		out := map[string]cty.Value{}
		for _, name := range sortedNames(t.AttributeTypes()) {
			if sub := part(given, name); sub != cty.NilVal {
				out[name] = f.complete(t.AttributeType(name), sub)
				continue
			}
			out[name] = f.generate(t.AttributeType(name))
		}
		return cty.ObjectVal(out)
	case (t.IsListType() || t.IsSetType()) && given.CanIterateElements() && !given.Type().IsMapType() && !given.Type().IsObjectType():
		var out []cty.Value
		for it := given.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, f.complete(t.ElementType(), e))
		}
		return cty.TupleVal(out)
	case t.IsMapType() && (given.Type().IsMapType() || given.Type().IsObjectType()):
		out := map[string]cty.Value{}
		for it := given.ElementIterator(); it.Next(); {
			k, e := it.Element()
			out[k.AsString()] = f.complete(t.ElementType(), e)
		}
		return cty.ObjectVal(out)
	}
	return given
}
