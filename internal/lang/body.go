package lang

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Body is a block body compiled once against a schema: dynamic blocks, the
// escape block "_" and blocks written for legacy attributes are resolved, so
// that evaluating it only evaluates expressions.
type Body struct {
	attrs  []attrSlot
	blocks []blockSlot
	// asBlocks are attributes that are written as blocks.
	asBlocks []blockSlot
	missing  diag.Range
	refs     []Ref
	calls    []FuncRef
}

// attrSlot is an attribute of the schema, in the order of names.
type attrSlot struct {
	name string
	// expr is nil when the attribute is not written.
	expr *Expr
	// want is the type to convert to, null what the attribute is worth when it
	// is not written.
	want      cty.Type
	null      cty.Value
	nameRange diag.Range
	// constant is the converted value where it is the same at every evaluation.
	constant cty.Value
	asBlocks bool
}

// Refs are all references in the body, those of nested blocks included.
func (b *Body) Refs() []Ref { return b.refs }

// ProviderFunctions are the calls of provider functions in the body.
func (b *Body) ProviderFunctions() []FuncRef { return b.calls }

// Range is where things that are missing in the body are reported.
func (b *Body) Range() diag.Range { return b.missing }

// Attribute is the expression of a top-level attribute; nil when it is not
// written.
func (b *Body) Attribute(name string) *Expr {
	for i := range b.attrs {
		if b.attrs[i].name == name {
			return b.attrs[i].expr
		}
	}
	return nil
}

// Eval evaluates the body to an object of the schema's type. Arguments that
// are not written are null, blocks that are not written empty collections.
func (b *Body) Eval(s *Scope) (value.V, diag.List) {
	return b.eval(s, value.Skin{})
}

// eval evaluates the body; every attribute gets the skin of the dynamic block
// that the body is the content of.
func (b *Body) eval(s *Scope, skin value.Skin) (value.V, diag.List) {
	var diags diag.List
	vals := make(map[string]cty.Value, len(b.attrs)+len(b.blocks))
	for i := range b.attrs {
		a := &b.attrs[i]
		if a.asBlocks {
			continue
		}
		v, ds := a.eval(s)
		diags = diags.With(ds)
		if a.expr != nil {
			v = skin.On(v)
		}
		vals[a.name] = v
	}
	diags = b.evalBlocks(b.blocks, s, vals, diags)
	diags = b.evalBlocks(b.asBlocks, s, vals, diags)
	return cty.ObjectVal(vals), diags
}

func (b *Body) evalBlocks(slots []blockSlot, s *Scope, vals map[string]cty.Value, diags diag.List) diag.List {
	for i := range slots {
		n := &slots[i]
		v, ds := n.eval(s, b.missing)
		diags = diags.With(ds)
		vals[n.name] = v
	}
	return diags
}

// unknown is the body's value when nothing about it is known but its shape.
func (b *Body) unknown(skin value.Skin) value.V {
	vals := make(map[string]cty.Value, len(b.attrs)+len(b.blocks))
	for i := range b.attrs {
		a := &b.attrs[i]
		if a.expr == nil {
			vals[a.name] = a.null
			continue
		}
		vals[a.name] = skin.On(cty.UnknownVal(plain(a.want)))
	}
	for _, slots := range [][]blockSlot{b.blocks, b.asBlocks} {
		for i := range slots {
			vals[slots[i].name] = slots[i].unknown(skin)
		}
	}
	return cty.ObjectVal(vals)
}

func (a *attrSlot) eval(s *Scope) (value.V, diag.List) {
	if a.expr == nil {
		return a.null, nil
	}
	if a.constant != cty.NilVal {
		return a.constant, nil
	}
	v, diags := a.expr.Value(s)
	out, err := convert.Convert(v, a.want)
	if err != nil {
		d := diag.Err("Incorrect attribute value type",
			fmt.Sprintf("Inappropriate value for attribute %q: %s.", a.name, err.Error())).At(a.expr.Range())
		d.Context = &diag.Range{Filename: a.nameRange.Filename, Start: a.nameRange.Start, End: a.expr.Range().End}
		d.Values = a.expr.Notes(s, Causes{})
		return cty.UnknownVal(plain(a.want)), diags.Append(d)
	}
	return out, diags
}

// fold computes the value of a constant attribute ahead of time.
func (a *attrSlot) fold() {
	if a.expr == nil || a.expr.constant == cty.NilVal {
		return
	}
	if v, err := convert.Convert(a.expr.constant, a.want); err == nil {
		a.constant = v
	}
}

// wanted is the type that a configured value of the attribute is converted to.
// Structural attributes and legacy attributes in JSON may leave parts out.
func wanted(a *schema.Attribute, lenient bool) cty.Type {
	if a.Nested != nil {
		return nestedWanted(a.Nested)
	}
	if lenient && legacyBlocks(a) {
		return allOptional(a.Type)
	}
	return a.Type
}

func nestedWanted(o *schema.Object) cty.Type {
	types := make(map[string]cty.Type, len(o.Attributes))
	var optional []string
	for _, name := range o.Names() {
		a := o.Attributes[name]
		types[name] = wanted(a, false)
		if !a.Required {
			optional = append(optional, name)
		}
	}
	element := cty.ObjectWithOptionalAttrs(types, optional)
	switch o.Nesting {
	case schema.List:
		return cty.List(element)
	case schema.Set:
		return cty.Set(element)
	case schema.Map:
		return cty.Map(element)
	}
	return element
}

func allOptional(t cty.Type) cty.Type {
	switch {
	case t.IsListType():
		return cty.List(allOptional(t.ElementType()))
	case t.IsSetType():
		return cty.Set(allOptional(t.ElementType()))
	case t.IsObjectType():
		types := make(map[string]cty.Type)
		var names []string
		for name, at := range t.AttributeTypes() {
			types[name] = allOptional(at)
			names = append(names, name)
		}
		return cty.ObjectWithOptionalAttrs(types, names)
	}
	return t
}

// bodyContent is what a body holds, escape blocks merged in.
type bodyContent struct {
	attrs   hcl.Attributes
	blocks  hcl.Blocks
	missing hcl.Range
}
