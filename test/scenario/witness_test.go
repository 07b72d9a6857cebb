package scenario

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/journal"
	"github.com/zclconf/go-cty/cty"
)

// act is a remote change that a provider was asked for.
type act struct {
	op string
	// object is the one whose intent was open at that moment.
	object addr.Object
	// name is what the object is called, was and is are its ids.
	name, was, is string
	// failed says that errors came of it, silent that no answer came.
	failed, silent bool
}

// witness looks at every remote change at the moment it is asked for, and knows
// what a crash of that moment would leave: the state and the journal on the disk.
type witness struct {
	// durable is that; nil for stories that nobody watches.
	durable func() journal.Recovery
	// planned is the plan that is carried out, nil while none is.
	planned *plan.Document
	acts    []act
	crimes  []string
	// dead are the objects that were destroyed for sure, by id.
	dead map[string]bool
	// denied are the objects of which the provider said that they are gone.
	denied map[string]bool
}

func (w *witness) accuse(format string, args ...any) {
	w.crimes = append(w.crimes, fmt.Sprintf(format, args...))
}

// attribute is a known string attribute, else "".
func attribute(v cty.Value, name string) string {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || !v.Type().HasAttribute(name) {
		return ""
	}
	if a := v.GetAttr(name); a.IsKnown() && !a.IsNull() && a.Type() == cty.String {
		return a.AsString()
	}
	return ""
}

func idOf(o *state.Object) string {
	var attrs struct{ ID string }
	if o == nil || json.Unmarshal(o.Attrs, &attrs) != nil {
		return ""
	}
	return attrs.ID
}

// asked is told a change before the provider does it. The world's lock is held.
func (w *witness) asked(req provider.ApplyRequest) {
	if w.durable == nil {
		return
	}
	prior, next := req.Prior.Cty(), req.Planned.Cty()
	a := act{op: "update", name: attribute(next, "name"), was: attribute(prior, "id")}
	if prior.IsNull() {
		a.op = "create"
	} else if next.IsNull() {
		a.op, a.name = "delete", attribute(prior, "name")
	}
	now := w.durable()
	if a.object = w.intended(now, a); a.object == (addr.Object{}) {
		w.accuse("%s of %s %s was asked for without a durable intent", a.op, a.name, a.was)
	}
	w.orderly(now.Snapshot, a, attribute(next, "from"))
	w.acts = append(w.acts, a)
}

// intended is the object whose open intent a change belongs to.
func (w *witness) intended(now journal.Recovery, a act) addr.Object {
	for _, i := range now.Unresolved {
		here := now.Snapshot.Object(i.Object)
		switch {
		case i.Op != a.op:
		case a.op == "create" && labelOf(i.Object.Instance) == a.name:
			if here != nil {
				w.accuse("%s is created beside %s", i.Object, idOf(here))
			}
			return i.Object
		case a.op != "create" && idOf(here) == a.was:
			return i.Object
		}
	}
	return addr.Object{}
}

// orderly holds a change against what depends on what, as it is written down.
func (w *witness) orderly(now *state.Snapshot, a act, from string) {
	if a.op != "delete" {
		if from != "" && from != "none" && (w.dead[from] || !knows(now, from)) {
			w.accuse("%s %s is made from %s, which is not there or not written down", a.op, a.name, from)
		}
		return
	}
	if w.dead[a.was] {
		w.accuse("%s %s is destroyed twice", a.object, a.was)
	}
	here := a.object.Instance.Config()
	if tangled(w.planned) {
		return
	}
	for at, o := range now.Objects() {
		if at.Instance.Resource.Mode != addr.Managed || !slices.Contains(o.Dependencies, here) || !w.ends(at, idOf(o)) {
			continue
		}
		w.accuse("%s %s is destroyed before %s %s, which depends on it", a.object, a.was, at, idOf(o))
	}
}

// knows says whether a state has an object of an id.
func knows(s *state.Snapshot, id string) bool {
	for _, o := range s.Objects() {
		if idOf(o) == id {
			return true
		}
	}
	return false
}

// ends says whether an object is planned to be destroyed, alone or for another.
func (w *witness) ends(o addr.Object, id string) bool {
	for _, c := range w.planned.Changes {
		if c.Object() == o && (c.Action == plan.Delete || c.Action == plan.DeleteThenCreate) {
			return attribute(bare(c.Before), "id") == id
		}
		if c.Addr == o.Instance && c.Deposed == "" && c.Action == plan.CreateThenDelete {
			return attribute(bare(c.Before), "id") == id
		}
	}
	return false
}

// read is told what became of a refresh.
func (w *witness) read(prior, answer cty.Value) {
	if w.denied != nil && answer != cty.NilVal && answer.IsNull() {
		w.denied[attribute(prior, "id")] = true
	}
}

// answered is told what came of it.
func (w *witness) answered(res provider.ApplyResponse, failed bool) {
	if w.durable == nil {
		return
	}
	a := &w.acts[len(w.acts)-1]
	a.failed, a.silent, a.is = failed, res.New.IsZero(), attribute(plain(res.New), "id")
	if a.op == "delete" && !failed {
		w.dead[a.was] = true
	}
	delete(w.dead, a.is)
}

// tangled says whether what the state remembers to depend on each other, and what is
// to, goes in circles, or may do so because a provider that ends something is
// configured with what is replaced. Then not all of it can be honoured.
func tangled(d *plan.Document) bool {
	needs := map[addr.ConfigResource][]addr.ConfigResource{}
	for _, s := range []*state.Snapshot{d.PrevRun, d.Prior} {
		for at, o := range s.Objects() {
			needs[at.Instance.Config()] = append(needs[at.Instance.Config()], o.Dependencies...)
		}
	}
	for _, c := range d.Changes {
		if c.Provider.Alias == "late" && (c.Action == plan.Delete || c.Action.IsReplace()) {
			return true
		}
		needs[c.Addr.Config()] = append(needs[c.Addr.Config()], c.Dependencies...)
	}
	const begun, done = 1, 2
	seen := map[addr.ConfigResource]int{}
	var circle func(addr.ConfigResource) bool
	circle = func(r addr.ConfigResource) bool {
		if seen[r] != 0 {
			return seen[r] == begun
		}
		seen[r] = begun
		found := slices.ContainsFunc(needs[r], circle)
		seen[r] = done
		return found
	}
	for r := range needs {
		if circle(r) {
			return true
		}
	}
	return false
}
