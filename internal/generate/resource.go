package generate

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Subject is what a resource block is written for.
type Subject struct {
	Addr   addr.Resource
	Schema *schema.Block
	// Provider is the provider argument, "" where none is needed.
	Provider string
	// Configured says that the value is configuration already, as a provider
	// made it: it is not an object as it exists.
	Configured bool
	// EmptyUnset takes an empty string for an argument that was not given, where
	// it need not be: older SDKs have no other word for that, and validate what is
	// given.
	EmptyUnset bool
}

// Resource writes a resource block for a wholly known value. It ends without a
// line break.
func Resource(s Subject, v value.Bare) string {
	w := &writer{Subject: s}
	w.line("resource ", strconv.Quote(s.Addr.Type), " ", strconv.Quote(s.Addr.Name), " {")
	if s.Provider != "" {
		w.line("provider = ", s.Provider)
	}
	w.block(s.Schema, v.Cty(), true)
	w.line("}")
	return strings.TrimSpace(string(hclwrite.Format([]byte(w.String()))))
}

// writer collects source that is laid out when it is whole.
type writer struct {
	strings.Builder
	Subject
}

func (w *writer) line(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
	w.WriteByte('\n')
}

// block writes the contents of a block: attributes, then nested blocks.
func (w *writer) block(b *schema.Block, v cty.Value, root bool) {
	if v.IsNull() {
		return
	}
	for _, name := range b.AttrNames() {
		a := b.Attributes[name]
		if root && name == "id" && a.Optional && a.Computed {
			continue // the SDK's own: nobody sets it
		}
		w.attribute(a, v.GetAttr(name))
	}
	for _, name := range b.BlockNames() {
		w.blocks(b.Blocks[name], v.GetAttr(name))
	}
}

// blocks writes all nested blocks of one type.
func (w *writer) blocks(n *schema.Nested, v cty.Value) {
	if v.IsNull() || n.Block.Deprecated && n.MinItems == 0 {
		return
	}
	switch n.Nesting {
	case schema.Single:
		w.nested(n, v)
	case schema.Group:
		if !empty(v) {
			w.nested(n, v)
		}
	default:
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if n.Nesting == schema.Map {
				w.nested(n, e, strconv.Quote(k.AsString()))
				continue
			}
			w.nested(n, e)
		}
	}
}

func (w *writer) nested(n *schema.Nested, v cty.Value, labels ...string) {
	if v.IsNull() {
		return
	}
	w.line(strings.Join(append([]string{n.Name}, labels...), " "), " {")
	w.block(n.Block, v, false)
	w.line("}")
}

// empty says whether there is nothing in an object, at any depth: a group block
// always has a value.
func empty(v cty.Value) bool {
	found := false
	_ = cty.Walk(v, func(_ cty.Path, e cty.Value) (bool, error) {
		t := e.Type()
		found = found || !e.IsNull() && (t.IsPrimitiveType() || t.IsCapsuleType())
		return !found, nil
	})
	return !found
}
