package verify

import (
	"fmt"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// function calls a function with each of a few lists of arguments, and with a
// null or unknown argument where it says that it takes them. Others are never
// sent: the language answers for the function.
func (x *examination) function(s subject, sum *Subject) {
	m := maker{random: x.random("function" + s.name), nth: -1}
	for i := range x.Tries {
		if x.impatient() {
			return
		}
		sum.Made++
		var args []cty.Value
		for _, p := range s.function.Parameters {
			args = append(args, m.value(p.Name, p.Type, i))
		}
		if p := s.function.Variadic; p != nil {
			args = append(args, m.value(p.Name, p.Type, i), m.value(p.Name, p.Type, i+1))
		}
		t := &trial{examination: x, subject: s, at: Case{Config: cty.TupleVal(args)}}
		if t.call(args) {
			sum.Accepted++
		} else {
			sum.refused(t.refusal)
		}
		x.keep(t, nil)
	}
}

// parameter is the parameter that an argument is for.
func (t *trial) parameter(at int) schema.Parameter {
	if at < len(t.subject.function.Parameters) {
		return t.subject.function.Parameters[at]
	}
	return *t.subject.function.Variadic
}

func (t *trial) call(args []cty.Value) bool {
	first, ok := t.once("call", args)
	if !ok {
		return false
	}
	second, ok := t.once("call, twice", args)
	if !ok {
		t.complain(functionStable, "call, twice", nil)
		return false
	}
	if !first.RawEquals(second) {
		t.breach(functionStable, "call, twice", nil, "the first result is "+valuetext.Format(first, 0)+", the second is "+valuetext.Format(second, 0))
	}
	for i := range args {
		p := t.parameter(i)
		if p.AllowNull {
			// A null may be refused. That it is answered is what is asked.
			t.once(fmt.Sprintf("call with %s null", p.Name), with(args, i, cty.NullVal(args[i].Type())))
			t.refusal = nil
		}
		if p.AllowUnknown {
			t.uncertain(first, args, i)
		}
	}
	return true
}

// uncertain calls with an argument unknown and holds the result against the
// known one.
func (t *trial) uncertain(known cty.Value, args []cty.Value, i int) {
	step := fmt.Sprintf("call with %s unknown", t.parameter(i).Name)
	vague, ok := t.once(step, with(args, i, cty.UnknownVal(args[i].Type())))
	if !ok {
		t.complain(unknownAccepted, step, nil)
		return
	}
	if !becomes(vague, known) {
		t.breach(functionUnknown, step, nil, "it says "+valuetext.Format(vague, 0)+", and when the argument is known "+valuetext.Format(known, 0))
	}
}

func with(args []cty.Value, i int, v cty.Value) []cty.Value {
	out := append([]cty.Value(nil), args...)
	out[i] = v
	return out
}

// becomes says whether an answer with unknown parts may turn out to be known.
func becomes(vague, known cty.Value) bool {
	switch {
	case !vague.IsKnown():
		yes := vague.Range().Includes(known)
		return !yes.IsKnown() || yes.True()
	case vague.IsWhollyKnown():
		return vague.RawEquals(known)
	case known.IsNull() || !known.CanIterateElements() || vague.Type().IsSetType():
		return vague.Type().IsSetType()
	case vague.LengthInt() != known.LengthInt():
		return false
	}
	was := vague.ElementIterator()
	for now := known.ElementIterator(); now.Next() && was.Next(); {
		_, a := was.Element()
		if _, b := now.Element(); !becomes(a, b) {
			return false
		}
	}
	return true
}

func (t *trial) once(step string, args []cty.Value) (cty.Value, bool) {
	if !t.ready() {
		return cty.NilVal, false
	}
	var given []value.Bare
	known := true
	for _, a := range args {
		known = known && a.IsWhollyKnown()
		given = append(given, value.MustBare(a))
	}
	res := t.client.CallFunction(t.ctx, t.name, given)
	if !t.came(step, res.Failed) {
		return cty.NilVal, false
	}
	if res.Error != "" {
		t.refusal = diag.Errs(res.Error, "")
		return cty.NilVal, false
	}
	ok := t.judged(step, contract.Check(contract.Function, contract.Facts{Answer: res.Result.Cty(), Return: t.subject.function.Return, Argued: known}))
	return res.Result.Cty(), ok && res.Result.Cty() != cty.NilVal
}
