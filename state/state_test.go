package state_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/state/statetest"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// dump is a snapshot as a map from address to object: the model that the tree
// is compared with.
func dump(s *state.Snapshot) map[addr.Object]*state.Object {
	m := map[addr.Object]*state.Object{}
	for at, o := range s.Objects() {
		m[at] = o
	}
	return m
}

// model applies an edit to a map the plain way.
func model(m map[addr.Object]*state.Object, e state.Edit) {
	switch e := e.(type) {
	case state.Put:
		m[e.Object] = e.New
	case state.Drop:
		delete(m, e.Object)
	case state.Depose:
		cur := addr.Object{Instance: e.Instance}
		m[addr.Object{Instance: e.Instance, Deposed: e.Key}] = m[cur]
		delete(m, cur)
	case state.Undepose:
		old := addr.Object{Instance: e.Instance, Deposed: e.Key}
		m[addr.Object{Instance: e.Instance}] = m[old]
		delete(m, old)
	case state.Taint:
		o := *m[addr.Object{Instance: e.Instance}]
		o.Status = state.Ready
		if e.Tainted {
			o.Status = state.Tainted
		}
		m[addr.Object{Instance: e.Instance}] = &o
	case state.Rebind:
		for at, o := range m {
			if at.Instance == e.From {
				delete(m, at)
				moved := *o
				moved.Dependencies = state.Others(o.Dependencies, e.To.Config())
				m[addr.Object{Instance: e.To, Deposed: at.Deposed}] = &moved
			}
		}
	}
}

func TestEditsAgreeWithAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := state.New("l")
		m := map[addr.Object]*state.Object{}
		for range rapid.IntRange(1, 25).Draw(t, "n") {
			e := statetest.Edit(t, s)
			before := dump(s)
			next, err := s.Apply(e)
			if err != nil {
				t.Fatalf("%s: %v", e, err)
			}
			if !same(before, dump(s)) {
				t.Fatalf("%s changed the snapshot it was applied to", e)
			}
			if (next == s) != next.Equal(s) {
				t.Fatalf("%s: same pointer %v, equal %v", e, next == s, next.Equal(s))
			}
			s = next
			model(m, e)
			if !same(m, dump(s)) || s.Count() != len(m) {
				t.Fatalf("after %s: %d objects (counted %d), want %d", e, len(dump(s)), s.Count(), len(m))
			}
			for at, o := range m {
				if !s.Object(at).Equal(o) {
					t.Fatalf("lookup of %s differs", at)
				}
			}
			if d := s.Check(); d != nil {
				t.Fatal(d)
			}
			checkOrder(t, s)
		}
	})
}

func same(a, b map[addr.Object]*state.Object) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if !v.Equal(b[k]) {
			return false
		}
	}
	return true
}

func checkOrder(t *rapid.T, s *state.Snapshot) {
	var last *state.Resource
	for r := range s.Resources() {
		if last != nil && !last.Addr().Less(r.Addr()) {
			t.Fatalf("%s comes before %s", last.Addr(), r.Addr())
		}
		last = r
		keys := slices.Collect(r.Instances())
		if !slices.IsSortedFunc(keys, func(a, b *state.Instance) int {
			if a.Key().Less(b.Key()) {
				return -1
			}
			return 1
		}) {
			t.Fatalf("instances of %s are out of order", r.Addr())
		}
	}
}

func TestAssembleAgreesWithEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := statetest.Snapshot(t)
		var entries []state.Entry
		for r := range s.Resources() {
			p := r.Provider()
			if r.Len() == 0 {
				entries = append(entries, state.Entry{Object: addr.Object{Instance: r.Addr().Instance(addr.NoKey)}, Provider: &p})
			}
			for i := range r.Instances() {
				ip := i.Provider()
				for k, o := range i.Objects() {
					entries = append(entries, state.Entry{Object: addr.Object{Instance: r.Addr().Instance(i.Key()), Deposed: k}, Provider: &ip, Own: i.OwnProvider(), Value: o})
				}
			}
		}
		entries = rapid.Permutation(entries).Draw(t, "order")
		outputs := map[string]state.Output{}
		for name, o := range s.Outputs() {
			outputs[name] = o
		}
		got, err := state.Assemble(state.Header{Lineage: "x"}, entries, outputs, s.Checks())
		if err != nil {
			t.Fatal(err)
		}
		if !same(dump(s), dump(got)) || got.Count() != s.Count() || got.Len() != s.Len() {
			t.Fatal("the assembled snapshot differs")
		}
		if len(entries) > 0 && entries[0].Value != nil {
			if _, err := state.Assemble(state.Header{}, append(entries, entries[0]), nil, nil); err == nil {
				t.Fatal("two objects at one address were accepted")
			}
		}
	})
}

