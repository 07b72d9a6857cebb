package diff

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/plan"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// texts are short lists of few different strings, so that they have much in
// common.
func texts() *rapid.Generator[[]cty.Value] {
	return rapid.Custom(func(t *rapid.T) []cty.Value {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8).Draw(t, "list")
		out := make([]cty.Value, len(list))
		for i, s := range list {
			out[i] = cty.StringVal(s)
		}
		return out
	})
}

// What is common is common, in order, and nothing longer is.
func TestCommonIsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := texts().Draw(t, "x"), texts().Draw(t, "y")
		got := common(x, y)
		last := match{-1, -1}
		for _, m := range got {
			if m.i <= last.i || m.j <= last.j || !x[m.i].RawEquals(y[m.j]) {
				t.Fatalf("%v after %v", m, last)
			}
			last = m
		}
		if want := longest(x, y); len(got) != want {
			t.Fatalf("%d common elements of %v and %v, not %d", len(got), x, y, want)
		}
	})
}

func longest(x, y []cty.Value) int {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	if x[0].RawEquals(y[0]) {
		return 1 + longest(x[1:], y[1:])
	}
	return max(longest(x[1:], y), longest(x, y[1:]))
}

// A difference of lists tells both: without what is added it is the old one,
// without what is removed the new one.
func TestListTellsBothSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := texts().Draw(t, "x"), texts().Draw(t, "y")
		n := differ{}.typed(cty.List(cty.String), listOf(x), listOf(y), nil)
		var before, after []cty.Value
		for _, e := range n.Elems {
			if e.Action != plan.Create {
				before = append(before, e.Before)
			}
			if e.Action != plan.Delete {
				after = append(after, e.After)
			}
		}
		if !listOf(before).RawEquals(listOf(x)) || !listOf(after).RawEquals(listOf(y)) {
			t.Fatalf("%v and %v became %v and %v", x, y, before, after)
		}
	})
}

func listOf(parts []cty.Value) cty.Value {
	if len(parts) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	return cty.ListVal(parts)
}

// A value compared with itself has no difference.
func TestSameIsNoOp(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{
		"s": cty.StringVal(`{"a":1}`), "l": cty.TupleVal([]cty.Value{cty.NullVal(cty.String), cty.True}),
		"m": cty.MapVal(map[string]cty.Value{"k": cty.Zero}), "t": cty.SetVal([]cty.Value{cty.StringVal("x")}),
	})
	if n := Output(v, v); n.Action != plan.NoOp {
		t.Errorf("%+v", n)
	}
}

func TestLineDiff(t *testing.T) {
	marks := map[plan.Action]string{plan.NoOp: "  ", plan.Create: "+ ", plan.Delete: "- "}
	for in, want := range map[string]string{
		"a|a":            "  a",
		"a|b":            "- a,+ b",
		"a,b,c|a,c":      "  a,- b,  c",
		"a,c|a,b,c,d":    "  a,+ b,  c,+ d",
		"a,b,c,|a,B,c,d": "  a,- b,+ B,  c,+ d",
		"x,y,z|1,y,2,3":  "- x,+ 1,  y,- z,+ 2,+ 3",
	} {
		before, after, _ := strings.Cut(strings.ReplaceAll(in, ",", "\n"), "|")
		var got []string
		for _, l := range LineDiff(before, after) {
			got = append(got, marks[l.Action]+l.Text)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
