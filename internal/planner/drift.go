package planner

import (
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// settled says that the plan takes what moved and what changed outside as given:
// one that destroys begins with what refreshing found, and what came of it
// before is of no consequence.
func (l *line) settled() bool { return l.Mode == plan.Destroy && !l.SkipRefresh }

// driftOf is what changed about an object since the last run, as a change; nil
// when nothing did.
func (l *line) driftOf(prior Refreshed) *plan.Change {
	if l.settled() {
		return nil
	}
	was, is := prior.was.value, prior.value
	c := l.base(prior)
	stored := prior.was.stored
	c.Before = value.Join(was, stored.Marks(was.Cty(), l.Schema))
	c.After = value.Join(is, prior.marks)
	c.BeforeIdentity, c.AfterIdentity = prior.was.identity, prior.identity
	c.Importing = nil
	switch {
	case is.Cty().IsNull() && was.Cty().IsNull():
		return nil
	case is.Cty().IsNull():
		c.Action, c.After = plan.Delete, cty.NullVal(l.Schema.Block.Type())
	case !is.Cty().RawEquals(was.Cty()):
		c.Action = plan.Update
	case c.Moved() && l.Mode == plan.RefreshOnly:
		c.Action = plan.NoOp
	default:
		return nil
	}
	return c
}
