package diag_test

import (
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/diag"
)

// What is told of several instances of a resource stands in their order.
func TestSortedByAddress(t *testing.T) {
	at := diag.Range{Filename: "main.tf", Start: diag.Pos{Byte: 7}, End: diag.Pos{Byte: 9}}
	want := []string{"", `x["a"]`, `x["b"].y`, "x[2]", "x[10].a", "x[10].b"}
	var l diag.List
	for _, i := range []int{4, 1, 5, 0, 3, 2} {
		l = append(l, diag.Err("Failed", "").At(at).For(want[i]))
	}
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, d.Address)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
