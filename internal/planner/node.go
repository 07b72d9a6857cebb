package planner

import (
	"slices"
	"sync"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// scope is what a site's expressions see in one module instance.
type scope = *lang.Scope

// openResource lists the objects of a declared resource: those that the
// configuration wants, then those that only the state has.
func (w *walk) openResource(s *evaluate.Site) int {
	n := &w.nodes[s.ID]
	if w.Mode != plan.Destroy && !w.Expand(s) {
		n.failed = true
		return 0
	}
	filter := w.filtered(s.Resource.Addr)
	n.pending = w.pending(s)
	n.deps = sync.OnceValue(func() []addr.ConfigResource { return w.Closure(s) })
	n.scopes = make([]scope, len(w.Instances(s.Module)))
	for mi := range n.scopes {
		n.scopes[mi] = w.Scope(s, mi)
		if w.Mode == plan.Destroy {
			continue
		}
		keys := w.Keys(s, mi)
		n.objects = slices.Grow(n.objects, keys.Len())
		for key := range keys.All() {
			a := w.InstanceAddr(s, mi, key)
			if w.selected(a, filter) {
				n.objects = append(n.objects, w.wanted(s, n, mi, a))
			}
		}
	}
	if n.failed {
		n.objects = nil
		return 0
	}
	if !w.awaited(s, n, filter) {
		n.failed, n.objects = true, nil
		return 0
	}
	if !w.spared(s.Resource.Addr) {
		n.objects = append(n.objects, w.unwanted(s, filter)...)
	}
	n.results = make([]result, len(n.objects))
	return len(n.objects)
}

// wanted is an object that the configuration has, with the provider
// configuration that it is to have.
func (w *walk) wanted(s *evaluate.Site, n *nodeState, mi int, a addr.AbsInstance) object {
	o := object{addr: a, mi: mi, wanted: true, waits: w.why(s, n, mi, a)}
	at, diags := w.ProviderOf(s, mi, func() scope { return evaluate.ObjectScope(n.scopes[mi], w.Keys(s, mi), a.Key) })
	o.config = at
	if w.Deferral && len(diags) == 1 && diags[0].Unknown {
		o.unserved = true
		if o.waits == plan.NotDeferred {
			o.waits = plan.DeferProviderConfigUnknown
		}
		return o
	}
	w.Report(diags)
	n.failed = n.failed || diags.HasErrors()
	return o
}

// awaited says whether everything that is to be imported for a resource has an
// instance to be imported as.
func (w *walk) awaited(s *evaluate.Site, n *nodeState, filter bool) bool {
	if w.Mode != plan.Normal {
		return true
	}
	named := w.ImportsFor(s.Resource.Addr)
	if len(named) == 0 {
		return true
	}
	wanted := make(map[addr.AbsInstance]bool, len(n.objects))
	for i := range n.objects {
		wanted[n.objects[i].addr] = true
	}
	ok := true
	for _, i := range named {
		if mi, ok := w.Covering(s.Module, i.Addr.Module); ok && w.Uncertain(s, mi) {
			continue // whether there is one is seen in a later run
		}
		if !wanted[i.Addr] && w.selected(i.Addr, filter) {
			w.Report(diag.List{w.NoTarget(i)})
			ok = false
		}
	}
	return ok
}

// unwanted are the objects of a declared resource that the configuration does
// not have: orphaned instances and deposed objects.
func (w *walk) unwanted(s *evaluate.Site, filter bool) []object {
	var out []object
	for _, r := range w.byConfig[s.Resource.Addr] {
		mi, live := w.covering(s, r.Addr().Module)
		uncertain := live && w.Mode != plan.Destroy && w.Uncertain(s, mi)
		for inst := range r.Instances() {
			a := r.Addr().Instance(inst.Key())
			if !w.selected(a, filter) {
				continue
			}
			exact := live && w.Mode != plan.Destroy && w.Instances(s.Module)[mi].Addr == a.Module
			wanted := exact && w.Keys(s, mi).Has(inst.Key())
			if uncertain {
				w.nodes[s.ID].leave(w.stored(s, a, inst, wanted, plan.NoReason), w)
				continue
			}
			reason := plan.NoReason
			if !wanted && w.Mode != plan.Destroy {
				reason = w.orphanReason(s, live, inst.Key())
			}
			objects := w.stored(s, a, inst, wanted, reason)
			if w.neededOnly(s.Resource.Addr) {
				objects = slices.DeleteFunc(objects, func(o object) bool { return o.deposed != "" })
			}
			for i := range objects {
				if live {
					objects[i].mi = mi
				}
			}
			w.detain(s, objects)
			out = append(out, objects...)
		}
	}
	return out
}

// covering finds the instance of a resource's module that an address belongs
// to. Destroying goes by what is there.
func (w *walk) covering(s *evaluate.Site, a addr.ModuleInstance) (int, bool) {
	if w.Mode == plan.Destroy {
		return w.Index(s.Module, a)
	}
	return w.Covering(s.Module, a)
}

// stored are the objects of one instance of a declared resource that are not wanted as
// they are. What had a type of another provider before it moved is converted by the
// provider that the declaration names: the one in the state knows nothing of its type.
func (w *walk) stored(s *evaluate.Site, a addr.AbsInstance, inst *state.Instance, wanted bool, reason plan.Reason) []object {
	out := stateObjects(a, inst, wanted, reason)
	from, moved := w.Moved[a]
	at := s.Resource.Provider.Provider.Addr
	if !moved || from.Resource.Type == a.Resource.Type || at.Provider == inst.Provider().Provider || s.Resource.Selection != nil {
		return out
	}
	for i := range out {
		out[i].config = at
	}
	return out
}

// stateObjects are the objects of one instance in the state that are not
// wanted as they are.
func stateObjects(a addr.AbsInstance, inst *state.Instance, wanted bool, reason plan.Reason) []object {
	var out []object
	for key := range inst.Objects() {
		if key == "" && wanted {
			continue
		}
		o := object{addr: a, deposed: key, mi: -1, config: inst.Provider()}
		if key == "" {
			o.reason = reason
		}
		out = append(out, o)
	}
	return out
}

// orphanReason says why an instance of a declared resource is not wanted.
func (w *walk) orphanReason(s *evaluate.Site, live bool, key addr.InstanceKey) plan.Reason {
	if !live {
		return plan.DeleteNoModule
	}
	_, isInt := key.Int()
	_, isStr := key.Str()
	d := s.Resource
	switch {
	case d.Enabled != nil:
		return plan.DeleteEnabledFalse
	case d.Count != nil && isInt:
		return plan.DeleteCountIndex
	case d.ForEach != nil && isStr:
		return plan.DeleteEachKey
	}
	return plan.DeleteWrongRepetition
}

// leftoverObjects are all objects of a resource that is not declared.
func (w *walk) leftoverObjects(l *leftover) []object {
	var out []object
	if w.spared(l.addr) {
		return nil
	}
	filter := w.filtered(l.addr)
	for _, r := range l.resources {
		reason := plan.DeleteNoResourceConfig
		if w.Mode == plan.Destroy {
			reason = plan.NoReason
		}
		for inst := range r.Instances() {
			a := r.Addr().Instance(inst.Key())
			if _, moved := w.Moved[a]; moved && reason == plan.DeleteNoResourceConfig {
				out = append(out, w.selectedObjects(a, inst, plan.DeleteNoMoveTarget, filter)...)
				continue
			}
			out = append(out, w.selectedObjects(a, inst, reason, filter)...)
		}
	}
	return out
}

func (w *walk) selectedObjects(a addr.AbsInstance, inst *state.Instance, reason plan.Reason, filter bool) []object {
	if !w.selected(a, filter) {
		return nil
	}
	objects := stateObjects(a, inst, false, reason)
	w.detain(nil, objects)
	return objects
}

// detain lets objects that end wait with their resource, and with their provider:
// there will be nobody to ask in this round.
func (w *walk) detain(s *evaluate.Site, objects []object) {
	for i := range objects {
		p, _ := w.Using(s, objects[i].config)
		if s != nil && w.nodes[s.ID].awaits || p != nil && w.nodes[p.ID].late() {
			objects[i].waits = plan.DeferPrereq
		}
	}
}

// aggregate writes the slot of a resource: per module instance the value of
// all its instances together, built once.
func (w *walk) aggregate(s *evaluate.Site, n *nodeState) {
	values, gone := map[addr.AbsInstance]value.V{}, map[addr.AbsInstance]bool{}
	for i := range n.objects {
		o := &n.objects[i]
		if o.deposed == "" && (o.wanted || w.Mode != plan.Normal) {
			values[o.addr], gone[o.addr] = n.results[i].value, n.results[i].stored == nil
		}
	}
	out := make([]value.V, len(w.Instances(s.Module)))
	for mi := range out {
		if w.Mode == plan.Destroy {
			out[mi] = w.fromState(s, mi, values)
			continue
		}
		keys := w.Keys(s, mi)
		if keys.IsUnknown() {
			out[mi] = cty.DynamicVal
			continue
		}
		if w.Mode == plan.RefreshOnly {
			keys = w.Remaining(s, mi, w.PrevRun, func(a addr.AbsInstance) bool { return w.PrevRun.Instance(a).Current() != nil && !gone[a] })
		}
		out[mi] = keys.Aggregate(func(key addr.InstanceKey) cty.Value {
			a := w.InstanceAddr(s, mi, key)
			if v, ok := values[a]; ok && v != cty.NilVal {
				return v
			}
			return w.storedValue(s, a)
		})
	}
	w.Put(s, out)
}

// storedValue is the value of an instance as the state has it, unknown when it
// is not there.
func (w *walk) storedValue(s *evaluate.Site, a addr.AbsInstance) value.V {
	o := w.PrevRun.Object(addr.Object{Instance: a})
	if o == nil || s.Resource.Schema == nil || o.SchemaVersion != s.Resource.Schema.Version || o.Attrs == nil {
		return cty.DynamicVal
	}
	v, err := o.Value(s.Resource.Schema)
	if err != nil {
		return cty.DynamicVal
	}
	return value.Join(v, o.Marks(v.Cty(), s.Resource.Schema))
}

// fromState is the value of a resource while destroying: what the state has.
func (w *walk) fromState(s *evaluate.Site, mi int, values map[addr.AbsInstance]value.V) value.V {
	at := addr.AbsResource{Module: w.Instances(s.Module)[mi].Addr, Resource: s.Resource.Addr.Resource}
	get := func(key addr.InstanceKey) value.V {
		if v, ok := values[at.Instance(key)]; ok && v != cty.NilVal {
			return v
		}
		return w.storedValue(s, at.Instance(key))
	}
	r := w.PrevRun.Resource(at)
	switch {
	case s.Resource.Count != nil:
		var elems []cty.Value
		if r != nil {
			for inst := range r.Instances() {
				if _, ok := inst.Key().Int(); ok {
					elems = append(elems, get(inst.Key()))
				}
			}
		}
		return cty.TupleVal(elems)
	case s.Resource.ForEach != nil:
		attrs := map[string]cty.Value{}
		if r != nil {
			for inst := range r.Instances() {
				if k, ok := inst.Key().Str(); ok {
					attrs[k] = get(inst.Key())
				}
			}
		}
		return cty.ObjectVal(attrs)
	}
	return get(addr.NoKey)
}
