package diagview

import (
	"slices"
	"strings"
	"testing"
)

func TestLineDiff(t *testing.T) {
	for in, want := range map[string]string{
		"a|a":           "  a",
		"a|b":           "- a,+ b",
		"a,b,c|a,c":     "  a,- b,  c",
		"a,c|a,b,c,d":   "  a,+ b,  c,+ d",
		"x,y,z|1,y,2,3": "- x,+ 1,  y,- z,+ 2,+ 3",
	} {
		a, b, _ := strings.Cut(in, "|")
		if got := lineDiff(strings.Split(a, ","), strings.Split(b, ",")); !slices.Equal(got, strings.Split(want, ",")) {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
