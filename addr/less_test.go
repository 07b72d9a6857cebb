package addr

import (
	"testing"

	"pgregory.net/rapid"
)

// Resources of modules are ordered as their texts are.
func TestConfigResourceLess(t *testing.T) {
	name := rapid.StringMatching(`[a-c.-]{1,3}`)
	draw := rapid.Custom(func(t *rapid.T) ConfigResource {
		return ConfigResource{
			Module:   rapid.SampledFrom([]Module{Root, ModuleOf("a"), ModuleOf("a", "b"), ModuleOf("b")}).Draw(t, "module"),
			Resource: Resource{Mode: rapid.SampledFrom([]Mode{Managed, Data}).Draw(t, "mode"), Type: rapid.SampledFrom([]string{"data", "data.a", "a", "ab", "a-"}).Draw(t, "type"), Name: name.Draw(t, "name")},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if got, want := a.Less(b), a.String() < b.String(); got != want {
			t.Fatalf("%s < %s: got %t, want %t", a, b, got, want)
		}
	})
}
