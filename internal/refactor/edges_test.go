package refactor

import (
	"fmt"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/graph"
	"pgregory.net/rapid"
)

// The edges are those of comparing every statement with every other.
func TestEdges(t *testing.T) {
	keys := []addr.InstanceKey{addr.NoKey, addr.IntKey(0), addr.StringKey("k")}
	draw := func(t *rapid.T, name string) (p pattern) {
		for range rapid.IntRange(0, 2).Draw(t, name+" depth") {
			s := step{any: rapid.Bool().Draw(t, name+" any call")}
			s.Name = rapid.SampledFrom([]string{"m", "n"}).Draw(t, name+" call")
			if !s.any {
				s.Key = rapid.SampledFrom(keys).Draw(t, name+" call key")
			}
			p.steps = append(p.steps, s)
		}
		if p.hasResource = rapid.Bool().Draw(t, name+" resource"); !p.hasResource {
			return p
		}
		p.resource = addr.Resource{Type: "t", Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, name+" name")}
		if p.any = rapid.Bool().Draw(t, name+" any"); !p.any {
			p.key = rapid.SampledFrom(keys).Draw(t, name+" key")
		}
		return p
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []statement
		for i := range rapid.IntRange(0, 6).Draw(t, "statements") {
			all = append(all, statement{from: draw(t, fmt.Sprint("from ", i)), to: draw(t, fmt.Sprint("to ", i))})
		}
		var want []graph.Edge
		for i := range all {
			for j := range all {
				if i != j && all[i].precedes(all[j]) {
					want = append(want, graph.Edge{From: graph.ID(j), To: graph.ID(i)})
				}
			}
		}
		if got := edges(all); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v\n got %v\nwant %v", all, got, want)
		}
	})
}

// A resource that gets keys has a statement for each of its instances, which cost
// no look at each other.
func TestEdgesOfKeys(t *testing.T) {
	at := func(key addr.InstanceKey) pattern {
		return pattern{hasResource: true, resource: addr.Resource{Type: "t", Name: "a"}, key: key}
	}
	var all []statement
	for i := range 100 {
		all = append(all, statement{from: at(addr.IntKey(i)), to: at(addr.StringKey(fmt.Sprint(i)))})
	}
	for i, later := range candidates(all) {
		if len(later) > 0 {
			t.Fatalf("%v is compared with %d others", all[i], len(later))
		}
	}
}
