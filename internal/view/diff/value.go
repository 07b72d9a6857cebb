package diff

import (
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// differ compares; it is a value, and so is everything it is given.
type differ struct {
	Options
	// old treats empty strings of arguments as null.
	old bool
}

// forces says whether path is one that forces the replacement.
func (d differ) forces(path cty.Path) bool {
	for _, p := range d.Replace {
		if p.Equals(path) {
			return true
		}
	}
	return false
}

// typed compares two values of a type constraint.
func (d differ) typed(t cty.Type, before, after cty.Value, path cty.Path) *Node {
	before, after = filled(before), filled(after)
	if n := d.guarded(before, after, path, func(d differ, b, a cty.Value) *Node { return d.typed(t, b, a, path) }); n != nil {
		return n
	}
	shape := shapeOf(t)
	if t == cty.DynamicPseudoType {
		// Providers name such an attribute as a whole, which may have changed in
		// a part only, so nothing is said to force the replacement.
		if !d.Every {
			d.Replace = nil
		}
		x, y := looseShape(before), looseShape(after)
		if x != y && x != none && y != none {
			return d.becomes(before, after, path)
		}
		shape = max(x, y)
	}
	return d.shaped(shape, t, before, after, path)
}

// comparison compares the two sides of one part.
type comparison func(d differ, before, after cty.Value) *Node

// guarded handles what comes before the shape of a value: secrets and unknowns.
func (d differ) guarded(before, after cty.Value, path cty.Path, inner comparison) *Node {
	sb, sa := value.Has(before, value.Sensitive), value.Has(after, value.Sensitive)
	if sb || sa {
		return d.secret(sb, sa, before, after, path, inner)
	}
	if !isUnknown(after) {
		return nil
	}
	n := &Node{Kind: Unknown, Action: plan.Create, Replace: d.forces(path)}
	if !isNull(before) && !isUnknown(before) {
		n.Action = plan.Update
		n.Inner = inner(differ{}, before, cty.NullVal(cty.DynamicPseudoType))
	}
	return n
}

func (d differ) secret(sb, sa bool, before, after cty.Value, path cty.Path, inner comparison) *Node {
	b, _ := before.Unmark()
	a, _ := after.Unmark()
	in := inner(d, b, a)
	n := &Node{Kind: Secret, Action: in.Action, Replace: d.forces(path), SecretBefore: sb, SecretAfter: sa}
	n.Unchanged = value.Strip(before).Cty().RawEquals(value.Strip(after).Cty())
	if presence(b, a) == plan.NoOp && sb != sa && !isNull(b) {
		n.Action = plan.Update
	}
	return n
}

func (d differ) becomes(before, after cty.Value, path cty.Path) *Node {
	null := cty.NullVal(cty.DynamicPseudoType)
	return &Node{
		Kind: Becomes, Action: plan.Update, Replace: d.forces(path),
		Inner: differ{}.typed(cty.DynamicPseudoType, before, null, nil),
		Other: differ{}.typed(cty.DynamicPseudoType, null, after, nil),
	}
}

// shape is how a value is taken apart.
type shape uint8

const (
	none shape = iota
	aString
	aNumber
	aBool
	aList
	aTuple
	aSet
	anObject
	aMap
)

func shapeOf(t cty.Type) shape {
	switch {
	case t == cty.String:
		return aString
	case t == cty.Number:
		return aNumber
	case t == cty.Bool:
		return aBool
	case t.IsListType():
		return aList
	case t.IsTupleType():
		return aTuple
	case t.IsSetType():
		return aSet
	case t.IsObjectType():
		return anObject
	case t.IsMapType():
		return aMap
	}
	return none
}

// looseShape is the shape a value has where its type is not declared.
func looseShape(v cty.Value) shape {
	if isNull(v) {
		return none
	}
	switch s := shapeOf(v.Type()); s {
	case aTuple, aSet:
		return aList
	case aMap:
		return anObject
	default:
		return s
	}
}

func (d differ) shaped(s shape, t cty.Type, before, after cty.Value, path cty.Path) *Node {
	switch s {
	case aString:
		return d.text(before, after, path)
	case aList:
		return d.list(elementType(t), before, after, path)
	case aTuple:
		return d.tuple(before, after, path)
	case aSet:
		return d.set(t.ElementType(), before, after, path)
	case anObject:
		return d.object(t, before, after, path)
	case aMap:
		return d.mapping(t.ElementType(), before, after, path)
	}
	return d.leaf(before, after, path)
}

// elementType is the type of a list's elements, dynamic where it is not one.
func elementType(t cty.Type) cty.Type {
	if t.IsListType() || t.IsSetType() || t.IsMapType() {
		return t.ElementType()
	}
	return cty.DynamicPseudoType
}

func (d differ) leaf(before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: Leaf, Action: presence(before, after), Replace: d.forces(path), Before: before, After: after}
	if n.Action == plan.NoOp && !before.RawEquals(after) && !(isNull(before) && isNull(after)) {
		n.Action = plan.Update
	}
	return n
}

