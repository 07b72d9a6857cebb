package applier

import (
	"context"
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/action"
	"github.com/plumb-iac/plumb/internal/converse"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
)

// op carries out one leg of one change.
type op struct {
	*walk
	converse.Talk
	ctx    context.Context
	change *plan.Change
	// target is the object that the leg works on, kind what people see done to it.
	target addr.Object
	kind   event.Op
	scope  *lang.Scope
	deps   []addr.ConfigResource
	// before is what the leg starts from: null for a creation.
	before value.Bare
	// ending is the stored object that ends.
	ending *state.Object
	// endPlan is the provider's private data for the end, nil where it gave none.
	endPlan []byte
	// config, marks and final are what Desired and FinalPlan gave.
	config value.Bare
	marks  value.Marks
	final  provider.PlanResponse
	// out is what the object is worth to its dependants: as planned, until it is
	// known what became of it. asked says that the provider was asked to make it,
	// applied that what came of that is in the state.
	out            value.V
	asked, applied bool
	// announced says that people were told of a beginning and wait for the end.
	announced bool
	// late says that a stop was asked for before the operation began.
	late bool
	// vanished says that a creation was attempted and left nothing.
	vanished bool
}

// steps carry out one operation each. One that is false ends the leg; whether
// that is a failure, the diagnostics say.
var steps = [action.Kinds]func(*op) bool{
	action.Preconditions:    func(o *op) bool { return o.Preconditions(o.scope) },
	action.Postconditions:   (*op).postconditions,
	action.Prior:            (*op).takePrior,
	action.Desired:          (*op).desire,
	action.FinalPlan:        (*op).planAgain,
	action.EndPlan:          (*op).planEnd,
	action.Depose:           (*op).depose,
	action.Announce:         (*op).announce,
	action.Conclude:         (*op).conclude,
	action.ActBefore:        (*op).actBefore,
	action.ActAfter:         (*op).actAfter,
	action.Drop:             (*op).drop,
	action.Apply:            (*op).apply,
	action.Destroy:          (*op).destroy,
	action.ProvisionCreate:  (*op).provision,
	action.ProvisionDestroy: (*op).provisionDestroy,
	action.LocalUpdate:      (*op).local,
	action.ReadData:         (*op).readData,
}

// operations is the template of a change.
func operations(c *plan.Change) action.Template {
	if c.Deposed != "" {
		return action.Operations(c.Action, action.Deposed)
	}
	return action.Operations(c.Action, action.Current)
}

// carryOut runs the operations of a leg in order, until one of them ends it. A crash
// ends it like any other failure, so that nothing follows that counts on it.
func (o *op) carryOut(leg []action.Kind) {
	defer func() {
		if p := recover(); p != nil {
			o.Fail(evaluate.Crash(o.target.String(), p))
			o.abandon()
		}
	}()
	for i := 0; i < len(leg); i++ {
		if !steps[leg[i]](o) {
			o.abandon()
			return
		}
		if leg[i] == action.FinalPlan && o.needless() {
			leg = action.Operations(plan.Update, o.remarked()).Make
		}
	}
}

// abandon tidies up after a leg that did not reach its end. One that crashed while the
// provider made an object leaves open what came of it.
func (o *op) abandon() {
	if o.kind != event.Delete && !o.applied {
		o.undepose()
		if o.asked {
			o.leaveOpen() // taking the old object back has settled it
		}
	}
	if o.announced {
		o.End(o.kind, o.seen(), false)
	}
}

// done says that a leg did all that was to be done.
func (o *op) done() bool { return o.OK() && !o.late }

// seen is the object as the end of its operation shows it.
func (o *op) seen() value.Bare {
	if o.applied {
		return value.Strip(o.out)
	}
	return o.before
}

// postconditions are asked of what went well.
func (o *op) postconditions() bool {
	if o.OK() {
		o.Postconditions(o.scope, o.out)
	}
	return o.OK()
}

// announce begins the operation, unless a stop was asked for while it was prepared.
func (o *op) announce() bool {
	if o.late = o.Halted(); o.late {
		return false
	}
	o.About = o.target
	o.Begin(o.kind, o.before)
	o.announced = true
	return true
}

func (o *op) conclude() bool {
	o.announced = false
	o.End(o.kind, o.seen(), true)
	return true
}

func (o *op) actBefore() bool {
	if o.kind == event.Delete {
		return o.act(moment{event: "before_destroy", self: o.change.Before, planned: true})
	}
	return o.act(moment{event: "before_" + o.kind.String(), self: value.Join(o.before, o.stored().Marks(o.before.Cty(), o.Schema))})
}

