package explain

import (
	"slices"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Explanation is what happens to an object, and why.
type Explanation struct {
	Address, Provider string
	Action            []string
	Reason            string
	// Deferred says why the action waits for a later run, "" when it does not.
	Deferred string
	// Why are sentences about the action.
	Why  []string
	Rows []Row
}

// Row is one place in the object.
type Row struct {
	Path string
	// Cells are the values by stage; "" where the stage was not passed or has
	// no such place.
	Cells [stages]string
	Origin
	// Changed says that the plan changes it, Forces that it forces the
	// replacement.
	Changed, Forces bool
	// Notes are what else is to be said: drift, upgrades, causes.
	Notes []string
}

// Explain makes an explanation.
func Explain(a *Artefacts) Explanation {
	e := Explanation{Address: a.Object.String(), Provider: a.Provider.Provider.Display(), Action: a.Action.Names(), Reason: string(a.Reason), Deferred: string(a.Deferred), Why: why(a)}
	for _, p := range places(a) {
		e.Rows = append(e.Rows, rowAt(a, p))
	}
	return e
}

// places are the paths of all leaves of all artefacts, sorted.
func places(a *Artefacts) []cty.Path {
	seen := map[string]cty.Path{}
	for s := range stages {
		collect(a.At(s), nil, seen)
	}
	var out []cty.Path
	for name, p := range seen {
		inner := false
		for other := range seen {
			if other != name && strings.HasPrefix(other, name) && strings.ContainsAny(other[len(name):len(name)+1], ".[") {
				inner = true
				break
			}
		}
		if !inner {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool { return value.PathLess(out[i], out[j]) })
	return out
}

func collect(v cty.Value, at cty.Path, into map[string]cty.Path) {
	if v == cty.NilVal || len(at) == 0 && (v.IsNull() || !v.IsKnown()) {
		return
	}
	t := v.Type()
	if !v.IsNull() && v.IsKnown() && (t.IsObjectType() || (t.IsListType() || t.IsTupleType() || t.IsMapType()) && v.LengthInt() > 0) {
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if t.IsObjectType() {
				collect(e, at.GetAttr(k.AsString()), into)
				continue
			}
			collect(e, at.Index(k), into)
		}
		return
	}
	into[value.PathString(at)] = at.Copy()
}

func rowAt(a *Artefacts, p cty.Path) Row {
	r := Row{Path: strings.TrimPrefix(value.PathString(p), ".")}
	hidden := a.hides(p)
	for s := range stages {
		v, ok := at(a.At(s), p)
		if !ok {
			continue
		}
		r.Cells[s] = text(v, hidden)
	}
	r.Origin = origin(a, p)
	prior, _ := at(a.At(PriorState), p)
	planned, _ := at(a.planned(), p)
	r.Changed = a.planned() != cty.NilVal && !same(prior, planned)
	r.Forces = slices.ContainsFunc(a.Forces, func(f cty.Path) bool { return p.HasPrefix(f) || f.HasPrefix(p) })
	r.Notes = notes(a, p, hidden)
	return r
}

// planned is the plan that counts.
func (a *Artefacts) planned() cty.Value {
	if v := a.Remade.Cty(); v != cty.NilVal {
		return v
	}
	return a.Planned.Cty()
}

func (a *Artefacts) hides(p cty.Path) bool {
	for n := 1; n <= len(p); n++ {
		if at := a.Schema.AttributeAt(p[:n]); at != nil && (at.Sensitive || at.WriteOnly) {
			return true
		}
	}
	return slices.ContainsFunc(a.Hidden, func(h cty.Path) bool { return p.HasPrefix(h) || h.HasPrefix(p) })
}

// at is the part of v at p, and whether there is one.
func at(v cty.Value, p cty.Path) (cty.Value, bool) {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() {
		return cty.NilVal, false
	}
	for i := range p {
		part, err := p[i : i+1].Apply(v)
		if err != nil {
			return cty.NilVal, false
		}
		if v = part; !v.IsKnown() || v.IsNull() {
			break
		}
	}
	return v, true
}

func same(a, b cty.Value) bool {
	if absent(a) || absent(b) {
		return absent(a) && absent(b)
	}
	return a.RawEquals(b)
}

func absent(v cty.Value) bool { return v == cty.NilVal || v.IsNull() }

func unknown(v cty.Value) bool { return v != cty.NilVal && !v.IsKnown() }

func text(v cty.Value, hidden bool) string {
	switch {
	case absent(v):
		return "null"
	case !v.IsKnown():
		return "(known after apply)"
	case hidden:
		return "(sensitive value)"
	}
	return strings.Join(strings.Fields(valuetext.Format(v, 0)), " ")
}
