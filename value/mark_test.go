package value

import (
	"testing"

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
