package process

import (
	"fmt"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	flood := func(w *tail) {
		for i := range 10000 {
			fmt.Fprintf(w, "line %d %s\n", i, strings.Repeat("x", 50))
		}
	}
	w := newTail()
	flood(w)
	if words := w.lastWords(); strings.Count(words, "\n") != shownLines-1 || !strings.Contains(words, "line 9999 ") {
		t.Errorf("got %s", words)
	}
	if len(w.end) > 3*tailSize {
		t.Errorf("keeps %d bytes", len(w.end))
	}
	fmt.Fprint(w, "panic: boom\n\ngoroutine 1 [running]:\n")
	flood(w)
	if words := w.lastWords(); !strings.HasPrefix(words, "  panic: boom\n") || !strings.HasSuffix(words, "...") {
		t.Errorf("got %s", words)
	}
	if len(w.crash) > 2*panicSize {
		t.Errorf("keeps %d bytes of a panic", len(w.crash))
	}
	w = newTail()
	for range 1000 {
		fmt.Fprint(w, strings.Repeat("y", 1000))
	}
	if words := w.lastWords(); len(words) > 2*lineLength || len(w.partial) > lineLength {
		t.Errorf("a line without end is kept whole: %d", len(words))
	}
}
