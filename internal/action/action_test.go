package action

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/test/golden"
)

// inputs are the booleans of Facts in the order of the truth table's columns.
var inputs = []struct {
	name string
	set  func(*Facts)
}{
	{"Exists", func(f *Facts) { f.Exists = true }},
	{"Wanted", func(f *Facts) { f.Wanted = true }},
	{"Deposed", func(f *Facts) { f.Deposed = true }},
	{"Keep", func(f *Facts) { f.Keep = true }},
	{"Tainted", func(f *Facts) { f.Tainted = true }},
	{"Requested", func(f *Facts) { f.Requested = true }},
	{"Triggered", func(f *Facts) { f.Triggered = true }},
	{"Forced", func(f *Facts) { f.Forced = true }},
	{"Equal", func(f *Facts) { f.Equal = true }},
	{"SameMarks", func(f *Facts) { f.SameMarks = true }},
	{"CreateFirst", func(f *Facts) { f.CreateFirst = true }},
	{"ForgetFirst", func(f *Facts) { f.ForgetFirst = true }},
	{"NamesTriggerOnCreate", func(f *Facts) { f.NamesTriggerOnCreate = true }},
}

const why = plan.DeleteCountIndex

type outcome struct {
	row    string
	action string
	reason plan.Reason
}

// TestTruthTable decides all combinations and prints, for each outcome, the
// values of the inputs that all its combinations share: 1, 0, or - where the
// input makes no difference.
func TestTruthTable(t *testing.T) {
	var b strings.Builder
	for _, mode := range []plan.Mode{plan.Normal, plan.Destroy, plan.RefreshOnly} {
		fmt.Fprintf(&b, "%s\n", [...]string{"normal", "destroy", "refresh only"}[mode])
		var order []outcome
		ones, zeros, count := map[outcome]int{}, map[outcome]int{}, map[outcome]int{}
		for bits := range 1 << len(inputs) {
			f := Facts{Mode: mode, Why: why}
			for i, in := range inputs {
				if bits&(1<<i) != 0 {
					in.set(&f)
				}
			}
			a, r := Decide(f)
			invariants(t, f, a, r)
			o := outcome{deciding(f.masked()).name, strings.Join(a.Names(), "+"), r}
			if count[o] == 0 {
				order = append(order, o)
				ones[o], zeros[o] = ^0, ^0
			}
			count[o]++
			ones[o] &= bits
			zeros[o] &= ^bits
		}
		for _, r := range rows {
			for _, o := range order {
				if o.row == r.name {
					fmt.Fprintf(&b, "  %s %5d  %-27s %-14s %s\n", columns(ones[o], zeros[o]), count[o], o.row, o.action, o.reason)
				}
			}
		}
	}
	legend := "columns:"
	for _, in := range inputs {
		legend += " " + in.name
	}
	golden.File(t, "testdata/truth.txt", legend+"\n"+b.String())
}

func columns(ones, zeros int) string {
	var b strings.Builder
	for i := range inputs {
		switch {
		case ones&(1<<i) != 0:
			b.WriteByte('1')
		case zeros&(1<<i) != 0:
			b.WriteByte('0')
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}

func invariants(t *testing.T, f Facts, a plan.Action, r plan.Reason) {
	t.Helper()
	switch {
	case f.Mode == plan.RefreshOnly && a != plan.NoOp:
		t.Errorf("refresh-only acts: %+v", f)
	case f.Mode == plan.RefreshOnly:
	case !f.Exists && a != plan.NoOp && a != plan.Create:
		t.Errorf("AC2: %v of what does not exist: %+v", a.Names(), f)
	case (!f.Wanted || f.Mode == plan.Destroy) && (a == plan.Create || a == plan.Update || a.IsReplace()):
		t.Errorf("AC2: %v of what is not wanted: %+v", a.Names(), f)
	case f.Keep && (a == plan.Delete || a == plan.DeleteThenCreate || a == plan.CreateThenDelete):
		t.Errorf("what is kept is destroyed: %+v", f)
	case a.IsReplace() && r == plan.NoReason:
		t.Errorf("a replacement without reason: %+v", f)
	case f.Mode == plan.Destroy && r != plan.NoReason:
		t.Errorf("a destroy needs no reason: %+v", f)
	}
}

func TestDecideData(t *testing.T) {
	for _, c := range []struct {
		f      DataFacts
		action plan.Action
		reason plan.Reason
	}{
		{DataFacts{}, plan.NoOp, plan.NoReason},
		{DataFacts{ConfigUnknown: true, Pending: true}, plan.Read, plan.ReadConfigUnknown},
		{DataFacts{Pending: true, InCheck: true}, plan.Read, plan.ReadDependencyPending},
		{DataFacts{InCheck: true}, plan.Read, plan.ReadCheckNested},
	} {
		if a, r := DecideData(c.f); a != c.action || r != c.reason {
			t.Errorf("%+v: got %v %q", c.f, a.Names(), r)
		}
	}
}

func TestTemplates(t *testing.T) {
	var b strings.Builder
	list := func(name string, of Template) {
		fmt.Fprintf(&b, "%s\n", name)
		for _, line := range strings.Split(strings.TrimSuffix(of.String(), "\n"), "\n") {
			b.WriteString("  " + line + "\n")
		}
		for _, leg := range [][]Kind{of.Make, of.End} {
			for i, k := range leg {
				if needs := k.Needs(); needs != nil && !slices.ContainsFunc(leg[:i], func(k Kind) bool { return slices.Contains(needs, k) }) {
					t.Errorf("AC4: %s: nothing that %s needs comes before it", name, k)
				}
			}
			if open, shut := slices.Index(leg, Announce), slices.Index(leg, Conclude); open < 0 != (shut < 0) {
				t.Errorf("AC4: %s: what is announced is concluded", name)
			}
		}
	}
	for a := plan.NoOp; a <= plan.ForgetThenCreate; a++ {
		list(strings.Join(a.Names(), ", "), Operations(a, Current))
	}
	list("update of marks alone", Operations(plan.Update, MarksOnly))
	list("update that changes nothing", Operations(plan.Update, Needless))
	list("delete of a deposed object", Operations(plan.Delete, Deposed))
	golden.File(t, "testdata/templates.txt", b.String())

	whole := Operations(plan.Update, Current).Make
	n := slices.Index(whole, FinalPlan) + 1
	for _, v := range []Variant{MarksOnly, Needless} {
		if !slices.Equal(whole[:n], Operations(plan.Update, v).Make[:n]) {
			t.Error("AC5: an update is told from one without a remote change before its final plan")
		}
	}
}
