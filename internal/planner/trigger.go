package planner

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/evaluate"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// triggered says whether replace_triggered_by asks for a replacement.
func (l *line) triggered() bool {
	any := false
	for _, t := range l.Site.Resource.Triggers {
		if t.Site != nil && l.triggeredBy(t) {
			any = true
		}
	}
	return any
}

func (l *line) triggeredBy(t evaluate.Trigger) bool {
	key, one := t.Ref.Key, t.Ref.HasKey
	if t.Ref.SameKey != lang.RefInvalid {
		key, one = l.object.addr.Key, true
	}
	path, found := evaluate.PathOf(t.Ref.Remaining)
	at := l.nodes[t.Site.ID].triggers
	if one {
		a := addr.AbsInstance{Module: l.object.addr.Module, Resource: t.Site.Resource.Addr.Resource, Key: key}
		if !at.known[a] && !l.Uncertain(t.Site, l.object.mi) && !l.Keys(t.Site, l.object.mi).Has(key) {
			l.Fail(missing(a).At(t.Range))
		}
		c := at.byAddr[a]
		return c != nil && l.changes(c, path, found)
	}
	for _, c := range at.byModule[l.object.addr.Module] {
		if l.changes(c, path, found) {
			return true
		}
	}
	return false
}

// missing says that replace_triggered_by names an instance that neither the
// configuration nor the state has.
func missing(a addr.AbsInstance) diag.Diag {
	in := "the root module"
	if !a.Module.IsRoot() {
		in = a.Module.String()
	}
	return diag.Err(fmt.Sprintf("no change found for %s in %s", addr.AbsInstance{Resource: a.Resource, Key: a.Key}, in),
		"replace_triggered_by names an instance that does not exist, so nothing would ever follow from it. Name one that the count or for_each of the resource gives, or the resource as a whole.")
}

// triggers are the changes of a resource that others name in
// replace_triggered_by.
type triggers struct {
	// known are all its instances, changing or not.
	known    map[addr.AbsInstance]bool
	byAddr   map[addr.AbsInstance]*plan.Change
	byModule map[addr.ModuleInstance][]*plan.Change
}

func triggersOf(objects []object, results []result) triggers {
	out := triggers{map[addr.AbsInstance]bool{}, map[addr.AbsInstance]*plan.Change{}, map[addr.ModuleInstance][]*plan.Change{}}
	for i := range objects {
		out.known[objects[i].addr] = true
	}
	for i := range results {
		if c := results[i].change; c != nil && c.Deposed == "" && c.Action != plan.NoOp {
			out.byAddr[c.Addr] = c
			out.byModule[c.Addr.Module] = append(out.byModule[c.Addr.Module], c)
		}
	}
	return out
}

// changes says whether a change touches the value at path. That an object comes, or
// goes where all of it is named, counts only in the dialect that counts it.
func (l *line) changes(c *plan.Change, path cty.Path, narrow bool) bool {
	if c.Action == plan.Create {
		return l.NamesTriggerOnCreate
	}
	if !narrow || len(path) == 0 {
		return l.NamesTriggerOnCreate || c.Action == plan.Update || c.Action.IsReplace()
	}
	if c.Action.IsReplace() && c.After.IsNull() {
		return true
	}
	was, err1 := path.Apply(value.Strip(c.Before).Cty())
	will, err2 := path.Apply(value.Strip(c.After).Cty())
	if err1 != nil || err2 != nil {
		return (err1 == nil) != (err2 == nil)
	}
	return !was.RawEquals(will)
}
