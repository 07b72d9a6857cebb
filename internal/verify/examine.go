package verify

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// recipes are how the first configurations are made: how likely an optional
// argument is set, and which of its plausible values it gets (negative for any).
// As few as possible first, then all of them twice with other values, so that
// the change from one to the other touches everything.
var recipes = []struct {
	density float64
	nth     int
}{{0, -1}, {1, 0}, {1, 1}, {0.5, -1}, {0.3, -1}, {0.7, -1}}

// examine makes configurations of a subject and tries them.
func (x *examination) examine(s subject) {
	sum := Subject{Kind: s.kind, Name: s.name}
	x.losses = 0
	if s.kind == "function" {
		x.function(s, &sum)
	} else {
		x.declared(s, &sum)
	}
	x.report.Subjects = append(x.report.Subjects, sum)
}

// declared examines what is declared with a block: it finds configurations that
// are accepted, and tries the cases that they give.
func (x *examination) declared(s subject, sum *Subject) {
	fixed, diags := x.fixed(s.name, s.schema.Block)
	if x.report.Diags = x.report.Diags.With(diags); diags.HasErrors() {
		return
	}
	random := x.random(s.kind + s.name)
	var accepted []cty.Value
	for i := range x.Tries {
		if x.impatient() {
			break
		}
		sum.Made++
		r := recipes[i%len(recipes)]
		v, diags := x.accepted(s, maker{random, r.density, r.nth, fixed}.object(s.schema.Block), fixed)
		if diags.HasErrors() {
			sum.refused(diags)
			continue
		}
		accepted = append(accepted, v)
	}
	sum.Accepted = len(accepted)
	if s.kind == "resource" && len(accepted) > 0 {
		x.settled[s.name] = accepted[0]
	}
	for i, v := range accepted {
		for _, c := range x.cases(s, v, accepted[(i+1)%len(accepted)], fixed) {
			if x.impatient() {
				return
			}
			t := x.try(s, c, fixed)
			if t.applied {
				sum.Applied++
			} else if len(c.Unknown) == 0 {
				sum.refused(t.refusal)
			}
		}
	}
	if id := x.Imports[s.name]; id != "" && s.kind == "resource" && x.AllowApply {
		sum.refused(x.try(s, Case{ImportID: id}, fixed).refusal)
	}
}

// refused keeps the provider's first refusal.
func (s *Subject) refused(diags diag.List) {
	if s.Refused == "" && diags.HasErrors() {
		s.Refused = strings.TrimSuffix(diags.Errors()[0].Summary+": "+firstLine(diags.Errors()[0].Detail), ": ")
	}
}

// cases are the trials made of one accepted configuration: as it is and changed
// into the next one, with empty collections, with empty texts, without each
// argument in turn, and with each unknown in turn.
func (x *examination) cases(s subject, v, then cty.Value, fixed map[string]cty.Value) []Case {
	first := Case{Config: v, Live: true}
	if s.kind == "resource" {
		first.Then = then
	}
	out := []Case{first}
	if e, ok := emptied(s.schema.Block, v, fixed); ok {
		out = append(out, Case{Config: e, Live: true})
	}
	places := settable(s.schema.Block, v, fixed)
	out = append(out, Case{Config: wordless(s.schema.Block, v, places)})
	for _, path := range places {
		if a := s.schema.Block.AttributeAt(path); a != nil && len(path) == 1 && !a.Required {
			out = append(out, Case{Config: replaced(v, path, cty.NullVal(a.Type))})
		}
		out = append(out, Case{Config: v, Unknown: path})
	}
	return out
}

// wordless is v with every optional text empty.
func wordless(b *schema.Block, v cty.Value, places []cty.Path) cty.Value {
	for _, path := range places {
		if a := b.AttributeAt(path); a != nil && !a.Required && a.Type == cty.String {
			v = replaced(v, path, cty.StringVal(""))
		}
	}
	return v
}

// accepted leads a configuration to one that the provider accepts. A call that
// does not come through is a finding, and the configuration is as good as
// accepted: it shows something.
func (x *examination) accepted(s subject, v cty.Value, fixed map[string]cty.Value) (cty.Value, diag.List) {
	steer := newSteer(s.schema.Block, fixed)
	var refused diag.List
	for range steering {
		t := &trial{examination: x, subject: s, at: Case{Config: v}}
		t.probe()
		x.keep(t, fixed)
		if t.lost || !t.refusal.HasErrors() {
			return v, nil
		}
		refused = t.refusal
		next, ok := steer.adjust(v, refused)
		if !ok {
			return v, refused
		}
		v = next
	}
	return v, refused
}

// try runs a case and reports what is new.
func (x *examination) try(s subject, c Case, fixed map[string]cty.Value) *trial {
	t := &trial{examination: x, subject: s, at: c}
	t.run()
	x.keep(t, fixed)
	return t
}

// keep reports what a trial found that is new, with the simplest case that shows
// it.
func (x *examination) keep(t *trial, fixed map[string]cty.Value) {
	if x.losses++; !t.lost {
		x.losses = 0
	}
	for _, b := range t.found {
		if x.report.admit(&b) {
			x.report.Breaches = append(x.report.Breaches, x.shrunk(t.subject, b, fixed))
		}
	}
}

// shrunk is the breach with the simplest case that was found to show it.
func (x *examination) shrunk(s subject, b Breach, fixed map[string]cty.Value) Breach {
	left, lost := x.Shrinks, 0
	for changed := true; changed; {
		changed = false
		for _, c := range simplerCases(s, b.at, fixed) {
			if left--; left < 0 || lost >= hurry || x.interrupted() {
				break
			}
			t := &trial{examination: x, subject: s, at: c}
			t.run()
			if t.lost {
				lost++
			}
			if again, ok := t.shows(&b); ok {
				b, changed = again, true
				break
			}
		}
	}
	b.Source = x.source(s, b)
	return b
}

// shows says whether the trial broke the rule that b broke, at the same place.
func (t *trial) shows(b *Breach) (Breach, bool) {
	for _, found := range t.found {
		if found.same(b) {
			return found, true
		}
	}
	return Breach{}, false
}

// simplerCases are the cases that are one step simpler: planned only, without a
// change, or with a simpler configuration.
func simplerCases(s subject, c Case, fixed map[string]cty.Value) []Case {
	var out []Case
	if c.Config == cty.NilVal || s.kind == "function" {
		return nil
	}
	if c.Live {
		planned := c
		planned.Live, planned.Then = false, cty.NilVal
		out = append(out, planned)
	}
	if c.Then != cty.NilVal && len(c.Unknown) == 0 {
		once := c
		once.Then = cty.NilVal
		out = append(out, once)
	}
	// The unknown argument has to stay; where there is a change, it is one of that.
	keeps := func(v cty.Value) bool {
		at, err := c.Unknown.Apply(v)
		return len(c.Unknown) == 0 || err == nil && !at.IsNull()
	}
	for _, v := range reductions(s.schema.Block, c.Config, fixed) {
		if c.Then != cty.NilVal || keeps(v) {
			simple := c
			simple.Config = v
			out = append(out, simple)
		}
	}
	if c.Then != cty.NilVal {
		for _, v := range reductions(s.schema.Block, c.Then, fixed) {
			if keeps(v) {
				simple := c
				simple.Then = v
				out = append(out, simple)
			}
		}
	}
	return out
}
