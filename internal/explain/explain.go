package explain

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Explanation is what happens to an object, and why.
type Explanation struct {
	Address, Provider string
	Action            []string
	// ReadNow says that it is a data source that was read while planning.
	ReadNow bool
	Reason  string
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
	// Was and Will are the values before and after the plan, "" where there is none.
	Was, Will string
	// Notes are what else is to be said: drift, upgrades, causes.
	Notes []string
}

// Quiet says that a line is enough for the place: nothing changes there, or the
// whole object is new or at its end, and nothing else is to be said of it. Whatever is null beside
// one value is only not yet, or not configured.
func (r *Row) Quiet() bool {
	ends := r.Side == Nobody && r.Will == ""
	if r.Changed && r.Was != "" && !ends || r.Forces || len(r.Notes) > 0 || r.Rule == "ignore_changes" || r.Rule == "plan/write-only-null" {
		return false
	}
	one := ""
	for s, c := range r.Cells {
		switch {
		case c == "" || c == "null" && (r.Was == "" || Stage(s) == Configuration):
		case one != "" && one != c:
			return false
		default:
			one = c
		}
	}
	return true
}

// Value is the value of a quiet row.
func (r *Row) Value() string {
	for s := len(r.Cells) - 1; s >= 0; s-- {
		if r.Cells[s] != "" && (r.Cells[s] != "null" || r.Will != "") {
			return r.Cells[s]
		}
	}
	return ""
}

// Explain makes an explanation.
func Explain(a *Artefacts) Explanation {
	e := Explanation{Address: a.Object.String(), Provider: a.Provider.Provider.Display(), Action: a.Action.Names(), Reason: string(a.Reason), Deferred: string(a.Deferred), Why: why(a)}
	e.ReadNow = a.isData() && a.Action == plan.NoOp && !a.Result.IsZero()
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
	for s := range stages {
		v, ok := at(a.At(s), p)
		if !ok {
			continue
		}
		r.Cells[s] = a.text(v, p)
	}
	r.Origin = origin(a, p)
	prior, had := at(a.At(PriorState), p)
	planned, has := at(a.planned(), p)
	if had {
		r.Was = a.text(prior, p)
	}
	if has {
		r.Will = a.text(planned, p)
	}
	r.Changed = a.planned() != cty.NilVal && !a.isData() && !same(prior, planned)
	r.Forces = slices.ContainsFunc(a.Forces, func(f cty.Path) bool { return f.HasPrefix(p) || r.Changed && p.HasPrefix(f) })
	r.Notes = notes(a, p)
	return r
}

// planned is the plan that counts; of a data source what it answered.
func (a *Artefacts) planned() cty.Value {
	if v := a.Result.Cty(); v != cty.NilVal {
		return v
	}
	if v := a.Remade.Cty(); v != cty.NilVal {
		return v
	}
	return a.Planned.Cty()
}

func (a *Artefacts) isData() bool { return a.Object.Instance.Resource.Mode == addr.Data }

// masked replaces what the schema says is sensitive inside of v, which is what a
// set that has no rows of its own may contain. What has no secrets stays as it is.
func (a *Artefacts) masked(v cty.Value, p cty.Path) cty.Value {
	out, secrets := a.mask(v, p)
	if !secrets {
		return v
	}
	return out
}

func (a *Artefacts) mask(v cty.Value, p cty.Path) (out cty.Value, secrets bool) {
	if absent(v) || !v.IsKnown() || !v.CanIterateElements() {
		return v, false
	}
	names, elements, list := map[string]cty.Value{}, []cty.Value(nil), !v.Type().IsObjectType() && !v.Type().IsMapType()
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		at := p.Copy().Index(k)
		if v.Type().IsObjectType() {
			at = p.Copy().GetAttr(k.AsString())
		}
		hidden := false
		if a.hides(at) && !absent(e) && e.IsKnown() {
			e, hidden = cty.StringVal(secret), true
		} else {
			e, hidden = a.mask(e, at)
		}
		secrets = secrets || hidden
		if list {
			elements = append(elements, e)
		} else {
			names[k.AsString()] = e
		}
	}
	if list {
		return cty.TupleVal(elements), secrets
	}
	return cty.ObjectVal(names), secrets
}

// secret stands for a sensitive value.
const secret = "(sensitive value)"

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

// text writes the value at a place, with nothing sensitive in it.
func (a *Artefacts) text(v cty.Value, p cty.Path) string {
	if !absent(v) && v.IsKnown() && a.hides(p) {
		return secret
	}
	return line(a.masked(v, p))
}

// line writes a value on one line.
func line(v cty.Value) string {
	switch {
	case absent(v):
		return "null"
	case !v.IsKnown():
		return "(known after apply)"
	case v.Type() == cty.String && v.AsString() == secret:
		return secret
	case !v.CanIterateElements():
		return strings.Join(strings.Fields(valuetext.Format(v, 0)), " ")
	}
	named := v.Type().IsObjectType() || v.Type().IsMapType()
	var parts []string
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		switch {
		case named && absent(e) && v.Type().IsObjectType():
		case named:
			parts = append(parts, key(k.AsString())+" = "+line(e))
		default:
			parts = append(parts, line(e))
		}
	}
	open, shut := "[", "]"
	if named {
		open, shut = "{", "}"
		if len(parts) > 0 {
			open, shut = "{ ", " }"
		}
	}
	return open + strings.Join(parts, ", ") + shut
}

var identifier = regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_-]*$`)

func key(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return valuetext.Quote(name)
}
