package planview

import (
	"strings"

	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
)

// landmarks are the attributes that are shown though unchanged, so that people
// know which object they look at.
var landmarks = map[string]bool{"id": true, "name": true, "tags": true}

// block renders a block's content from the opening brace on.
func (p painter) block(k *diff.Block, level int, m manner) string {
	if len(k.Attrs) == 0 && len(k.Groups) == 0 && !k.Secret {
		return "{}" + p.forces(k.Replace)
	}
	var b strings.Builder
	b.WriteString("{" + p.forces(k.Replace) + "\n")
	if k.Secret {
		p.sealed(&b, level+1)
	} else {
		p.attributes(&b, k, level+1, m)
		p.groups(&b, k, level+1, m)
	}
	b.WriteString(indent(level+1) + "}")
	return b.String()
}

// sealed stands for content that must not be shown.
func (p painter) sealed(b *strings.Builder, level int) {
	for _, line := range []string{"At least one attribute in this block is (or was) sensitive,", "so its contents will not be displayed."} {
		b.WriteString(indent(level) + unit + p.Paint("# "+line, view.Gray) + "\n")
	}
}

func (p painter) attributes(b *strings.Builder, k *diff.Block, level int, m manner) {
	names := make([]string, len(k.Attrs))
	for i, f := range k.Attrs {
		names[i] = f.Name
		if !identifier(f.Name) {
			names[i] = quote(f.Name)
		}
	}
	width := longest(names)
	hidden := 0
	for i, f := range k.Attrs {
		part := m
		if f.Node.Action == plan.NoOp {
			if !m.all && !landmarks[f.Name] {
				hidden++
				continue
			}
			part.all = true
		}
		part.all = part.all || landmarks[f.Name]
		p.warn(b, f.Node, level, m)
		b.WriteString(indent(level) + p.sign(f.Node.Action, m) + pad(names[i], width) + " = " + p.value(f.Node, level, part) + "\n")
	}
	p.hidden(b, hidden, "attribute", level)
}

func (p painter) groups(b *strings.Builder, k *diff.Block, level int, m manner) {
	hidden := 0
	for _, g := range k.Groups {
		first := true
		for _, c := range g.Blocks {
			if c.Action == plan.NoOp && !m.all {
				hidden++
				continue
			}
			if first {
				b.WriteByte('\n')
				first = false
			}
			b.WriteString(indent(level) + p.sign(c.Action, m) + label(g.Name, c) + p.inner(c, level, m) + "\n")
		}
	}
	if hidden > 0 {
		b.WriteByte('\n')
		p.hidden(b, hidden, "block", level)
	}
}

func (p painter) inner(c *diff.Block, level int, m manner) string {
	if c.Folded {
		return "(known after apply)"
	}
	return p.block(c, level, m)
}

func label(name string, c *diff.Block) string {
	if c.Keyed {
		return name + " " + quote(c.Key) + " "
	}
	return name + " "
}
