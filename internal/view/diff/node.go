package diff

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Kind tells nodes apart.
type Kind uint8

// The kinds. The zero value is invalid.
const (
	Invalid Kind = iota
	// Leaf is a string, number, bool or null: Before and After.
	Leaf
	// Lines is text of several lines: Before and After.
	Lines
	// JSON is a string that holds JSON: Inner is the difference of what it
	// holds. Layout is set when only white space differs.
	JSON
	// Becomes is a value that becomes one of another shape: Inner, then Other.
	Becomes
	// Unknown is a value not known yet; Inner is what it was, nil for nothing.
	Unknown
	// Secret must not be shown. SecretBefore and SecretAfter say since when.
	Secret
	// WriteOnly is never stored.
	WriteOnly
	// Object and Map have Fields.
	Object
	Map
	// List and Set have Elems.
	List
	Set
)

// Node is the difference of one value.
type Node struct {
	Kind   Kind
	Action plan.Action
	// Replace says that this very part forces the replacement.
	Replace bool

	Before, After cty.Value
	Inner, Other  *Node
	Fields        []Field
	Elems         []*Node
	Layout        bool
	// Structural says that the schema describes the container's parts.
	Structural                bool
	SecretBefore, SecretAfter bool
	// Unchanged says that a secret's value stays the same.
	Unchanged bool
}

// Field is a named part.
type Field struct {
	Name string
	Node *Node
}

// Block is the difference of a block's content.
type Block struct {
	Action  plan.Action
	Replace bool
	Attrs   []Field
	Groups  []Group
	// Secret blocks show no content.
	Secret bool
	// Key is the label of a block in a map.
	Key    string
	Keyed  bool
	Folded bool
}

// Group is the blocks of one type.
type Group struct {
	Name   string
	Blocks []*Block
}

// Options guide a comparison.
type Options struct {
	// Replace are the paths that force the replacement.
	Replace []cty.Path
	// Relevant, where not nil, are the paths whose differences count; the rest
	// counts as unchanged.
	Relevant []cty.Path
	// Every counts all differences.
	Every bool
}

// Resource compares two objects of a resource type. Either may be null.
func Resource(s *schema.Block, before, after cty.Value, o Options) *Block {
	d := differ{Options: o, old: oldKit(s)}
	return d.block(s, before, after, nil)
}

// SchemaOf makes up a schema of objects of which none is at hand: that of the attributes
// that any of them has.
func SchemaOf(objects ...cty.Value) *schema.Block {
	names := map[string]bool{}
	for _, v := range objects {
		for name := range members(unmarked(v)) {
			names[name] = true
		}
	}
	var attrs []*schema.Attribute
	for name := range names {
		attrs = append(attrs, &schema.Attribute{Name: name, Type: cty.DynamicPseudoType})
	}
	return schema.NewBlock(attrs, nil)
}

func unmarked(v cty.Value) cty.Value {
	v, _ = filled(v).Unmark()
	return v
}

// Output compares two values of unknown type.
func Output(before, after cty.Value) *Node {
	return Value(cty.DynamicPseudoType, before, after)
}

// Value compares two values of a type constraint.
func Value(t cty.Type, before, after cty.Value) *Node {
	return differ{}.typed(t, before, after, nil)
}

// presence is the action that the presence of both sides gives.
func presence(before, after cty.Value) plan.Action {
	switch {
	case isNull(before) && !isNull(after):
		return plan.Create
	case !isNull(before) && isNull(after):
		return plan.Delete
	}
	return plan.NoOp
}

func isNull(v cty.Value) bool {
	if v == cty.NilVal {
		return true
	}
	v, _ = v.Unmark()
	return v.IsKnown() && v.IsNull()
}

func isUnknown(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	v, _ = v.Unmark()
	return !v.IsKnown()
}
