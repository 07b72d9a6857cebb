package contract

import (
	"fmt"
	"testing"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// wide is an object with n blocks in a list and in a set, each with something
// computed.
func wide(n int) (s *schema.Block, config, planned cty.Value) {
	attrs := func() []*schema.Attribute {
		return []*schema.Attribute{{Name: "k", Type: cty.String, Required: true}, {Name: "id", Type: cty.String, Computed: true}}
	}
	s = schema.NewBlock(nil, []*schema.Nested{
		{Name: "item", Nesting: schema.List, Block: schema.NewBlock(attrs(), nil)},
		{Name: "member", Nesting: schema.Set, Block: schema.NewBlock(attrs(), nil)},
	})
	make := func(id cty.Value) cty.Value {
		var all []cty.Value
		for i := range n {
			all = append(all, cty.ObjectVal(map[string]cty.Value{"k": cty.StringVal(fmt.Sprint("k", i)), "id": id}))
		}
		return cty.ObjectVal(map[string]cty.Value{"item": cty.ListVal(all), "member": cty.SetVal(all)})
	}
	return s, make(cty.NullVal(cty.String)), make(cty.StringVal("made"))
}

func BenchmarkProposedNew(b *testing.B) {
	for _, n := range []int{250, 1000} {
		s, config, prior := wide(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				ProposedNew(s, prior, config)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{250, 1000} {
		s, config, planned := wide(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Check(Plan, Facts{Schema: s, Config: config, Answer: planned})
				Check(Apply, Facts{Schema: s, Config: config, Planned: planned, Answer: planned})
			}
		})
	}
}
