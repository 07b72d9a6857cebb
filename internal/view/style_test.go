package view_test

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/internal/view"
	"pgregory.net/rapid"
)

// Wrapping moves words to other lines and does nothing else.
func TestWrapKeepsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zäß"-]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(5, 40).Draw(t, "width")
		got := view.Wrap(strings.Join(words, " "), width)
		if strings.Join(strings.Fields(got), " ") != strings.Join(words, " ") {
			t.Fatalf("%q", got)
		}
		for _, line := range strings.Split(got, "\n") {
			if len([]rune(line)) > width && strings.Contains(line, " ") {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
	})
}

func TestWrapKeepsExamples(t *testing.T) {
	in := "one two three\n  an example that is longer than the width\n\nfour five six"
	want := "one two\nthree\n  an example that is longer than the width\n\nfour five\nsix"
	if got := view.Wrap(in, 9); got != want {
		t.Errorf("%q", got)
	}
}

func TestPaint(t *testing.T) {
	if got := (view.Style{}).Paint("x", view.Red); got != "x" {
		t.Error(got)
	}
	if got := (view.Style{Color: true}).Paint("x", view.Bold, view.Red); got != "\x1b[1m\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
}
