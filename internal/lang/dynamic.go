package lang

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// dynamic is the header of a dynamic block: it stands for one block for each
// element of a collection.
type dynamic struct {
	forEach  *Expr
	iterator string
	labels   []*Expr
}

// extent is how far an expansion is known, and the marks of its collection.
type extent struct {
	known bool
	skin  value.Skin
}

func (c compiler) dynamic(n *schema.Nested, w *hcl.Block) (part, diag.List) {
	labelled := n.Nesting == schema.Map
	header := &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "for_each", Required: true}, {Name: "iterator"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "content"}},
	}
	if labelled {
		header.Attributes = append(header.Attributes, hcl.AttributeSchema{Name: "labels", Required: true})
	}
	content, hd := w.Body.Content(header)
	if hd.HasErrors() {
		return part{}, Diags(hd)
	}
	d := &dynamic{iterator: n.Name}
	diags := d.readIterator(content.Attributes["iterator"])
	x, ds := c.expr(content.Attributes["for_each"].Expr)
	d.forEach, diags = x, diags.With(ds)
	inner := c.within(d.iterator)
	if labelled {
		diags = diags.With(d.readLabels(inner, n.Name, content.Attributes["labels"]))
	}
	body, ds := oneContent(inner, n, content)
	return part{body: body, dynamic: d, def: hcldiag.RangeOf(w.DefRange)}, diags.With(ds)
}

func (d *dynamic) readIterator(a *hcl.Attribute) diag.List {
	if a == nil {
		return nil
	}
	t, hd := hcl.AbsTraversalForExpr(a.Expr)
	if hd.HasErrors() {
		return Diags(hd)
	}
	if len(t) != 1 {
		return diag.List{diag.Err("Invalid dynamic iterator name",
			"Dynamic iterator must be a single variable name.").At(hcldiag.RangeOf(t.SourceRange()))}
	}
	d.iterator = t.RootName()
	return nil
}

func (d *dynamic) readLabels(c compiler, name string, a *hcl.Attribute) diag.List {
	exprs, hd := hcl.ExprList(a.Expr)
	if hd.HasErrors() {
		return Diags(hd)
	}
	detail := fmt.Sprintf("Blocks of type %q require 1 label(s).", name)
	switch {
	case len(exprs) > 1:
		return diag.List{diag.Err("Extraneous dynamic block label", detail).At(hcldiag.RangeOf(exprs[1].Range()))}
	case len(exprs) < 1:
		return diag.List{diag.Err("Insufficient dynamic block labels", detail).At(hcldiag.RangeOf(a.Expr.Range()))}
	}
	x, diags := c.expr(exprs[0])
	d.labels = []*Expr{x}
	return diags
}

func oneContent(c compiler, n *schema.Nested, content *hcl.BodyContent) (*Body, diag.List) {
	switch len(content.Blocks) {
	case 0:
		return nil, diag.List{diag.Err("Missing dynamic content block",
			`A dynamic block must have a nested block of type "content" to describe the body of each generated block.`).At(hcldiag.RangeOf(content.MissingItemRange))}
	case 1:
		return c.body(content.Blocks[0].Body, n.Block)
	}
	return nil, diag.List{diag.Err("Extraneous dynamic content block",
		"Only one nested content block is allowed for each dynamic block.").At(hcldiag.RangeOf(content.Blocks[1].DefRange))}
}

// expand evaluates the collection and then the content once for each element.
// What is written in the content gets the marks of the collection; a block with
// a label also as a whole, since whether it is there tells of the collection.
func (d *dynamic) expand(s *Scope, p *part) ([]occurrence, extent, diag.List) {
	coll, diags := d.forEach.Value(s)
	if diags.HasErrors() {
		return nil, extent{}, diags
	}
	coll, skin := value.Peel(coll)
	if ds := d.suitable(coll, s); len(ds) > 0 {
		return nil, extent{skin: skin}, diags.With(ds)
	}
	if !coll.IsKnown() {
		return nil, extent{skin: skin}, diags
	}
	var out []occurrence
	for it := coll.ElementIterator(); it.Next(); {
		k, v := it.Element()
		child := s.Child(map[string]cty.Value{
			d.iterator: cty.ObjectVal(map[string]cty.Value{"key": k, "value": v}),
		})
		label, ds := d.label(child)
		diags = diags.With(ds)
		if ds.HasErrors() {
			continue
		}
		val, ds := p.body.eval(child, skin)
		diags = diags.With(ds)
		if len(d.labels) > 0 {
			val = skin.On(val)
		}
		out = append(out, occurrence{label, val, p.body.missing, p.def})
	}
	return out, extent{known: true, skin: skin}, diags
}

func (d *dynamic) suitable(coll cty.Value, s *Scope) diag.List {
	var detail string
	switch {
	case !coll.CanIterateElements() && coll.Type() != cty.DynamicPseudoType && !(coll.Type().IsCollectionType() || coll.Type().IsObjectType() || coll.Type().IsTupleType()):
		detail = fmt.Sprintf("Cannot use a %s value in for_each. An iterable collection is required.", coll.Type().FriendlyName())
	case coll.IsNull():
		detail = "Cannot use a null value in for_each."
	default:
		return nil
	}
	x := d.forEach
	return diag.List{x.Annotate(diag.Err("Invalid dynamic for_each value", detail).At(x.Range()), s, Causes{})}
}

func (d *dynamic) label(s *Scope) (string, diag.List) {
	if len(d.labels) == 0 {
		return "", nil
	}
	x := d.labels[0]
	v, diags := x.Value(s)
	if diags.HasErrors() {
		return "", diags
	}
	fail := func(detail string) (string, diag.List) {
		return "", diags.Append(x.Annotate(diag.Err("Invalid dynamic block label", detail).At(x.Range()), s, Causes{}))
	}
	str, err := convert.Convert(v, cty.String)
	if err != nil {
		return fail(fmt.Sprintf("Cannot use this value as a dynamic block label: %s.", err))
	}
	str, skin := value.Peel(str)
	switch {
	case str.IsNull():
		return fail("Cannot use a null value as a dynamic block label.")
	case !str.IsKnown():
		return fail("This value is not yet known. Dynamic block labels must be immediately-known values.")
	case !skin.Empty():
		return fail("This value is sensitive, ephemeral or deprecated. Block labels are shown and stored, so they cannot come from such a value.")
	}
	return str.AsString(), diags
}