// actAfter runs the actions behind an operation. Those of an end run as they were
// planned: what they read may have ended, too.
func (o *op) actAfter() bool {
	if o.kind == event.Delete {
		return o.act(moment{event: "after_destroy", self: o.change.Before, planned: true})
	}
	return o.act(moment{event: "after_" + o.kind.String(), self: o.out})
}

// drop takes an object out of the state and leaves it alone otherwise.
func (o *op) drop() bool {
	if o.Ledger.Current().Object(o.target) != nil {
		o.commit(state.Drop{Object: o.target})
	}
	return o.OK()
}

// start prepares a leg of a change.
func (w *walk) start(ctx context.Context, s *evaluate.Site, c *plan.Change, target addr.Object) *op {
	o := &op{walk: w, ctx: ctx, change: c, target: target, out: c.After, Talk: converse.With(w.Run, w.Emit, s, c.Object(), c.Provider.Provider)}
	o.Schema, o.Diags = w.schemaOf(s, c)
	o.Client = w.client(s, c)
	if o.Schema == nil && o.OK() {
		o.Fail(diag.Err("no schema available for "+c.Addr.String(), "The provider has no such type any more."))
	}
	if o.Client == nil && o.OK() {
		o.Fail(w.Unserved(c.Addr, c.Provider))
	}
	return o
}

// makeObject carries out the make leg of a change.
func (w *walk) makeObject(ctx context.Context, s *evaluate.Site, n *nodeState, c *plan.Change) result {
	if l := w.firstLeg(c); l.failed {
		return result{failed: true}
	}
	o := w.start(ctx, s, c, c.Object())
	o.deps = n.deps
	if o.OK() && o.enter(n) {
		if c.Addr.Resource.Mode == addr.Managed {
			o.from(c)
		}
		o.carryOut(operations(c).Make)
	}
	w.Report(o.Diags)
	r := result{value: o.out, failed: !o.done()}
	if !o.OK() {
		o.husk()
	}
	if r.failed && c.Action.IsReplace() {
		w.remember(c, leg{failed: true, deposed: w.firstLeg(c).deposed})
	}
	return r
}

// from says what a managed object is made from: nothing, or the one that is
// updated.
func (o *op) from(c *plan.Change) {
	o.before, o.kind = value.Strip(c.Before), event.Update
	if c.Action.IsReplace() {
		o.before = value.Null(o.Schema.Block.Type())
	}
	if o.before.Cty().IsNull() {
		o.kind = event.Create
	}
}

// nested says whether a data source stands in a check block.
func nested(s *evaluate.Site) bool { return s.Resource.Config.Check != "" }

// enter finds the scope of the change's module instance.
func (o *op) enter(n *nodeState) bool {
	if mi, ok := o.Index(o.Site.Module, o.change.Addr.Module); ok {
		if keys := o.Keys(o.Site, mi); keys.Has(o.change.Addr.Key) {
			o.scope = evaluate.ObjectScope(n.scopes[mi], keys, o.change.Addr.Key)
			return true
		}
	}
	o.Fail(diag.Err("Configuration changed between plan and apply",
		fmt.Sprintf("The plan has %s, but now that all values are known the configuration does not have it. Make a new plan.", o.change.Addr)))
	return false
}

// endObject carries out the end leg of a change. It says whether it went well.
func (w *walk) endObject(ctx context.Context, s *evaluate.Site, c *plan.Change) bool {
	l, ops := w.firstLeg(c), operations(c)
	target := c.Object()
	if ops.CreateFirst() {
		if l.failed || l.deposed == "" {
			return !l.failed
		}
		target.Deposed = l.deposed
	}
	if c.Deposed != "" && s != nil && s.Resource.CreateFirst && l.failed {
		return true // its successor could not be made; it stays until it can
	}
	o := w.start(ctx, s, c, target)
	o.kind = event.Delete
	if c.Action.Forgets() {
		o.Diags = nil // forgetting needs no provider
	} else {
		o.before = value.Strip(c.Before)
	}
	if o.OK() {
		o.carryOut(ops.End)
	}
	w.Report(o.Diags)
	if !o.done() && c.Action == plan.DeleteThenCreate {
		w.remember(c, leg{failed: true})
	}
	return o.done()
}

func (w *walk) firstLeg(c *plan.Change) leg {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.legs[c.Addr]
}

func (w *walk) remember(c *plan.Change, l leg) {
	w.mu.Lock()
	w.legs[c.Addr] = l
	w.mu.Unlock()
}
