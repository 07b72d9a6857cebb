package planjson

import (
	"io"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// stateFormat is the format_version of states.
const stateFormat = "1.0"

// WriteState writes a state as show -json does.
func WriteState(out io.Writer, s *state.Snapshot, schemas Schemas) error {
	w := jsonout.New(out)
	writeState(w, s, schemas, true)
	return w.Err()
}

func writeState(w *jsonout.Writer, s *state.Snapshot, schemas Schemas, checks bool) {
	w.Begin()
	w.KeyString("format_version", stateFormat)
	if hasContent(s) {
		w.KeyFilled("terraform_version", s.Version())
		w.Key("values")
		writeStateValues(w, s, schemas)
		if checks {
			writeChecks(w, s.Checks())
		}
	}
	w.End()
}

// hasContent says whether there is any object or output.
func hasContent(s *state.Snapshot) bool {
	if s == nil {
		return false
	}
	for range s.Resources() {
		return true
	}
	for range s.Outputs() {
		return true
	}
	return false
}

func writeStateValues(w *jsonout.Writer, s *state.Snapshot, schemas Schemas) {
	w.Begin()
	writeStateOutputs(w, s)
	writeRootModule(w, s, schemas)
	w.End()
}

func writeRootModule(w *jsonout.Writer, s *state.Snapshot, schemas Schemas) {
	f := newForest()
	for r := range s.Resources() {
		for i := range r.Instances() {
			at := r.Addr().Instance(i.Key())
			sch := schemas.of(i.Provider().Provider, at.Resource)
			for key, o := range i.Objects() {
				f.add(stored(addr.Object{Instance: at, Deposed: key}, o, i.Provider().Provider, sch))
			}
		}
	}
	w.Key("root_module")
	f.root.write(w)
}

func stored(at addr.Object, o *state.Object, p addr.Provider, s *schema.Resource) entry {
	e := entry{
		object: at, provider: p, version: o.SchemaVersion, dependsOn: o.Dependencies,
		tainted: o.Status == state.Tainted, idVersion: o.IdentityVersion,
		value: func() value.V {
			v, err := Decode(o, s)
			if err != nil {
				return cty.NullVal(cty.DynamicPseudoType)
			}
			return v
		},
	}
	if len(o.Identity) > 0 && string(o.Identity) != "null" {
		e.identity = func(w *jsonout.Writer) { w.Raw(o.Identity) }
	}
	return e
}

func writeStateOutputs(w *jsonout.Writer, s *state.Snapshot) {
	first := true
	for name, o := range s.Outputs() {
		if first {
			w.Key("outputs")
			w.Begin()
			first = false
		}
		w.Key(name)
		w.Begin()
		w.KeyBool("sensitive", o.Sensitive)
		w.KeyFilled("deprecated", o.Deprecated)
		w.Key("value")
		w.Value(o.Value)
		w.Key("type")
		w.Type(o.Value.Type())
		w.End()
	}
	if !first {
		w.End()
	}
}

// WriteInstance writes the current object of one instance as state show -json
// does. It writes nothing and says false when there is none.
func WriteInstance(out io.Writer, s *state.Snapshot, a addr.AbsInstance, schemas Schemas) (bool, error) {
	i := s.Instance(a)
	if i == nil || i.Current() == nil {
		return false, nil
	}
	p := i.Provider().Provider
	w := jsonout.New(out)
	e := stored(addr.Object{Instance: a}, i.Current(), p, schemas.of(p, a.Resource))
	e.write(w)
	return true, w.Err()
}

// WriteOutputs writes all root output values as output -json does.
func WriteOutputs(out io.Writer, s *state.Snapshot) error {
	w := jsonout.NewIndented(out)
	w.Begin()
	for name, o := range s.Outputs() {
		w.Key(name)
		w.Begin()
		w.KeyBool("sensitive", o.Sensitive)
		w.Key("type")
		w.Type(o.Value.Type())
		w.Key("value")
		w.Value(o.Value)
		w.End()
	}
	w.End()
	return w.Err()
}

// WriteOutput writes one value as output -json NAME does.
func WriteOutput(out io.Writer, v cty.Value) error {
	w := jsonout.New(out)
	w.Value(v)
	return w.Err()
}
