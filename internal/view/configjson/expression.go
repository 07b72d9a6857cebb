package configjson

import (
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// expressions writes the arguments and blocks of a body, nothing when it is
// empty.
func (w writer) expressions(key string, c config.Content, s *schema.Block) {
	if len(c.Attributes)+len(c.Blocks) == 0 {
		return
	}
	w.Key(key)
	w.content(c, s)
}

func (w writer) content(c config.Content, s *schema.Block) {
	names := sorted(c.Attributes)
	names = append(names, sorted(c.Blocks)...)
	sort.Strings(names)
	w.Begin()
	for _, name := range names {
		w.Key(name)
		if e, ok := c.Attributes[name]; ok {
			w.expression(e)
			continue
		}
		w.blocks(c.Blocks[name], s.Blocks[name])
	}
	w.End()
}

func (w writer) blocks(list []config.ContentBlock, n *schema.Nested) {
	switch n.Nesting {
	case schema.Single, schema.Group:
		w.content(list[0].Content, n.Block)
	case schema.Map:
		w.Begin()
		for _, b := range list {
			w.Key(b.Label)
			w.content(b.Content, n.Block)
		}
		w.End()
	default:
		w.BeginList()
		for _, b := range list {
			w.content(b.Content, n.Block)
		}
		w.EndList()
	}
}

// expression writes what an expression is worth when that needs nothing, and
// what it refers to otherwise.
func (w writer) expression(e hcl.Expression) {
	w.Begin()
	defer w.End()
	switch v, refs := told(e); {
	case v != cty.NilVal:
		w.Key("constant_value")
		w.Value(v)
	case len(refs) > 0:
		w.Key("references")
		w.Strings(refs)
	}
}

// repetition writes a count or for_each of which there is something to tell.
func (w writer) repetition(key string, e hcl.Expression) {
	if v, refs := told(e); v != cty.NilVal || len(refs) > 0 {
		w.Key(key)
		w.expression(e)
	}
}

// told is what is written of an expression: its value when that needs nothing,
// else what it refers to. Of functions of constants there is neither.
func told(e hcl.Expression) (cty.Value, []string) {
	if e == nil {
		return cty.NilVal, nil
	}
	vars := e.Variables()
	if len(vars) > 0 {
		return cty.NilVal, references(vars)
	}
	if v, diags := e.Value(nil); !diags.HasErrors() && v.IsWhollyKnown() {
		return v, nil
	}
	return cty.NilVal, nil
}

// references are the texts of all references with their prefixes.
func references(vars []hcl.Traversal) []string {
	var out []string
	for _, t := range vars {
		if r, diags := lang.ParseRef(t); !diags.HasErrors() {
			out = append(out, prefixes(r)...)
		}
	}
	return out
}

// prefixes are a reference and all that it leads through, longest first. An
// output of an instance leads through the instance, and not through all of them.
func prefixes(r lang.Ref) []string {
	base := []string{r.String()}
	if r.HasKey && r.Output == "" {
		base = append(base, strings.TrimSuffix(r.String(), r.Key.String()))
	}
	if r.Output != "" {
		base = append(base, strings.TrimSuffix(r.String(), "."+r.Output))
	}
	var out []string
	for n := len(r.Remaining); n > 0; n-- {
		out = append(out, r.String()+lang.TraversalText(r.Remaining[:n]))
	}
	return append(out, base...)
}

// traversal writes an entry of depends_on.
func traversal(t hcl.Traversal) string { return lang.TraversalText(t) }
