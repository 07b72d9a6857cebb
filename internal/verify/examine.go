package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/zclconf/go-cty/cty"
)

// densities are how likely optional arguments are set in the first
// configurations: as few as possible, all, then some.
var densities = []float64{0, 1, 0.5, 0.3, 0.7}

// examine makes configurations of a subject and tries them.
func (x *examination) examine(s subject) {
	sum := Subject{Kind: s.kind, Name: s.name}
	switch s.kind {
	case "resource":
		x.resource(s, &sum)
	case "function":
		x.function(s, &sum)
	default:
		x.readable(s, &sum)
	}
	x.report.Subjects = append(x.report.Subjects, sum)
}

func (x *examination) resource(s subject, sum *Subject) {
	fixed, diags := x.fixed(s.name, s.schema.Block)
	if x.report.Diags = x.report.Diags.With(diags); diags.HasErrors() {
		return
	}
	random := x.random(s.name)
	var accepted []cty.Value
	for i := range x.Tries {
		sum.Made++
		v := maker{random, densities[i%len(densities)], fixed}.object(s.schema.Block)
		v, diags := x.settle(s, v, fixed)
		if diags.HasErrors() {
			if sum.Refused == "" {
				sum.Refused = diags.Errors()[0].Summary + ": " + firstLine(diags.Errors()[0].Detail)
			}
			continue
		}
		accepted = append(accepted, v)
	}
	sum.Accepted = len(accepted)
	for i, v := range accepted {
		for _, c := range x.cases(s, v, accepted[(i+1)%len(accepted)], fixed) {
			t := x.try(s, c, fixed)
			if t.applied {
				sum.Applied++
			} else if sum.Refused == "" && t.refusal.HasErrors() && len(c.Unknown) == 0 {
				sum.Refused = t.refusal.Errors()[0].Summary + ": " + firstLine(t.refusal.Errors()[0].Detail)
			}
		}
	}
}

// cases are the trials made of one accepted configuration: as it is, with empty
// collections, and with each argument unknown in turn.
func (x *examination) cases(s subject, v, then cty.Value, fixed map[string]cty.Value) []Case {
	out := []Case{{Config: v, Then: then, Live: true}}
	if e, ok := emptied(s.schema.Block, v, fixed); ok {
		out = append(out, Case{Config: e, Live: true})
	}
	for _, path := range settable(s.schema.Block, v, fixed) {
		out = append(out, Case{Config: v, Unknown: path})
	}
	return out
}

// settle leads a configuration to one that the provider accepts: it validates
// and can be planned. A call that does not come through is a finding, and the
// configuration is as good as accepted: it shows something.
func (x *examination) settle(s subject, v cty.Value, fixed map[string]cty.Value) (cty.Value, diag.List) {
	steer := newSteer(s.schema.Block, fixed)
	var refused diag.List
	for range steering {
		t := &trial{examination: x, subject: s, at: Case{Config: v}}
		if t.validate("validate", v) && s.kind == "resource" {
			t.plan("plan to create", t.none(), v, nil)
		}
		if len(t.found) > 0 || !t.refusal.HasErrors() {
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

// try runs a case and reports what is new, with the simplest case that shows
// it.
func (x *examination) try(s subject, c Case, fixed map[string]cty.Value) *trial {
	t := &trial{examination: x, subject: s, at: c}
	t.run()
	for _, b := range t.found {
		if x.known[b.key()] {
			continue
		}
		x.known[b.key()] = true
		x.report.Breaches = append(x.report.Breaches, x.shrunk(s, b, fixed))
	}
	return t
}

// shrunk is the breach with the simplest case that was found to show it.
func (x *examination) shrunk(s subject, b Breach, fixed map[string]cty.Value) Breach {
	left := x.Shrinks
	for changed := true; changed; {
		changed = false
		for _, c := range simplerCases(s, b.at, fixed) {
			if left--; left < 0 || x.ctx.Err() != nil {
				break
			}
			if again, ok := x.shows(s, c, &b); ok {
				b, changed = again, true
				break
			}
		}
	}
	b.Source = x.source(s, b)
	return b
}

// shows says whether a case still breaks the rule.
func (x *examination) shows(s subject, c Case, b *Breach) (Breach, bool) {
	t := &trial{examination: x, subject: s, at: c}
	t.run()
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
	if c.Live {
		planned := c
		planned.Live, planned.Then = false, cty.NilVal
		out = append(out, planned)
	}
	if c.Then != cty.NilVal {
		once := c
		once.Then = cty.NilVal
		out = append(out, once)
	}
	for _, v := range reductions(s.schema.Block, c.Config, fixed) {
		if len(c.Unknown) > 0 {
			if at, err := c.Unknown.Apply(v); err != nil || at.IsNull() {
				continue
			}
		}
		simple := c
		simple.Config = v
		out = append(out, simple)
	}
	if c.Then != cty.NilVal {
		for _, v := range reductions(s.schema.Block, c.Then, fixed) {
			simple := c
			simple.Then = v
			out = append(out, simple)
		}
	}
	return out
}