func TestEditsThatDoNotFit(t *testing.T) {
	x := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}}
	y, d := x, x
	y.Resource.Name = "y"
	d.Resource.Mode = addr.Data
	e := x
	e.Resource.Mode = addr.Ephemeral
	p := addr.ProviderConfig{Provider: addr.Builtin("terraform")}
	o := &state.Object{Attrs: []byte(`{}`)}
	obj := func(i addr.AbsInstance) addr.Object { return addr.Object{Instance: i} }
	s, err := state.New("l").Apply(state.Put{Object: obj(x), Provider: p, New: o}, state.Put{Object: obj(y), Provider: p, New: o}, state.Put{Object: obj(d), Provider: p, New: o},
		state.Put{Object: addr.Object{Instance: x, Deposed: "00000001"}, Provider: p, New: o})
	if err != nil {
		t.Fatal(err)
	}
	none := x
	none.Key = addr.IntKey(7)
	for _, test := range []struct {
		edit      state.Edit
		invariant string
	}{
		{state.Put{Object: obj(e), Provider: p, New: o}, "S2"},
		{state.Put{Object: obj(x), Provider: p, New: nil}, "S3"},
		{state.Put{Object: obj(x), Provider: p, New: &state.Object{}}, "S3"},
		{state.Put{Object: addr.Object{Instance: x, Deposed: "no"}, Provider: p, New: o}, "S5"},
		{state.Put{Object: addr.Object{Instance: d, Deposed: "00000001"}, Provider: p, New: o}, "S10"},
		{state.Put{Object: obj(d), Provider: p, New: &state.Object{Attrs: o.Attrs, Status: state.Tainted}}, "S10"},
		{state.Put{Object: obj(addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "new"}}), New: o}, "S8"},
		{state.Depose{Instance: none, Key: "00000001"}, "S6"},
		{state.Depose{Instance: x, Key: "00000001"}, "S5"},
		{state.Depose{Instance: x, Key: "xyz"}, "S5"},
		{state.Depose{Instance: d, Key: "00000001"}, "S10"},
		{state.Undepose{Instance: x, Key: "00000002"}, "S6"},
		{state.Undepose{Instance: x, Key: "00000001"}, "S7"},
		{state.Undepose{Instance: x, Key: ""}, "S6"},
		{state.Taint{Instance: none, Tainted: true}, "S6"},
		{state.Taint{Instance: d, Tainted: true}, "S10"},
		{state.Rebind{From: none, To: y}, "S6"},
		{state.Rebind{From: x, To: y}, "S7"},
		{state.PutProvider{Resource: x.Abs(), Provider: addr.ProviderConfig{}}, "S8"},
		{state.PutProvider{Resource: e.Abs(), Provider: p}, "S2"},
		{state.PutOutput{Name: "o", Output: state.Output{}}, "S9"},
		{state.PutOutput{Name: "o", Output: state.Output{Value: cty.UnknownVal(cty.String)}}, "S9"},
		{state.PutOutput{Name: "o", Output: state.Output{Value: cty.True.Mark(1)}}, "S9"},
	} {
		got, err := s.Apply(state.DropOutput{Name: "nothing"}, test.edit)
		var ee *state.EditError
		if !errors.As(err, &ee) || ee.Invariant != test.invariant {
			t.Errorf("%s: got error %v, want invariant %s", test.edit, err, test.invariant)
		}
		if got != s {
			t.Errorf("%s: the snapshot changed", test.edit)
		}
	}
}

func TestProviderOfInstances(t *testing.T) {
	r := addr.AbsResource{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}}
	a := addr.ProviderConfig{Provider: addr.Builtin("a")}
	b := addr.ProviderConfig{Provider: addr.Builtin("b")}
	each := addr.ProviderConfig{Provider: addr.Builtin("a"), Alias: "by", Key: addr.StringKey("eu")}
	o := &state.Object{Attrs: []byte(`{}`)}
	at := func(n int) addr.Object { return addr.Object{Instance: r.Instance(addr.IntKey(n))} }
	s, err := state.New("").Apply(state.Put{Object: at(0), Provider: a, New: o}, state.Put{Object: at(1), Provider: a, New: o}, state.Put{Object: at(2), Provider: each, New: o}, state.Put{Object: at(1), Provider: b, New: o})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i := range s.Resource(r).Instances() {
		got += fmt.Sprintln(i.Key(), i.Provider(), i.OwnProvider())
	}
	want := "[0] provider[\"terraform.io/builtin/b\"] false\n[1] provider[\"terraform.io/builtin/b\"] false\n[2] provider[\"terraform.io/builtin/a\"].by[\"eu\"] true\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func BenchmarkPut100000(b *testing.B) {
	p := addr.ProviderConfig{Provider: addr.Builtin("terraform")}
	o := &state.Object{Attrs: []byte(`{}`)}
	for _, shape := range []string{"count", "names"} {
		b.Run(shape, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := state.New("")
				for n := range 100_000 {
					at := addr.AbsInstance{Resource: addr.Resource{Mode: addr.Managed, Type: "t", Name: "x"}, Key: addr.IntKey(n)}
					if shape == "names" {
						at.Resource.Name, at.Key = fmt.Sprint("x", n), addr.NoKey
					}
					s, _ = s.Apply(state.Put{Object: addr.Object{Instance: at}, Provider: p, New: o})
				}
			}
		})
	}
}
