package planjson

import (
	"io"
	"sort"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// planFormat is the format_version of plans.
const planFormat = "1.2"

// Options are what a plan document does not hold itself.
type Options struct {
	// Version is the version of the program that writes.
	Version string
	Schemas Schemas
	// Configuration writes the configuration part; nil for none.
	Configuration func(*jsonout.Writer)
}

// WritePlan writes a plan as show -json does.
func WritePlan(out io.Writer, d *plan.Document, o Options) error {
	w := jsonout.New(out)
	w.Begin()
	w.KeyString("format_version", planFormat)
	w.KeyString("terraform_version", o.Version)
	writeVariables(w, d.Variables)
	w.Key("planned_values")
	writePlanned(w, d, o.Schemas)
	writeChanges(w, "resource_drift", d.Drift)
	writeChanges(w, "resource_changes", d.Changes)
	writeList(w, "deferred_changes", d.Deferred, writeDeferred)
	writeList(w, "deferred_action_invocations", d.DeferredInvocations, writeDeferredInvocation)
	writeList(w, "action_invocations", d.Invocations, writeInvocation)
	writeOutputChanges(w, d.Outputs)
	writePrior(w, d, o.Schemas)
	if o.Configuration != nil {
		w.Key("configuration")
		o.Configuration(w)
	}
	writeList(w, "relevant_attributes", d.Relevant, writeRelevant)
	writeChecks(w, d.Checks)
	w.KeyString("timestamp", d.Timestamp.UTC().Format(time.RFC3339))
	w.KeyBool("applyable", d.Applyable)
	w.KeyBool("complete", d.Complete)
	w.KeyBool("errored", d.Errored)
	w.End()
	return w.Err()
}

func writeVariables(w *jsonout.Writer, vars map[string]plan.Variable) {
	names := make([]string, 0, len(vars))
	for name, v := range vars {
		if v.Shown != cty.NilVal {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	sort.Strings(names)
	w.Key("variables")
	w.Begin()
	for _, name := range names {
		w.Key(name)
		w.Begin()
		w.Key("value")
		w.Value(vars[name].Shown)
		w.End()
	}
	w.End()
}

func writePlanned(w *jsonout.Writer, d *plan.Document, schemas Schemas) {
	w.Begin()
	writePlannedOutputs(w, d.Outputs)
	f := newForest()
	for _, c := range d.Changes {
		if Shown(c) && c.Deposed == "" && remains(c.Action) {
			f.add(planned(c, schemas))
		}
	}
	w.Key("root_module")
	f.root.write(w)
	w.End()
}

func remains(a plan.Action) bool { return a != plan.Delete && a != plan.Forget }

func planned(c *plan.Change, schemas Schemas) entry {
	e := entry{object: c.Object(), provider: c.Provider.Provider, value: func() value.V { return c.After }}
	s := c.Schema
	if s == nil {
		s = schemas.of(c.Provider.Provider, c.Addr.Resource)
	}
	if s != nil {
		e.version = s.Version
	}
	if id := c.AfterIdentity; !id.IsZero() && !id.Cty().IsNull() && id.Cty().IsWhollyKnown() {
		e.identity = func(w *jsonout.Writer) { w.Value(id.Cty()) }
		if s != nil {
			e.idVersion = s.IdentityVersion
		}
	}
	return e
}

// Shown says whether people and tools are told of a change: the removal of a
// data source's result is housekeeping.
func Shown(c *plan.Change) bool {
	return c.Addr.Resource.Mode != addr.Data || c.Action != plan.Delete
}

func writePlannedOutputs(w *jsonout.Writer, list []plan.OutputChange) {
	first := true
	for i := range list {
		o := &list[i]
		if o.Action == plan.Delete {
			continue
		}
		if first {
			w.Key("outputs")
			w.Begin()
			first = false
		}
		after := value.Strip(o.After).Cty()
		w.Key(o.Name)
		w.Begin()
		w.KeyBool("sensitive", o.Sensitive)
		if after.IsWhollyKnown() {
			w.Key("type")
			w.Type(typeOf(after))
			w.Key("value")
			w.Value(after)
		}
		w.End()
	}
	if !first {
		w.End()
	}
}

// typeOf is the type of a planned output. Null has none, whatever it was the null
// of: no state will have the output either.
func typeOf(v cty.Value) cty.Type {
	if v.IsNull() {
		return cty.DynamicPseudoType
	}
	return v.Type()
}

// writePrior writes the state before the changes. Outputs are in it as they will
// be, as far as that is known: so the incumbents have it.
func writePrior(w *jsonout.Writer, d *plan.Document, schemas Schemas) {
	prior := withOutputs(d)
	if !hasContent(prior) {
		return
	}
	w.Key("prior_state")
	writeState(w, prior, schemas, false)
}

// withOutputs is the prior state with the outputs that are to be, where they are
// known and not to go.
func withOutputs(d *plan.Document) *state.Snapshot {
	prior := d.Prior
	if prior == nil {
		prior = state.New("")
	}
	var edits []state.Edit
	for _, o := range d.Outputs {
		after := value.Strip(o.After).Cty()
		was, _ := prior.Output(o.Name)
		switch {
		case o.Action == plan.Delete || !after.IsWhollyKnown():
		case after.IsNull():
			edits = append(edits, state.DropOutput{Name: o.Name})
		default:
			edits = append(edits, state.PutOutput{Name: o.Name, Output: state.Output{
				Value: after, Sensitive: value.Contains(o.After, value.Sensitive), Deprecated: was.Deprecated}})
		}
	}
	if next, err := prior.Apply(edits...); err == nil {
		return next
	}
	return prior // some value cannot be stored; the plan has errors
}

func writeRelevant(w *jsonout.Writer, r plan.RelevantAttr) {
	w.Begin()
	w.KeyString("resource", r.Resource.String())
	w.Key("attribute")
	writePath(w, r.Path)
	w.End()
}

func writePath(w *jsonout.Writer, p cty.Path) {
	w.BeginList()
	for _, step := range p {
		switch s := step.(type) {
		case cty.GetAttrStep:
			w.String(s.Name)
		case cty.IndexStep:
			w.Value(s.Key)
		}
	}
	w.EndList()
}
