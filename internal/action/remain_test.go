package action

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/test/golden"
)

// TestRemaining decides all combinations that can be, holds each to what may never
// happen to an object, and prints what each row's combinations share.
func TestRemaining(t *testing.T) {
	fields := []struct {
		name string
		set  func(*Answered)
	}{
		{"Ends", func(a *Answered) { a.Ends = true }},
		{"Creates", func(a *Answered) { a.Creates = true }},
		{"Failed", func(a *Answered) { a.Failed = true }},
		{"Came", func(a *Answered) { a.Came = true }},
		{"Tells", func(a *Answered) { a.Tells = true }},
		{"Denies", func(a *Answered) { a.Denies = true }},
		{"Incomplete", func(a *Answered) { a.Incomplete = true }},
	}
	shared := map[string][]byte{}
	count := map[string]int{}
	for bits := range 1 << len(fields) {
		var a Answered
		column := make([]byte, len(fields))
		for i, f := range fields {
			column[i] = '0'
			if bits&(1<<i) != 0 {
				f.set(&a)
				column[i] = '1'
			}
		}
		if !possible(a) {
			continue
		}
		r := remaining(a)
		nothingLost(t, a, r.left)
		if shared[r.name] == nil {
			shared[r.name] = column
		}
		for i := range column {
			if shared[r.name][i] != column[i] {
				shared[r.name][i] = '-'
			}
		}
		count[r.name]++
	}
	var b strings.Builder
	b.WriteString("columns:")
	for _, f := range fields {
		b.WriteString(" " + f.name)
	}
	b.WriteString("\n")
	for _, r := range remnants {
		if count[r.name] == 0 {
			t.Errorf("no case reaches %q", r.name)
		}
		fmt.Fprintf(&b, "  %s %3d  %-42s %s, %s", shared[r.name], count[r.name], r.name, r.left.Keeps, r.left.Status)
		if r.left.Open {
			b.WriteString(", open")
		}
		b.WriteString("\n")
	}
	golden.File(t, "testdata/remaining.txt", b.String())
}

// possible says whether a is free of contradictions.
func possible(a Answered) bool {
	return !(a.Ends && a.Creates) && !(a.Tells && !a.Came) && !(a.Denies && (a.Tells || !a.Came || !a.Failed))
}

// nothingLost is invariant AC6.
func nothingLost(t *testing.T, a Answered, r Remains) {
	t.Helper()
	switch {
	case a.Tells && r.Keeps != Told && !(a.Ends && !a.Failed):
		t.Errorf("what the provider tells of is not stored: %+v", a)
	case !a.Creates && r.Keeps == Nothing && !(a.Ends && !a.Failed):
		t.Errorf("what existed is lost: %+v", a)
	case !a.Came && !r.Open && !(a.Ends && !a.Failed):
		t.Errorf("nobody knows what became of it, and that is not told: %+v", a)
	case a.Creates && a.Failed && r.Keeps == Told && r.Status != Tainted:
		t.Errorf("a failed creation counts as complete: %+v", a)
	case !a.Creates && r.Keeps == Told && a.Failed && r.Status != SameStatus:
		t.Errorf("a failed update or deletion changes the status: %+v", a)
	}
}
