package lang

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/hcldiag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// blockSlot is all that is written of one nested block type.
type blockSlot struct {
	name  string
	kind  *schema.Nested
	parts []part
	// none is the value when no block is written.
	none cty.Value
	// spoiled says that a block was reported that there is nothing of here.
	spoiled bool
}

// part is one block as written: a static one, or a dynamic one that stands for
// any number.
type part struct {
	label   string
	body    *Body
	dynamic *dynamic
	def     diag.Range
}

// occurrence is one block of the result.
type occurrence struct {
	label   string
	val     cty.Value
	at, def diag.Range
}

func (c compiler) block(n *schema.Nested, written hcl.Blocks) (blockSlot, diag.List) {
	slot := blockSlot{name: n.Name, kind: n, none: noBlocks(n)}
	var diags diag.List
	for _, w := range written {
		var p part
		var ds diag.List
		switch {
		case w.Type == n.Name:
			p, ds = c.static(n, w)
		case w.Type == "dynamic" && w.Labels[0] == n.Name:
			p, ds = c.dynamic(n, w)
		default:
			continue
		}
		diags = diags.With(ds)
		if p.body != nil {
			slot.parts = append(slot.parts, p)
		} else {
			slot.spoiled = true
		}
	}
	return slot, diags
}

func (c compiler) static(n *schema.Nested, w *hcl.Block) (part, diag.List) {
	body, diags := c.body(w.Body, n.Block)
	p := part{body: body, def: hcldiag.RangeOf(w.DefRange)}
	if len(w.Labels) > 0 {
		p.label = w.Labels[0]
	}
	return p, diags
}

// noBlocks is the value of a nested block type of which none is written.
func noBlocks(n *schema.Nested) cty.Value {
	switch n.Nesting {
	case schema.Single:
		return cty.NullVal(n.Block.Type())
	case schema.Group:
		return EmptyObject(n.Block)
	}
	return n.Nesting.Empty(n.Type())
}

// EmptyObject is the value of a body in which nothing is written.
func EmptyObject(s *schema.Block) cty.Value {
	vals := make(map[string]cty.Value)
	for _, name := range s.AttrNames() {
		vals[name] = cty.NullVal(s.Attributes[name].Type)
	}
	for _, name := range s.BlockNames() {
		vals[name] = noBlocks(s.Blocks[name])
	}
	return cty.ObjectVal(vals)
}

func (n *blockSlot) eval(s *Scope, missing diag.Range) (value.V, diag.List) {
	var found []occurrence
	var diags diag.List
	for i := range n.parts {
		p := &n.parts[i]
		if p.dynamic == nil {
			v, ds := p.body.eval(s, value.Skin{})
			diags = diags.With(ds)
			found = append(found, occurrence{p.label, v, p.body.missing, p.def})
			continue
		}
		more, all, ds := p.dynamic.expand(s, p)
		diags = diags.With(ds)
		if !all.known {
			return n.whollyUnknown(p, all.skin), diags
		}
		found = append(found, more...)
	}
	if n.spoiled {
		return cty.UnknownVal(n.kind.Type()), diags
	}
	ds := n.count(len(found), found, missing)
	if len(found) == 0 {
		return n.none, diags.With(ds)
	}
	v, more := n.arrange(found)
	return v, diags.With(ds).With(more)
}

// whollyUnknown is the value when the number of blocks is not known. It holds
// nothing yet that would be secret.
func (n *blockSlot) whollyUnknown(p *part, skin value.Skin) value.V {
	blocks := cty.UnknownVal(n.kind.Type())
	switch {
	case n.kind.Nesting == schema.Single || n.kind.Nesting == schema.Group:
		return p.body.unknown(skin)
	case skin.Kinds() == value.Sensitive:
		return blocks
	}
	return skin.On(blocks)
}

// unknown is the value when the block surrounding this one is not known.
func (n *blockSlot) unknown(skin value.Skin) value.V {
	if len(n.parts) == 0 {
		return n.none
	}
	found := make([]occurrence, 0, len(n.parts))
	for i := range n.parts {
		p := &n.parts[i]
		if p.dynamic != nil {
			return n.whollyUnknown(p, skin)
		}
		found = append(found, occurrence{label: p.label, val: p.body.unknown(skin)})
	}
	v, _ := n.arrange(found)
	return v
}

// count checks the number of blocks against the schema.
func (n *blockSlot) count(have int, found []occurrence, missing diag.Range) diag.List {
	k := n.kind
	switch k.Nesting {
	case schema.Single, schema.Group:
		switch {
		case have > 1:
			return diag.List{diag.Err(fmt.Sprintf("Duplicate %s block", n.name),
				fmt.Sprintf("Only one block of type %q is allowed. Previous definition was at %s.", n.name, found[0].def)).At(found[1].def)}
		case have == 0 && k.MinItems == 1 && k.MaxItems == 1:
			return diag.List{diag.Err(fmt.Sprintf("Missing %s block", n.name),
				fmt.Sprintf("A block of type %q is required here.", n.name)).At(missing)}
		}
	case schema.List, schema.Set:
		switch {
		case have < k.MinItems:
			return diag.List{diag.Err(fmt.Sprintf("Insufficient %s blocks", n.name),
				fmt.Sprintf("At least %d %q blocks are required.", k.MinItems, n.name)).At(missing)}
		case k.MaxItems > 0 && have > k.MaxItems:
			return diag.List{diag.Err(fmt.Sprintf("Too many %s blocks", n.name),
				fmt.Sprintf("No more than %d %q blocks are allowed", k.MaxItems, n.name)).At(found[k.MaxItems].at)}
		}
	}
	return nil
}

// arrange makes the blocks found, at least one, into one value.
func (n *blockSlot) arrange(found []occurrence) (value.V, diag.List) {
	dynamic := n.kind.Block.Type().HasDynamicTypes()
	switch n.kind.Nesting {
	case schema.Single, schema.Group:
		return found[0].val, nil
	case schema.Map:
		return n.keyed(found, dynamic)
	}
	vals := make([]cty.Value, len(found))
	for i := range found {
		vals[i] = found[i].val
	}
	switch {
	case dynamic:
		return cty.TupleVal(vals), nil
	case n.kind.Nesting == schema.Set:
		return cty.SetVal(vals), nil
	}
	return cty.ListVal(vals), nil
}

func (n *blockSlot) keyed(found []occurrence, dynamic bool) (value.V, diag.List) {
	var diags diag.List
	vals := make(map[string]cty.Value, len(found))
	for _, f := range found {
		if _, twice := vals[f.label]; twice {
			diags = diags.Append(diag.Err(fmt.Sprintf("Duplicate %s block", n.name),
				fmt.Sprintf("A block for %s %q was already defined. The %s labels must be unique.", n.name, f.label, n.name)).At(f.def))
			continue
		}
		vals[f.label] = f.val
	}
	if dynamic {
		return cty.ObjectVal(vals), diags
	}
	return cty.MapVal(vals), diags
}
