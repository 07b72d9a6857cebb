package planview

import (
	"fmt"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/view/diff"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/zclconf/go-cty/cty"
)

// Counts is how many objects a plan touches.
type Counts struct {
	Add, Change, Destroy, Import, Forget, Invoke int
	// Actions is how often each action is planned.
	Actions map[plan.Action]int
}

// Count counts a plan.
func Count(d *plan.Document) Counts {
	c := Counts{Actions: map[plan.Action]int{}, Invoke: len(d.Invocations)}
	for _, ch := range d.Changes {
		if !planjson.Shown(ch) {
			continue
		}
		if ch.Action != plan.NoOp {
			c.Actions[ch.Action]++
		}
		c.add(ch)
	}
	return c
}

func (c *Counts) add(ch *plan.Change) {
	if ch.Importing != nil {
		c.Import++
	}
	switch ch.Action {
	case plan.Create:
		c.Add++
	case plan.Update:
		c.Change++
	case plan.Delete:
		c.Destroy++
	case plan.DeleteThenCreate, plan.CreateThenDelete:
		c.Add++
		c.Destroy++
	case plan.CreateThenForget, plan.ForgetThenCreate:
		c.Add++
		c.Forget++
	case plan.Forget:
		c.Forget++
	}
}

// Summary is the line that programs read, without colour and line break. With
// forgotten it tells how many objects are forgotten, which a dialect does.
func Summary(c Counts, forgotten bool) string {
	var b strings.Builder
	b.WriteString("Plan: ")
	if c.Import > 0 {
		fmt.Fprintf(&b, "%d to import, ", c.Import)
	}
	fmt.Fprintf(&b, "%d to add, %d to change, %d to destroy", c.Add, c.Change, c.Destroy)
	if forgotten && c.Forget > 0 {
		fmt.Fprintf(&b, ", %d to forget", c.Forget)
	}
	b.WriteString(".")
	if c.Invoke > 0 {
		fmt.Fprintf(&b, " Actions: %d to invoke.", c.Invoke)
	}
	return b.String()
}

// RelevantDrift is what changed outside and is told to people: all of it when
// refreshing is the point, otherwise what contributes to the plan.
func RelevantDrift(d *plan.Document) []*plan.Change {
	var out []*plan.Change
	relevant := relevantPaths(d)
	for _, c := range d.Drift {
		if d.Mode == plan.RefreshOnly || matters(c, relevant) {
			out = append(out, c)
		}
	}
	return out
}

// relevantPaths are the relevant attributes by object.
func relevantPaths(d *plan.Document) map[addr.AbsInstance][]cty.Path {
	out := make(map[addr.AbsInstance][]cty.Path, len(d.Relevant))
	for _, r := range d.Relevant {
		out[r.Resource] = append(out[r.Resource], r.Path)
	}
	return out
}

func matters(c *plan.Change, relevant map[addr.AbsInstance][]cty.Path) bool {
	paths := relevant[c.Addr]
	if len(paths) == 0 {
		return false
	}
	if c.Action == plan.Delete {
		return true
	}
	before, after := filled(c.Before), filled(c.After)
	k := diff.Resource(blockOf(c.Schema, before, after), before, after, diff.Options{Relevant: paths})
	return k.Action != plan.NoOp
}
