package planner

import (
	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/event"
	"github.com/plumb-iac/plumb/internal/action"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// dropData forgets a data source's result that is not wanted any more. It is no
// change: there is no remote object to lose.
func (l *line) dropData() result {
	stored := l.PrevRun.Object(addr.Object{Instance: l.object.addr})
	if l.Mode == plan.Destroy {
		return result{stored: nil, touched: stored != nil, value: l.storedDataValue(stored)}
	}
	return result{stored: nil, touched: stored != nil}
}

func (l *line) storedDataValue(o *state.Object) value.V {
	if o == nil || l.Site == nil {
		return cty.NilVal
	}
	return l.storedValue(l.Site, l.object.addr)
}

// data plans a data source: it is read now when that can be done.
func (l *line) data() result {
	before := l.PrevRun.Object(addr.Object{Instance: l.object.addr})
	r := result{stored: before, value: cty.UnknownVal(l.Schema.Block.Type())}
	if !l.Preconditions(l.scope) {
		return r
	}
	if d, ok := l.dataConfig(); ok {
		if r = l.dataRead(r, d); l.nested() {
			l.Diags = l.Broken(l.Site, l.object.addr.Module, l.Diags)
		}
	}
	l.putOff(&r, Refreshed{})
	return r
}

// nested says whether the data source stands in a check block. What its provider
// complains of is the check's failure, and it is read again when everything is done.
func (l *line) nested() bool { return l.Site.Resource.Config.Check != "" }

// dataConfig evaluates the arguments of a data source.
func (l *line) dataConfig() (Desired, bool) {
	v, diags := l.Site.Resource.Body.Eval(l.scope)
	l.Diags = l.Diags.With(diags)
	if !l.OK() {
		return Desired{}, false
	}
	bare, marks := value.Split(v)
	for _, d := range l.Site.Resource.Persistent(marks) {
		l.Fail(d)
	}
	return Desired{bare, sensitive(marks)}, l.OK()
}

// dataRead reads a data source now, or plans to read it.
func (l *line) dataRead(r result, d Desired) result {
	l.Note(l.Client.ValidateData(l.ctx, l.object.addr.Resource.Type, d.value))
	if !l.OK() {
		return r
	}
	l.traceData(d)
	if l.waits != plan.NotDeferred {
		return l.nextRound(r, d)
	}
	reason := l.readLater(d)
	if reason != plan.NoReason && reason != plan.ReadCheckNested {
		return l.later(r, d, reason)
	}
	if r = l.readNow(r, d); l.waits != plan.NotDeferred {
		return l.nextRound(r, d)
	}
	if reason == plan.ReadCheckNested {
		r.change = l.readAgain(r, d, reason)
	}
	return r
}

// readAgain plans to read a data source of a check block during apply.
func (l *line) readAgain(r result, d Desired, why plan.Reason) *plan.Change {
	c := l.reading(d, why)
	if l.OK() {
		c.After = r.value
	}
	return c
}

// readLater says why a data source is read during apply.
func (l *line) readLater(d Desired) plan.Reason {
	_, reason := action.DecideData(action.DataFacts{
		ConfigUnknown: !d.value.Cty().IsWhollyKnown(),
		Pending:       l.nodes[l.Site.ID].pending.covers(l.object.addr.Module),
		InCheck:       l.nested() && l.Mode == plan.Normal,
	})
	return reason
}

// reading is the change of a data source that is read during apply.
func (l *line) reading(d Desired, reason plan.Reason) *plan.Change {
	planned := value.MustBare(contract.DataUnknown(l.Schema.Block, d.value.Cty()))
	marks := d.marks.Plus(state.SensitiveMarks(l.Schema.Block.SensitivePaths(planned.Cty())))
	c := l.base(Refreshed{value: value.Null(l.Schema.Block.Type())})
	c.Action, c.Reason, c.After = plan.Read, reason, value.Join(planned, marks)
	l.traceLater(c)
	return c
}

// pending says where something that depends_on leads to is going to change.
type pending struct {
	// everywhere says that it may be meant by every instance of the module.
	everywhere bool
	// in are the instances of the module that have it beside them.
	in map[addr.ModuleInstance]bool
}

func (p pending) covers(m addr.ModuleInstance) bool { return p.everywhere || p.in[m] }

func (p pending) anywhere() bool { return p.everywhere || len(p.in) > 0 }

// pending says where a resource that depends_on of the site leads to is going to
// change.
func (w *walk) pending(s *evaluate.Site) pending {
	p := pending{in: map[addr.ModuleInstance]bool{}}
	for _, d := range s.Resource.DependsOn {
		for _, id := range w.dependedOn(d) {
			n := &w.nodes[id]
			switch {
			case p.everywhere:
				return p
			case !beside(s, d):
				p.everywhere = n.changes()
			default:
				for i := range n.results {
					if r := &n.results[i]; r.changes() {
						p.in[r.change.Addr.Module] = true
					}
				}
			}
		}
	}
	return p
}

// beside says whether d is a managed resource of the module that the site is in: each
// instance of the module has its own, and the site's objects mean the one beside
// them.
func beside(s, d *evaluate.Site) bool {
	return d.Kind == evaluate.Resource && d.Resource.Addr.Resource.Mode == addr.Managed && d.Module == s.Module
}

// dependedOn are the sites that an entry of depends_on means: a managed resource
// speaks for itself; anything else for what it needs.
func (w *walk) dependedOn(s *evaluate.Site) []int {
	if s.Kind == evaluate.Resource && s.Resource.Addr.Resource.Mode == addr.Managed {
		return []int{s.ID}
	}
	return w.Reached(s)
}

// changes says whether a managed object of the node is going to change.
func (n *nodeState) changes() bool {
	for i := range n.results {
		if n.results[i].changes() {
			return true
		}
	}
	return false
}

// changes says whether the result is of a managed object that is going to change.
// What was put aside is not read any more, so its end changes nothing.
func (r *result) changes() bool {
	return r.change != nil && r.change.Action != plan.NoOp && r.change.Deposed == "" && r.change.Addr.Resource.Mode == addr.Managed
}

// nextRound plans to read a data source in a later run. What the state has of
// it stays until then.
func (l *line) nextRound(r result, d Desired) result {
	c := l.reading(d, l.readLater(d))
	if l.Mode != plan.RefreshOnly {
		r.change = c
	}
	r.value = c.After
	return r
}

// later plans to read a data source during apply.
func (l *line) later(r result, d Desired, reason plan.Reason) result {
	c := l.reading(d, reason)
	if l.Mode != plan.RefreshOnly {
		r.change = c
	}
	r.value = c.After
	r.stored, r.touched = nil, r.stored != nil
	l.Postconditions(l.scope, c.After)
	return r
}

// readNow reads a data source while planning.
func (l *line) readNow(r result, d Desired) result {
	l.Begin(event.ReadData, value.Bare{})
	res, diags := l.Client.ReadData(l.ctx, provider.ReadDataRequest{TypeName: l.object.addr.Resource.Type, Meta: l.Meta(), Object: l.object.addr, Config: d.value, DeferralAllowed: l.Deferral})
	l.Note(diags)
	if l.OK() {
		l.Judge(contract.Data, contract.Facts{Config: d.value.Cty(), Answer: res.State.Cty(), Deferred: res.Deferred != nil, DeferralOffered: l.Deferral, Hidden: d.marks.Paths(value.Sensitive)})
	}
	l.End(event.ReadData, res.State, l.OK())
	if !l.OK() && l.nested() {
		return l.unanswered(r, d)
	}
	if !l.OK() || l.deferred(res.Deferred) {
		return r
	}
	if r.value = l.found(res.State, d); !l.record(&r, r.value) {
		return r
	}
	l.traceRead(res.State)
	l.Postconditions(l.scope, r.value)
	return r
}

// found is what a data source is worth, with the marks of its configuration and
// schema.
func (l *line) found(v value.Bare, d Desired) value.V {
	return value.Join(v, d.marks.Plus(state.SensitiveMarks(l.Schema.Block.SensitivePaths(v.Cty()))))
}

// record stores a value of a data source.
func (l *line) record(r *result, v value.V) bool {
	o, err := state.Object{}.WithValue(v, l.Schema)
	if err != nil {
		l.Fail(diag.Err("Failed to encode object", err.Error()))
		return false
	}
	r.stored, r.touched = o, true
	return true
}

// unanswered stores what was asked of a data source of a check block that could
// not be read, as both incumbents do: the failure of the check is about it.
func (l *line) unanswered(r result, d Desired) result {
	asked := value.MustBare(cty.UnknownAsNull(contract.DataUnknown(l.Schema.Block, d.value.Cty())))
	l.record(&r, l.found(asked, d))
	return r
}
