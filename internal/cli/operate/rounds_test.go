package operate

import (
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
)

// rounded is a plan that defers objects of these names.
func rounded(applyable bool, names ...string) *plan.Document {
	d := &plan.Document{Applyable: applyable}
	for _, n := range names {
		d.Deferred = append(d.Deferred, &plan.DeferredChange{Reason: plan.DeferPrereq, Change: plan.Change{
			Addr: addr.AbsInstance{Resource: addr.Resource{Type: "x", Name: n}}}})
	}
	return d
}

func TestRoundsGoOnWhileThereIsProgress(t *testing.T) {
	for _, c := range []struct {
		name      string
		auto, ask bool
		rounds    []*plan.Document
		// planned is what follows the last plan, done what follows carrying it
		// out.
		planned, done course
	}{
		{"nothing waits", true, false, []*plan.Document{rounded(true)}, goOn, over},
		{"alone", true, false, []*plan.Document{rounded(true, "a")}, goOn, goOn},
		{"with a person", false, true, []*plan.Document{rounded(true, "a")}, goOn, askFirst},
		{"with nobody", false, false, []*plan.Document{rounded(true, "a")}, goOn, later},
		{"all of it waits", true, false, []*plan.Document{rounded(false, "a")}, stuck, stuck},
		{"less waits", true, false, []*plan.Document{rounded(true, "a", "b"), rounded(true, "b")}, goOn, goOn},
		{"the same waits", true, false, []*plan.Document{rounded(true, "a"), rounded(true, "a")}, stuck, goOn},
		{"the same waits, and a person decides", false, true, []*plan.Document{rounded(true, "a"), rounded(true, "a")}, goOn, askFirst},
		{"to and fro", true, false, []*plan.Document{rounded(true, "a"), rounded(true, "b"), rounded(true, "a")}, stuck, goOn},
		{"nothing waits any more", true, false, []*plan.Document{rounded(true, "a"), rounded(true), rounded(true)}, goOn, over},
		{"nothing left to do", true, false, []*plan.Document{rounded(true, "a"), rounded(false)}, goOn, over},
	} {
		r := rounds{auto: c.auto, ask: c.ask}
		var last course
		for _, d := range c.rounds {
			last = r.planned(d)
		}
		if last != c.planned {
			t.Errorf("%s: after the plan %d, want %d", c.name, last, c.planned)
		}
		if done := r.carriedOut(c.rounds[len(c.rounds)-1]); done != c.done {
			t.Errorf("%s: after the round %d, want %d", c.name, done, c.done)
		}
	}
	refresh := rounded(true, "a")
	refresh.Mode = plan.RefreshOnly
	if got := (&rounds{auto: true}).carriedOut(refresh); got != later {
		t.Errorf("reading again finds the same: %d", got)
	}
}
