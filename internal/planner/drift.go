package planner

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
)

// settled says that the plan takes what moved and what changed outside as given:
// one that destroys begins with what refreshing found, and what came of it
// before is of no consequence.
func (l *line) settled() bool { return l.Mode == plan.Destroy && !l.SkipRefresh }

// driftOf is what changed about an object since the last run, as a change; nil
// when nothing did. Of what was put aside nothing is told: it is to go.
func (l *line) driftOf(prior Refreshed) *plan.Change {
	if l.settled() || l.object.deposed != "" {
		return nil
	}
	did, drifted := l.drifted(prior)
	if !drifted {
		return nil
	}
	was, is := prior.was.value, prior.value
	c := l.base(prior)
	c.Action, c.Importing = did, nil
	c.Before = value.Join(was, prior.was.stored.Marks(was.Cty(), l.Schema))
	c.BeforeIdentity, c.AfterIdentity = prior.was.identity, prior.identity
	if did != plan.Delete {
		c.After = value.Join(is, prior.marks)
	}
	return c
}

// drifted says what has become of an object since the last run, if that is worth
// telling.
func (l *line) drifted(prior Refreshed) (plan.Action, bool) {
	_, moved := l.Moved[l.object.addr]
	switch {
	case prior.value.Cty().IsNull():
		return plan.Delete, prior.changed
	case prior.changed:
		return plan.Update, true
	}
	return plan.NoOp, moved && l.Mode == plan.RefreshOnly
}