func (d differ) object(t cty.Type, before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: Object, Replace: d.forces(path)}
	x, y := members(before), members(after)
	for _, name := range unionKeys(x, y) {
		at := cty.Type(cty.DynamicPseudoType)
		if t.IsObjectType() && t.HasAttribute(name) {
			at = t.AttributeType(name)
		}
		p := step(path, cty.GetAttrStep{Name: name})
		if t == cty.DynamicPseudoType {
			n.Fields = append(n.Fields, Field{name, d.entry(at, x, y, name, p)})
			continue
		}
		if !isNull(x[name]) || !isNull(y[name]) {
			n.Fields = append(n.Fields, Field{name, d.typed(at, x[name], y[name], p)})
		}
	}
	n.Action = d.whole(before, after, n)
	return n
}

// entry compares what two sides hold under a key that either may lack. A null
// that is written out is a value there, unlike the null of an attribute that
// every object of the type has.
func (d differ) entry(t cty.Type, x, y map[string]cty.Value, key string, path cty.Path) *Node {
	n := d.typed(t, x[key], y[key], path)
	_, was := x[key]
	_, is := y[key]
	switch {
	case !was:
		n.Action = plan.Create
	case !is:
		n.Action = plan.Delete
	default:
		return d.stays(n, x[key], y[key], path)
	}
	return n
}

// stays is n for a place that both sides have: a value that comes or goes there
// takes turns with null.
func (d differ) stays(n *Node, before, after cty.Value, path cty.Path) *Node {
	switch {
	case n.Action != plan.Create && n.Action != plan.Delete || n.Kind == Unknown:
		return n
	case n.Kind == Secret:
		n.Action = plan.Update
		return n
	}
	return d.becomes(before, after, path)
}

func (d differ) mapping(element cty.Type, before, after cty.Value, path cty.Path) *Node {
	n := &Node{Kind: Map, Replace: d.forces(path)}
	x, y := members(before), members(after)
	for _, key := range unionKeys(x, y) {
		part := d.entry(element, x, y, key, step(path, cty.IndexStep{Key: cty.StringVal(key)}))
		n.Fields = append(n.Fields, Field{key, part})
	}
	n.Action = d.whole(before, after, n)
	return n
}

// whole is the action of a container with its parts in place (F2).
func (d differ) whole(before, after cty.Value, n *Node) plan.Action {
	if p := presence(before, after); p != plan.NoOp {
		return p
	}
	for _, f := range n.Fields {
		if f.Node.Action != plan.NoOp {
			return plan.Update
		}
	}
	for _, e := range n.Elems {
		if e.Action != plan.NoOp {
			return plan.Update
		}
	}
	return plan.NoOp
}

// members are the named parts of an object or map.
func members(v cty.Value) map[string]cty.Value {
	if isNull(v) || isUnknown(v) || !v.CanIterateElements() {
		return nil
	}
	out := make(map[string]cty.Value, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if k.Type() == cty.String {
			out[k.AsString()] = e
		}
	}
	return out
}

func unionKeys(x, y map[string]cty.Value) []string {
	out := make([]string, 0, len(x)+len(y))
	for k := range x {
		out = append(out, k)
	}
	for k := range y {
		if _, ok := x[k]; !ok {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// elements are the parts of a list, tuple or set in order.
func elements(v cty.Value) []cty.Value {
	if isNull(v) || isUnknown(v) || !v.CanIterateElements() {
		return nil
	}
	out := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		out = append(out, e)
	}
	return out
}

func step(path cty.Path, s cty.PathStep) cty.Path {
	return append(path[:len(path):len(path)], s)
}

func filled(v cty.Value) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v
}

func multiline(v cty.Value) bool {
	return !isNull(v) && !isUnknown(v) && v.Type() == cty.String && strings.Contains(v.AsString(), "\n")
}
