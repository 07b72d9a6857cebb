package config

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Outline tells in which top-level block of a source file something stands. The
// zero value knows of no block.
type Outline struct {
	// blocks are those of native syntax, as they follow each other.
	blocks hclsyntax.Blocks
	other  *hcl.File
}

// OutlineOf reads a source file, which need not be valid.
func OutlineOf(src []byte, filename string) Outline {
	file, _ := Parse(filename, src)
	if file == nil {
		return Outline{}
	}
	if body, native := file.Body.(*hclsyntax.Body); native {
		blocks := slices.Clone(body.Blocks)
		slices.SortFunc(blocks, func(a, b *hclsyntax.Block) int { return cmp.Compare(a.Range().Start.Byte, b.Range().Start.Byte) })
		return Outline{blocks: blocks}
	}
	return Outline{other: file}
}

// Around names the block around a byte, such as `resource "x" "y"`; "" when there
// is none.
func (o Outline) Around(at int) string {
	if o.other != nil {
		return hcled.ContextString(o.other, at)
	}
	i := sort.Search(len(o.blocks), func(i int) bool { return o.blocks[i].Range().Start.Byte > at }) - 1
	if i < 0 || !o.blocks[i].Range().ContainsOffset(at) {
		return ""
	}
	words := []string{o.blocks[i].Type}
	for _, label := range o.blocks[i].Labels {
		words = append(words, strconv.Quote(label))
	}
	return strings.Join(words, " ")
}
