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
	if o == nil || l.site == nil {
		return cty.NilVal
	}
	return l.storedValue(l.site, l.object.addr)
}

// data plans a data source: it is read now when that can be done.
func (l *line) data() result {
	before := l.PrevRun.Object(addr.Object{Instance: l.object.addr})
	r := result{stored: before, value: cty.UnknownVal(l.schema.Block.Type())}
	nested := l.site.Resource.Config.Check != ""
	if !l.preconditions() {
		return r
	}
	v, diags := l.site.Resource.Body.Eval(l.scope)
	l.diags = l.diags.With(diags)
	if !l.ok() {
		return l.softened(r, nested)
	}
	bare, marks := value.Split(v)
	l.note(l.client.ValidateData(l.ctx, l.object.addr.Resource.Type, bare))
	if !l.ok() {
		return l.softened(r, nested)
	}
	d := Desired{bare, sensitive(marks)}
	if reason := l.readLater(d); reason != plan.NoReason {
		return l.later(r, d, reason)
	}
	return l.softened(l.readNow(r, d), nested)
}

// readLater says why a data source has to wait for the apply.
func (l *line) readLater(d Desired) plan.Reason {
	_, reason := action.DecideData(action.DataFacts{ConfigUnknown: !d.value.Cty().IsWhollyKnown(), Pending: l.nodes[l.site.ID].pending})
	return reason
}

// pending says whether a resource that depends_on leads to is going to change.
func (w *walk) pending(s *evaluate.Site) bool {
	for _, s := range s.Resource.DependsOn {
		for _, id := range w.Reached(s) {
			for i := range w.nodes[id].results {
				c := w.nodes[id].results[i].change
				if c != nil && c.Action != plan.NoOp && c.Addr.Resource.Mode == addr.Managed {
					return true
				}
			}
		}
	}
	return false
}

// later plans to read a data source during apply.
func (l *line) later(r result, d Desired, reason plan.Reason) result {
	planned := value.MustBare(contract.DataUnknown(l.schema.Block, d.value.Cty()))
	marks := d.marks.Plus(state.SensitiveMarks(l.schema.Block.SensitivePaths(planned.Cty())))
	c := l.base(Refreshed{value: value.Null(l.schema.Block.Type())})
	c.Action, c.Reason, c.After = plan.Read, reason, value.Join(planned, marks)
	if l.Mode != plan.RefreshOnly {
		r.change = c
	}
	r.value = c.After
	r.stored, r.touched = nil, r.stored != nil
	l.postconditions(c.After)
	return r
}

// readNow reads a data source while planning.
func (l *line) readNow(r result, d Desired) result {
	l.begin(event.ReadData, value.Bare{})
	res, diags := l.client.ReadData(l.ctx, provider.ReadDataRequest{TypeName: l.object.addr.Resource.Type, Config: d.value})
	l.note(diags)
	if l.ok() {
		l.judge(contract.Data, contract.Facts{Config: d.value.Cty(), Answer: res.State.Cty(), Deferred: res.Deferred != nil, Hidden: hidden(d.marks)})
	}
	l.end(event.ReadData, res.State, l.ok())
	if !l.ok() {
		return r
	}
	marks := d.marks.Plus(state.SensitiveMarks(l.schema.Block.SensitivePaths(res.State.Cty())))
	r.value = value.Join(res.State, marks)
	o, err := state.Object{}.WithValue(r.value, l.schema)
	if err != nil {
		l.fail(diag.Err("Failed to encode object", err.Error()))
		return r
	}
	r.stored, r.touched = o, true
	l.postconditions(r.value)
	return r
}

// softened turns the errors of a data source inside a check into warnings.
func (l *line) softened(r result, nested bool) result {
	if !nested {
		return r
	}
	for i := range l.diags {
		l.diags[i].Severity = diag.Warning
	}
	return r
}

// begin and end tell the observers of a call about the object.
func (l *line) begin(op event.Op, v value.Bare) {
	key, id := evaluate.Identify(v)
	l.Emit(event.Begun{Object: l.emitted(), Op: op, IDKey: key, IDValue: id})
}

func (l *line) end(op event.Op, v value.Bare, ok bool) {
	key, id := evaluate.Identify(v)
	if ok {
		l.Emit(event.Ended{Object: l.emitted(), Op: op, IDKey: key, IDValue: id})
		return
	}
	l.Emit(event.Failed{Object: l.emitted(), Op: op, IDKey: key, IDValue: id})
}

func (l *line) emitted() addr.Object {
	return addr.Object{Instance: l.object.addr, Deposed: l.object.deposed}
}
