package expand_test

import (
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/expand"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

func str(s string) cty.Value { return cty.StringVal(s) }

func TestDecisions(t *testing.T) {
	num := cty.NumberIntVal
	tests := []struct {
		name   string
		decide func(value.V, diag.Range) (expand.Keys, diag.List)
		v      cty.Value
		want   string
	}{
		{"count", expand.Count, num(2), "[0] [1]"},
		{"count of zero", expand.Count, num(0), ""},
		{"count from string", expand.Count, str("1"), "[0]"},
		{"sensitive count", expand.Count, value.Mark(num(1), value.Sensitive), "[0]"},
		{"ephemeral count", expand.Count, value.Mark(num(1), value.Ephemeral), "Invalid count argument"},
		{"negative count", expand.Count, num(-1), "Invalid count argument"},
		{"fractional count", expand.Count, cty.NumberFloatVal(1.5), "Invalid count argument"},
		{"infinite count", expand.Count, cty.PositiveInfinity, "Invalid count argument"},
		{"null count", expand.Count, cty.NullVal(cty.DynamicPseudoType), "Invalid count argument"},
		{"unknown count", expand.Count, cty.UnknownVal(cty.Number), "Invalid count argument"},
		{"text count", expand.Count, str("x"), "Incorrect value type"},
		{"bool count", expand.Count, cty.True, "Incorrect value type"},
		{"map", expand.ForEach, cty.MapVal(map[string]cty.Value{"b": num(1), "a": num(2)}), `["a"] ["b"]`},
		{"object with sensitive value", expand.ForEach, cty.ObjectVal(map[string]cty.Value{"a": value.Mark(num(1), value.Sensitive)}), `["a"]`},
		{"set", expand.ForEach, cty.SetVal([]cty.Value{str("b"), str("a")}), `["a"] ["b"]`},
		{"empty key", expand.ForEach, cty.SetVal([]cty.Value{str("")}), `[""]`},
		{"empty set of anything", expand.ForEach, cty.SetValEmpty(cty.DynamicPseudoType), ""},
		{"set of numbers", expand.ForEach, cty.SetVal([]cty.Value{num(1)}), "Invalid for_each set argument"},
		{"set of null", expand.ForEach, cty.SetVal([]cty.Value{cty.NullVal(cty.String)}), "Invalid for_each set argument"},
		{"set of unknown", expand.ForEach, cty.SetVal([]cty.Value{cty.UnknownVal(cty.String)}), "Invalid for_each argument"},
		{"tuple", expand.ForEach, cty.TupleVal([]cty.Value{str("a")}), "Invalid for_each argument"},
		{"string", expand.ForEach, str("x"), "Invalid for_each argument"},
		{"null", expand.ForEach, cty.NullVal(cty.DynamicPseudoType), "Invalid for_each argument"},
		{"unknown map", expand.ForEach, cty.UnknownVal(cty.Map(cty.String)), "Invalid for_each argument"},
		{"sensitive map", expand.ForEach, value.Mark(cty.MapVal(map[string]cty.Value{"a": num(1)}), value.Sensitive), "Invalid for_each argument"},
		{"set of sensitive", expand.ForEach, cty.SetVal([]cty.Value{value.Mark(str("x"), value.Sensitive)}), "Invalid for_each argument"},
		{"enabled", expand.Enabled, cty.True, "-"},
		{"disabled", expand.Enabled, cty.False, ""},
		{"unknown enabled", expand.Enabled, cty.UnknownVal(cty.Bool), "Invalid enabled argument"},
		{"text enabled", expand.Enabled, str("maybe"), "Invalid enabled argument"},
		{"null enabled", expand.Enabled, cty.NullVal(cty.Bool), "Invalid enabled argument"},
		{"sensitive enabled", expand.Enabled, value.Mark(cty.True, value.Sensitive), "Invalid enabled argument"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, diags := tt.decide(tt.v, diag.Range{})
			got := ""
			if len(diags) > 0 {
				got = diags[0].Summary
			} else {
				for key := range k.All() {
					if got != "" {
						got += " "
					}
					if key.IsNone() {
						got += "-"
					}
					got += key.String()
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestValuesInInstances(t *testing.T) {
	k, _ := expand.ForEach(cty.MapVal(map[string]cty.Value{"a": cty.NumberIntVal(5)}), diag.Range{})
	got := k.Variables(addr.StringKey("a"))["each"]
	if !got.GetAttr("key").RawEquals(str("a")) || !got.GetAttr("value").RawEquals(cty.NumberIntVal(5)) {
		t.Errorf("each is %#v", got)
	}
	if v := expand.Counted(3).EachObject(addr.IntKey(2)); !v.GetAttr("index").RawEquals(cty.NumberIntVal(2)) {
		t.Errorf("count is %#v", v)
	}
	if v := expand.Single().Variables(addr.NoKey); v != nil {
		t.Errorf("a single instance has names: %#v", v)
	}
}

func TestKeysAreSortedAndFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.String(), rapid.ID).Draw(t, "names")
		entries := map[string]cty.Value{}
		for _, n := range names {
			entries[n] = cty.True
		}
		k := expand.Each(entries)
		all := slices.Collect(k.All())
		if len(all) != len(names) || !slices.IsSortedFunc(all, func(a, b addr.InstanceKey) int {
			if a.Less(b) {
				return -1
			}
			return 1
		}) {
			t.Fatalf("keys %v", all)
		}
		for i, key := range all {
			if k.IndexOf(key) != i || k.At(i) != key {
				t.Fatalf("key %v is not at %d", key, i)
			}
		}
	})
}

func TestManyInstancesTakeNoSpace(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		k, _ := expand.Count(cty.NumberIntVal(100000), diag.Range{})
		for key := range k.All() {
			_ = key
		}
	}); n > 50 {
		t.Errorf("%v allocations", n)
	}
}
