package diff

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// block compares the contents of two blocks.
func (d differ) block(s *schema.Block, before, after cty.Value, path cty.Path) *Block {
	b := &Block{Action: presence(before, after), Replace: d.forces(path)}
	if value.Has(filled(before), value.Sensitive) || value.Has(filled(after), value.Sensitive) {
		b.Secret = true
		before, _ = filled(before).Unmark()
		after, _ = filled(after).Unmark()
	}
	for _, name := range s.AttrNames() {
		d.attrOf(b, s.Attributes[name], before, after, path)
	}
	for _, name := range s.BlockNames() {
		nested := s.Blocks[name]
		x, y := member(before, name), member(after, name)
		g := Group{Name: name, Blocks: d.blocks(nested, x, y, step(path, cty.GetAttrStep{Name: name}))}
		for _, c := range g.Blocks {
			if c.Action != plan.NoOp && b.Action == plan.NoOp {
				b.Action = plan.Update
			}
		}
		if len(g.Blocks) > 0 {
			b.Groups = append(b.Groups, g)
		}
	}
	return b
}

func (d differ) attrOf(b *Block, a *schema.Attribute, before, after cty.Value, path cty.Path) {
	x, y := member(before, a.Name), member(after, a.Name)
	p := step(path, cty.GetAttrStep{Name: a.Name})
	if !a.WriteOnly && isNull(x) && isNull(y) {
		return
	}
	if d.old && a.Type == cty.String {
		x, y = nullForEmpty(x), nullForEmpty(y)
	}
	if !d.counts(p) {
		if isNull(x) {
			x = y
		}
		y = x
	}
	n := d.attribute(a, x, y, presence(before, after), p)
	if n.Action != plan.NoOp && b.Action == plan.NoOp {
		b.Action = plan.Update
	}
	b.Attrs = append(b.Attrs, Field{a.Name, n})
}

// counts says whether differences at path count. A relevant path makes all
// that it leads to and all that leads to it count.
func (d differ) counts(path cty.Path) bool {
	if d.Relevant == nil || d.Every {
		return true
	}
	for _, r := range d.Relevant {
		n := min(len(r), len(path))
		if r[:n].Equals(path[:n]) {
			return true
		}
	}
	return false
}

// nullForEmpty is null in place of an empty string.
func nullForEmpty(v cty.Value) cty.Value {
	bare, marks := filled(v).Unmark()
	if bare.IsKnown() && !bare.IsNull() && bare.Type() == cty.String && bare.AsString() == "" {
		return cty.NullVal(cty.String).WithMarks(marks)
	}
	return v
}

// oldKit says whether a schema may come from the older provider kit, whose
// objects cannot tell null from the empty string: nothing in it is beyond that
// kit.
func oldKit(b *schema.Block) bool {
	for _, a := range b.Attributes {
		if a.Nested != nil || a.Type.HasDynamicTypes() {
			return false
		}
	}
	for _, n := range b.Blocks {
		if n.Nesting == schema.Map || n.Nesting == schema.Group || !oldKit(n.Block) {
			return false
		}
	}
	return true
}

// attribute compares an argument as its schema describes it. around is what
// happens to the object it is in.
func (d differ) attribute(a *schema.Attribute, before, after cty.Value, around plan.Action, path cty.Path) *Node {
	before, after = filled(before), filled(after)
	switch {
	case a.WriteOnly:
		n := &Node{Kind: WriteOnly, Replace: d.forces(path)}
		if around == plan.Create || around == plan.Delete {
			n.Action = around
		}
		return n
	case a.Nested != nil:
		return d.nested(a.Nested, before, after, path)
	}
	return d.typed(a.Type, before, after, path)
}

