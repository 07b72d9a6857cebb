package applier

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
)

// selectNodes activates what the changes, the outputs and the checks need.
func (w *walk) selectNodes() {
	n := len(w.Sites())
	w.active = make([]bool, len(w.nodes))
	w.read = make([]bool, n)
	checked := w.checked()
	for _, s := range w.Sites() {
		for _, id := range s.Reads {
			w.read[id] = true
		}
		if w.starts(s, checked) {
			w.take(s.ID)
		}
	}
	for i, e := range w.ends {
		w.active[n+i] = true
		for _, c := range e.changes {
			if p := w.providerSite(e.site, c); p != nil {
				w.take(p.ID)
			}
			for _, p := range w.endActions(c) {
				w.take(p.ID)
			}
		}
	}
}

// starts says whether a site is worked on for its own sake; checked are those of which
// the plan evaluated conditions.
func (w *walk) starts(s *evaluate.Site, checked map[string]bool) bool {
	destroying := w.Plan.Mode == plan.Destroy
	if s.Kind == evaluate.Resource && w.acts(s) {
		return true // what waits are others of its objects
	}
	if w.waiting[s.ID] {
		return false
	}
	switch s.Kind {
	case evaluate.Resource:
		return s.Resource.HasConditions() && (len(w.makes[s.ID]) > 0 || w.whole() && !destroying)
	case evaluate.Output:
		if s.Module.Parent == nil {
			return !destroying && w.planned(s)
		}
		return len(s.Output.Preconditions) > 0 && !destroying && w.whole()
	case evaluate.Check, evaluate.Variable:
		return !destroying && (w.whole() || checked[s.Addr()])
	case evaluate.Question:
		return !destroying
	case evaluate.Action:
		return len(w.invoked[s.ID]) > 0
	}
	return false
}

// planned says whether the plan evaluated a root output.
func (w *walk) planned(s *evaluate.Site) bool {
	if w.whole() {
		return true
	}
	for _, o := range w.Plan.Outputs {
		if o.Name == s.Output.Config.Name {
			return true
		}
	}
	return false
}

// checked are the declarations of which the plan evaluated conditions: what it found
// does not get lost when a part is applied.
func (w *walk) checked() map[string]bool {
	out := make(map[string]bool, len(w.Plan.Checks))
	for _, c := range w.Plan.Checks {
		out[c.ConfigAddr] = len(c.Objects) > 0
	}
	return out
}

func (w *walk) take(id int) {
	stack := []int{id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !w.active[id] {
			w.active[id] = true
			stack = append(stack, w.Sites()[id].Reads...)
		}
	}
}

// waiting are the sites that the plan leaves to a later run: of what it defers
// beside destruction, and what reads that.
func waiting(run *evaluate.Run, doc *plan.Document) []bool {
	deferred := map[addr.ConfigResource]bool{}
	for _, d := range doc.Deferred {
		if a := d.Change.Action; a != plan.Delete && a != plan.Forget && doc.Mode != plan.Destroy {
			deferred[d.Change.Addr.Config()] = true
		}
	}
	return run.Awaiting(func(s *evaluate.Site) bool { return s.Kind == evaluate.Resource && deferred[s.Resource.Addr] })
}

// whole says whether the plan is about everything, though some of it may wait.
func (w *walk) whole() bool { return len(w.Plan.Targets)+len(w.Plan.Excludes) == 0 }
