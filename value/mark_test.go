package value

import (
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// marked finds a mark wherever go-cty does.
func TestMarked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(t, types(3).Draw(t, "type"), 3)
		if marked(v) {
			t.Fatalf("%#v carries no mark", v)
		}
		var places []cty.Path
		_ = cty.Walk(v, func(p cty.Path, _ cty.Value) (bool, error) {
			places = append(places, p.Copy())
			return true, nil
		})
		at := rapid.SampledFrom(places).Draw(t, "place")
		v = v.MarkWithPaths([]cty.PathValueMarks{{Path: at, Marks: cty.NewValueMarks("m")}})
		if marked(v) != v.ContainsMarked() {
			t.Fatalf("%#v: got %t", v, marked(v))
		}
	})
}

// Marks on parts must not cost a look at the whole value each.
func TestJoinGrowth(t *testing.T) {
	cost := func(n int) float64 {
		var parts []cty.Value
		for i := range n {
			parts = append(parts, cty.ObjectVal(map[string]cty.Value{"a": Mark(cty.StringVal("x"), Sensitive), "b": cty.NumberIntVal(int64(i))}))
		}
		whole := cty.ObjectVal(map[string]cty.Value{"list": cty.ListVal(parts), "tuple": cty.TupleVal(parts)})
		bare, marks := Split(whole)
		if len(marks) != 2*n {
			t.Fatal(len(marks))
		}
		if !Join(bare, marks).RawEquals(whole) {
			t.Error("Split and Join do not give the value of before")
		}
		best := time.Hour
		for range 7 {
			began := time.Now()
			Join(bare, marks)
			best = min(best, time.Since(began))
		}
		return float64(best)
	}
	// Comparing every path with every part makes it 64 times as much, however often it
	// is measured; a machine that is busy with something else does not.
	ratio := 0.0
	for range 5 {
		if ratio = cost(2000) / cost(250); ratio <= 30 {
			return
		}
	}
	t.Errorf("eight times the marks take %.0f times as long", ratio)
}

// What a path leads past (unknown, null, sets, no such part) is marked where it is
// left.
func TestJoinNearest(t *testing.T) {
	secret := func(v cty.Value) cty.Value { return Mark(v, Sensitive) }
	set := cty.SetVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": cty.True})})
	in := cty.ObjectVal(map[string]cty.Value{
		"unknown": cty.UnknownVal(cty.Map(cty.String)), "null": cty.NullVal(cty.Map(cty.String)), "set": set,
		"list": cty.ListVal([]cty.Value{cty.True}), "map": cty.MapVal(map[string]cty.Value{"k": cty.True}),
	})
	want := cty.ObjectVal(map[string]cty.Value{
		"unknown": secret(cty.UnknownVal(cty.Map(cty.String))), "null": secret(cty.NullVal(cty.Map(cty.String))), "set": secret(set),
		"list": secret(cty.ListVal([]cty.Value{cty.True})), "map": secret(cty.MapVal(map[string]cty.Value{"k": Mark(cty.True, Ephemeral)})),
	})
	at := func(name string) cty.Path { return cty.GetAttrPath(name) }
	got := Join(MustBare(in), Marks{
		{Path: at("unknown").IndexString("k"), Kinds: Sensitive}, {Path: at("null").IndexString("k"), Kinds: Sensitive},
		{Path: at("set").Index(set.AsValueSlice()[0]).GetAttr("x"), Kinds: Sensitive}, {Path: at("list").IndexInt(7), Kinds: Sensitive},
		{Path: at("map").IndexString("none"), Kinds: Sensitive}, {Path: at("map").IndexString("k"), Kinds: Ephemeral},
	})
	if !got.RawEquals(want) {
		t.Errorf("%#v", got)
	}
}

// Marks are united and compared as lists would be in which each path is looked for.
func TestMarksUnion(t *testing.T) {
	inSet := func(text string) cty.Path {
		return cty.GetAttrPath("set").Index(cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal(text)}))
	}
	paths := []cty.Path{
		nil, cty.GetAttrPath("a"), cty.GetAttrPath("a").GetAttr("b"), cty.GetAttrPath("a").IndexInt(2), cty.GetAttrPath("a").IndexInt(10),
		cty.GetAttrPath("9"), cty.IndexStringPath("9"), inSet("x"), inSet("y"), inSet("z"), cty.GetAttrPath("ab"),
	}
	draw := func(t *rapid.T, name string) (out Marks) {
		for _, p := range rapid.Permutation(paths).Draw(t, name) {
			if kinds := Kind(rapid.IntRange(0, 3).Draw(t, name+" kinds")); kinds != 0 {
				out = append(out, PathMark{Path: p, Kinds: kinds})
			}
		}
		return out
	}
	of := func(m Marks, p cty.Path) (kinds Kind) {
		for _, pm := range m {
			if pm.Path.Equals(p) {
				kinds |= pm.Kinds
			}
		}
		return kinds
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		both, same := a.Plus(b), true
		for _, p := range paths {
			if of(both, p) != of(a, p)|of(b, p) {
				t.Fatalf("%v and %v give %v", a, b, both)
			}
			same = same && of(a, p) == of(b, p)
		}
		if a.Equal(b) != same || !both.Equal(b.Plus(a)) {
			t.Fatalf("%v and %v: equal %t", a, b, a.Equal(b))
		}
	})
}
