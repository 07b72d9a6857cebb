package diffview

import (
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
)

// landmarks are the attributes that are shown though unchanged, so that people
// know which object they look at.
var landmarks = map[string]bool{"id": true, "name": true, "tags": true}

// Block renders a block's content from the opening brace on.
func (p Painter) Block(k *diff.Block, level int, m Manner) string {
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
	b.WriteString(Indent(level+1) + "}")
	return b.String()
}

// sealed stands for content that must not be shown.
func (p Painter) sealed(b *strings.Builder, level int) {
	for _, line := range []string{"At least one attribute in this block is (or was) sensitive,", "so its contents will not be displayed."} {
		b.WriteString(Indent(level) + "  " + p.Paint("# "+line, view.Gray) + "\n")
	}
}

func (p Painter) attributes(b *strings.Builder, k *diff.Block, level int, m Manner) {
	names := make([]string, len(k.Attrs))
	for i, f := range k.Attrs {
		names[i] = f.Name
		if !identifier(f.Name) {
			names[i] = valuetext.Quote(f.Name)
		}
	}
	width := longest(names)
	hidden := 0
	for i, f := range k.Attrs {
		part := m
		if f.Node.Action == plan.NoOp {
			if !m.All && !landmarks[f.Name] {
				hidden++
				continue
			}
			part.All = true
		}
		part.All = part.All || landmarks[f.Name]
		p.warn(b, f.Node, level, m)
		b.WriteString(Indent(level) + p.sign(f.Node.Action, m) + Pad(names[i], width) + " = " + p.Value(f.Node, level, part) + "\n")
	}
	p.hidden(b, hidden, "attribute", level)
}

// groups sets each group apart where attributes stand above it; a block that has
// none goes on without a gap.
func (p Painter) groups(b *strings.Builder, k *diff.Block, level int, m Manner) {
	gap, hidden := "", 0
	if len(k.Attrs) > 0 {
		gap = "\n"
	}
	for _, g := range k.Groups {
		first := true
		for _, c := range g.Blocks {
			if c.Action == plan.NoOp && !m.All {
				hidden++
				continue
			}
			if first {
				b.WriteString(gap)
				first = false
			}
			b.WriteString(Indent(level) + p.sign(c.Action, m) + label(g.Name, c) + p.inner(c, level, m) + "\n")
		}
	}
	if hidden > 0 {
		b.WriteString(gap)
		p.hidden(b, hidden, "block", level)
	}
}

func (p Painter) inner(c *diff.Block, level int, m Manner) string {
	if c.Folded {
		return "(known after apply)"
	}
	return p.Block(c, level, m)
}

func label(name string, c *diff.Block) string {
	if c.Keyed {
		return name + " " + valuetext.Quote(c.Key) + " "
	}
	return name + " "
}