// nested compares structural attributes.
func (d differ) nested(o *schema.Object, before, after cty.Value, path cty.Path) *Node {
	if o.Nesting == schema.Single && isUnknown(after) && !isNull(before) && !isUnknown(before) && !value.Has(before, value.Sensitive) {
		return &Node{Kind: Unknown, Action: plan.Update, Replace: d.forces(path),
			Inner: differ{}.member(o, before, dissolved(before), nil)}
	}
	if n := d.guarded(before, after, path, func(d differ, b, a cty.Value) *Node { return d.nested(o, b, a, path) }); n != nil {
		return n
	}
	n := &Node{Structural: true, Replace: d.forces(path)}
	switch o.Nesting {
	case schema.List:
		n.Kind = List
		x, y := elements(before), elements(after)
		n.Elems = inStep(len(x), len(y), func(i, j int) *Node {
			return d.member(o, at(x, i), at(y, j), step(path, index(i, j)))
		})
	case schema.Set:
		n.Kind = Set
		x, y := elements(before), elements(after)
		for _, p := range setPairs(x, y) {
			n.Elems = append(n.Elems, d.member(o, at(x, p.i), at(y, p.j), step(path, index(p.i, p.j))))
		}
	case schema.Map:
		n.Kind = Map
		x, y := members(before), members(after)
		for _, key := range unionKeys(x, y) {
			part := d.member(o, filled(x[key]), filled(y[key]), step(path, cty.IndexStep{Key: cty.StringVal(key)}))
			n.Fields = append(n.Fields, Field{key, part})
		}
	default:
		return d.member(o, before, after, path)
	}
	n.Action = d.whole(before, after, n)
	return n
}

// dissolved is an object of which nothing is known any more, part by part; what
// was secret stays so.
func dissolved(before cty.Value) cty.Value {
	parts := map[string]cty.Value{}
	for name, v := range members(before) {
		_, marks := v.Unmark()
		parts[name] = cty.UnknownVal(v.Type()).WithMarks(marks)
	}
	return cty.ObjectVal(parts)
}

// member compares two objects of a structural attribute.
func (d differ) member(o *schema.Object, before, after cty.Value, path cty.Path) *Node {
	if n := d.guarded(before, after, path, func(d differ, b, a cty.Value) *Node { return d.member(o, b, a, path) }); n != nil {
		return n
	}
	n := &Node{Kind: Object, Structural: true, Replace: d.forces(path)}
	around := presence(before, after)
	for _, name := range o.Names() {
		a := o.Attributes[name]
		x, y := member(before, name), member(after, name)
		if !a.WriteOnly && isNull(x) && isNull(y) {
			continue
		}
		part := d.attribute(a, x, y, around, step(path, cty.GetAttrStep{Name: name}))
		n.Fields = append(n.Fields, Field{name, part})
	}
	n.Action = d.whole(before, after, n)
	return n
}

// blocks compares the blocks of one type, in the order in which they are shown.
func (d differ) blocks(n *schema.Nested, before, after cty.Value, path cty.Path) []*Block {
	if isUnknown(after) {
		return d.unknownBlocks(n, before, path)
	}
	secret := value.Has(filled(before), value.Sensitive) || value.Has(filled(after), value.Sensitive)
	before, _ = filled(before).Unmark()
	after, _ = filled(after).Unmark()
	var out []*Block
	add := func(x, y cty.Value, s cty.PathStep, key string) {
		p := path
		if s != nil {
			p = step(path, s)
		}
		b := d.block(n.Block, x, y, p)
		b.Replace = b.Replace || d.forces(path)
		b.Secret = b.Secret || secret
		b.Key, b.Keyed = key, n.Nesting == schema.Map
		out = append(out, b)
	}
	switch n.Nesting {
	case schema.List:
		x, y := elements(before), elements(after)
		for i := range max(len(x), len(y)) {
			add(at(x, i), at(y, i), index(i, i), "")
		}
	case schema.Set:
		x, y := elements(before), elements(after)
		for _, p := range setPairs(x, y) {
			add(at(x, p.i), at(y, p.j), index(p.i, p.j), "")
		}
	case schema.Map:
		x, y := members(before), members(after)
		for _, key := range unionKeys(x, y) {
			add(filled(x[key]), filled(y[key]), cty.IndexStep{Key: cty.StringVal(key)}, key)
		}
	default:
		if !isNull(before) || !isNull(after) {
			add(before, after, nil, "")
		}
	}
	return out
}

// unknownBlocks are one block that is not known yet and those that there were.
func (d differ) unknownBlocks(n *schema.Nested, before cty.Value, path cty.Path) []*Block {
	coming := &Block{Action: plan.Create, Folded: true, Replace: d.forces(path)}
	if len(elements(before)) == 0 && (n.Nesting == schema.List || n.Nesting == schema.Set || n.Nesting == schema.Map) || isNull(before) {
		return []*Block{coming}
	}
	coming.Action = plan.Update
	return append([]*Block{coming}, d.blocks(n, before, cty.NullVal(n.Type()), path)...)
}

// member is a part of an object; null where there is no object.
func member(v cty.Value, name string) cty.Value {
	v, _ = filled(v).Unmark()
	if v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() || !v.Type().HasAttribute(name) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v.GetAttr(name)
}
