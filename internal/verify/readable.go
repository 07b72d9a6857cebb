package verify

import (
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/contract"
	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// readable examines a data source or an ephemeral resource: it is validated,
// and read or opened where that is allowed.
func (x *examination) readable(s subject, sum *Subject) {
	fixed, diags := x.fixed(s.name, s.schema.Block)
	if x.report.Diags = x.report.Diags.With(diags); diags.HasErrors() {
		return
	}
	random := x.random(s.kind + s.name)
	for i := range x.Tries {
		sum.Made++
		v := maker{random, densities[i%len(densities)], fixed}.object(s.schema.Block)
		steer, refused := newSteer(s.schema.Block, fixed), diag.List(nil)
		for range steering {
			t := &trial{examination: x, subject: s, at: Case{Config: v, Live: true}}
			applied := t.get()
			x.keep(t)
			if refused = t.refusal; !refused.HasErrors() {
				sum.Accepted++
				if applied {
					sum.Applied++
				}
				break
			}
			next, ok := steer.adjust(v, refused)
			if !ok {
				break
			}
			v = next
		}
		if refused.HasErrors() && sum.Refused == "" {
			sum.Refused = refused.Errors()[0].Summary + ": " + firstLine(refused.Errors()[0].Detail)
		}
	}
}

func (x *examination) keep(t *trial) {
	for _, b := range t.found {
		if !x.known[b.key()] {
			x.known[b.key()] = true
			b.Source = x.source(t.subject, b)
			x.report.Breaches = append(x.report.Breaches, b)
		}
	}
}

// get validates and then reads or opens.
func (t *trial) get() bool {
	if !t.ready() {
		return false
	}
	config := value.MustBare(t.at.Config)
	if t.kind == "data" {
		if !t.came("validate", t.client.ValidateData(t.ctx, t.name, config)) || !t.AllowApply {
			return false
		}
		res, diags := t.client.ReadData(t.ctx, provider.ReadDataRequest{TypeName: t.name, Config: config})
		if !t.came("read", diags) || res.Deferred != nil {
			return false
		}
		return t.judged("read", contract.Check(contract.Data, contract.Facts{Schema: t.schema.Block, TypeName: t.name, Config: t.at.Config, Answer: res.State.Cty()}))
	}
	if !t.came("validate", t.client.ValidateEphemeral(t.ctx, t.name, config)) || !t.AllowApply {
		return false
	}
	res, diags := t.client.Open(t.ctx, provider.OpenRequest{TypeName: t.name, Config: config})
	if !t.came("open", diags) || res.Deferred != nil {
		return false
	}
	ok := t.judged("open", contract.Check(contract.Open, contract.Facts{Schema: t.schema.Block, TypeName: t.name, Config: t.at.Config, Answer: res.Result.Cty()}))
	return t.came("close", t.client.CloseEphemeral(t.ctx, t.name, res.Private)) && ok
}

// function calls a function twice with each of a few lists of arguments.
func (x *examination) function(s subject, sum *Subject) {
	m := maker{random: x.random("function" + s.name)}
	for i := range x.Tries {
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
		} else if sum.Refused == "" && t.refusal.HasErrors() {
			sum.Refused = t.refusal[0].Summary
		}
		x.keep(t)
	}
}

func (t *trial) call(args []cty.Value) bool {
	first, ok := t.once(args)
	if !ok {
		return false
	}
	second, ok := t.once(args)
	if ok && !first.RawEquals(second) {
		t.breach(functionStable, "call, twice", nil, "the first result is "+valuetext.Format(first, 0)+", the second is "+valuetext.Format(second, 0))
	}
	return ok
}

func (t *trial) once(args []cty.Value) (cty.Value, bool) {
	if !t.ready() {
		return cty.NilVal, false
	}
	var given []value.Bare
	for _, a := range args {
		given = append(given, value.MustBare(a))
	}
	res := t.client.CallFunction(t.ctx, t.name, given)
	if !t.came("call", res.Failed) {
		return cty.NilVal, false
	}
	if res.Error != "" {
		t.refusal = diag.Errs(res.Error, "")
		return cty.NilVal, false
	}
	ok := t.judged("call", contract.Check(contract.Function, contract.Facts{Answer: res.Result.Cty(), Return: t.subject.function.Return, Argued: true}))
	return res.Result.Cty(), ok && res.Result.Cty() != cty.NilVal
}
