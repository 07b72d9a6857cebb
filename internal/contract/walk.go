package contract

import (
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// place is what the walk stands at: the same place in every value that matters
// at the stage, cty.NilVal where a value has no such place.
type place struct {
	at    Position
	path  *link
	attr  *schema.Attribute
	block *schema.Nested
	prior, config,
	planned, answer cty.Value
	hidden bool
}

// link is a path, from its end to its beginning.
type link struct {
	up   *link
	step cty.PathStep
}

func (l *link) full() cty.Path {
	n := 0
	for at := l; at != nil; at = at.up {
		n++
	}
	path := make(cty.Path, n)
	for at := l; at != nil; at = at.up {
		n--
		path[n] = at.step
	}
	return path
}

// member is the attribute or block collection called name inside p.
func (p place) member(at Position, name string, t cty.Type) place {
	return place{
		at: at, path: &link{p.path, cty.GetAttrStep{Name: name}}, hidden: p.hidden,
		prior: member(p.prior, name, t), config: member(p.config, name, t),
		planned: member(p.planned, name, t), answer: member(p.answer, name, t),
	}
}

// element is the element of collection p at key.
func (p place) element(at Position, key cty.Value) place {
	var step cty.PathStep = cty.IndexStep{Key: key}
	if p.answer.Type().IsObjectType() {
		step = cty.GetAttrStep{Name: key.AsString()}
	}
	return place{
		at: at, path: &link{p.path, step}, hidden: p.hidden,
		prior: item(p.prior, key), config: item(p.config, key),
		planned: item(p.planned, key), answer: item(p.answer, key),
	}
}

// lead is the value that the answer is held against: what the provider had
// said at stages that have it, else the configuration.
func (w *walk) lead(p place) cty.Value {
	if w.against {
		return p.planned
	}
	return p.config
}

// walk goes through an answer and asks the rules of one stage.
type walk struct {
	facts *Facts
	stage Stage
	rules *[positions][]*Rule
	// against is set where the answer is held against an earlier one.
	against bool
	out     Findings
}

// ask asks the rules of p's position in order. It says whether the place is
// settled: excused, or broken.
func (w *walk) ask(p place) bool {
	for _, r := range w.rules[p.at] {
		if r.when != nil && !r.when(w, p) {
			continue
		}
		if r.must != nil && !r.must(w, p) {
			w.report(r, p)
			return true
		}
		if r.settles {
			return true
		}
	}
	return false
}

func (w *walk) report(r *Rule, p place) {
	path := p.path.full()
	saw := "a sensitive value is not as it has to be"
	if r.say != nil && !p.hidden && !w.facts.hides(path) {
		saw = r.say(p)
	}
	w.out = append(w.out, Finding{Rule: r, Path: path, Saw: saw, Verdict: verdict(r, w.facts)})
}

func verdict(r *Rule, f *Facts) Verdict {
	switch {
	case r.Noted:
		return Noted
	case r.Legacy && f.Legacy:
		return Tolerated
	}
	return Refused
}

func (w *walk) object(b body, p place) {
	p.at = Object
	if w.ask(p) || !solid(p.answer) {
		return
	}
	for _, name := range b.attrNames {
		a := b.attrs[name]
		q := p.member(Attribute, name, a.Type)
		q.attr, q.hidden = a, p.hidden || a.Sensitive
		w.attribute(q)
	}
	for _, name := range b.blockNames {
		n := b.blocks[name]
		q := p.member(Blocks, name, n.Type())
		q.block = n
		if !w.ask(q) {
			w.collection(n.Nesting, ofBlock(n.Block), q)
		}
	}
}

func (w *walk) attribute(p place) {
	switch {
	case w.ask(p):
	case w.against:
		p.at = Value
		w.value(p)
	case p.attr.Nested != nil:
		p.at = Structure
		if !w.ask(p) {
			w.collection(p.attr.Nested.Nesting, ofObject(p.attr.Nested), p)
		}
	}
}

// collection visits the objects of blocks or of a structural attribute. Sets
// are judged as a whole, since nothing tells which element is which.
func (w *walk) collection(n schema.Nesting, b body, p place) {
	switch {
	case n == schema.Single || n == schema.Group:
		w.object(b, p)
	case n != schema.Set:
		for _, key := range keysOf(p.answer) {
			w.object(b, p.element(Object, key))
		}
	}
}

// value visits the parts of an attribute's value.
func (w *walk) value(p place) {
	if w.ask(p) || !solid(p.answer) {
		return
	}
	for _, key := range keysOf(p.answer) {
		w.value(p.element(Value, key))
	}
}

// accepts says whether an answer passes for another one, element against
// element of a set.
func (w *walk) accepts(visit func(*walk, place), lead, answer cty.Value) bool {
	p := place{answer: answer, config: lead}
	if w.against {
		p.config, p.planned = cty.NilVal, lead
	}
	trial := walk{facts: w.facts, stage: w.stage, rules: w.rules, against: w.against}
	visit(&trial, p)
	return !trial.out.Refused() && len(trial.out.Excused()) == 0
}

// correlates says whether every element of one set is accepted for one of the
// other, both ways. Elements with the same stem are tried first: those of an
// honest provider are found there.
func (w *walk) correlates(visit func(*walk, place), lead, answer cty.Value, stem func(cty.Value) int) bool {
	whole, other := elementsOf(lead), elementsOf(answer)
	a, b := apart(whole, other)
	accepts := func(x, y cty.Value) bool { return w.accepts(visit, x, y) }
	return eachNear(a, other, stem, accepts) &&
		eachNear(b, whole, stem, func(y, x cty.Value) bool { return accepts(x, y) })
}

// eachNear says whether every value of a is matched by one of b, preferably
// one of the same stem.
func eachNear(a, b []cty.Value, stem func(cty.Value) int, match func(a, b cty.Value) bool) bool {
	if len(a) == 0 {
		return true
	}
	near := make(map[int][]cty.Value, len(b))
	for _, y := range b {
		h := stem(y)
		near[h] = append(near[h], y)
	}
	for _, x := range a {
		one := []cty.Value{x}
		if !eachHas(one, near[stem(x)], match) && !eachHas(one, b, match) {
			return false
		}
	}
	return true
}

// apart takes away what two lists have in common.
func apart(a, b []cty.Value) (onlyA, onlyB []cty.Value) {
	return without(a, b), without(b, a)
}

func without(a, b []cty.Value) []cty.Value {
	have := make(map[int][]cty.Value, len(b))
	for _, v := range b {
		h := v.Hash()
		have[h] = append(have[h], v)
	}
	var out []cty.Value
next:
	for _, v := range a {
		for _, o := range have[v.Hash()] {
			if v.RawEquals(o) {
				continue next
			}
		}
		out = append(out, v)
	}
	return out
}
