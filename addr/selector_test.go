package addr

import (
	"slices"
	"testing"
)

// TestSelector: a selector says what its targets say one by one.
func TestSelector(t *testing.T) {
	var targets []Target
	for _, module := range []string{"", "module.a", "module.a[0]", "module.a[1]", `module.a["k"]`, "module.b", "module.a.module.b", "module.a[0].module.b", "module.a.module.b[0]", "module.a[0].module.b[0]", "module.c", "**", "module.*"} {
		for _, resource := range []string{"", "x.y", "x.y[0]", "x.y[1]", `x.y["k"]`, "x.z", "data.x.y", "x.*"} {
			text := dotted(module, resource)
			if resource == "" {
				text = module
			}
			if text == "" {
				continue
			}
			target, err := ParsePattern(text)
			if err != nil {
				t.Fatal(err)
			}
			targets = append(targets, target, target)
		}
	}
	selector := NewSelector(targets)
	for _, module := range []string{"", "module.a", "module.a[0]", `module.a["k"]`, "module.a[0].module.b", "module.a[0].module.b[0]", "module.a[1].module.b[0].module.c", "module.c[3]"} {
		for _, resource := range []string{"x.y", "x.y[0]", `x.y["k"]`, "x.z", "data.x.y[0]", "u.v"} {
			i, err := ParseInstance(dotted(module, resource))
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for n, target := range targets {
				if target.Contains(i) {
					want = append(want, n)
				}
			}
			if got := selector.Selecting(i); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", i, got, want)
			}
		}
	}
}
