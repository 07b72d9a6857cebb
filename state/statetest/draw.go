package statetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

var modules = []string{"", "module.a", `module.a["x"]`, "module.a[2]", "module.a[10]", "module.a-b.module.c", `module.z["}\"$${"].module.c[0]`}

var keys = []addr.InstanceKey{addr.NoKey, addr.IntKey(0), addr.IntKey(2), addr.IntKey(10), addr.StringKey(""), addr.StringKey("a"), addr.StringKey("é\n\"<")}

// Resource draws the address of a resource out of a small set.
func Resource(t *rapid.T) addr.AbsResource {
	m, err := addr.ParseModuleInstance(rapid.SampledFrom(modules).Draw(t, "module"))
	if err != nil {
		t.Fatal(err)
	}
	return addr.AbsResource{Module: m, Resource: addr.Resource{
		Mode: rapid.SampledFrom([]addr.Mode{addr.Managed, addr.Managed, addr.Data}).Draw(t, "mode"),
		Type: rapid.SampledFrom([]string{"a_a", "a_b"}).Draw(t, "type"),
		Name: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name"),
	}}
}

// Instance draws the address of a resource instance.
func Instance(t *rapid.T) addr.AbsInstance {
	return Resource(t).Instance(rapid.SampledFrom(keys).Draw(t, "key"))
}

// Provider draws a provider configuration address.
func Provider(t *rapid.T) addr.ProviderConfig {
	c := addr.ProviderConfig{
		Provider: rapid.SampledFrom([]addr.Provider{addr.Builtin("terraform"), {Host: addr.DefaultHost, Namespace: "hashicorp", Type: "a"}}).Draw(t, "provider"),
		Alias:    rapid.SampledFrom([]string{"", "east"}).Draw(t, "alias"),
	}
	if rapid.Bool().Draw(t, "in module") {
		c.Module = addr.ModuleOf("a", "b")
	}
	if rapid.IntRange(0, 7).Draw(t, "for_each") == 0 {
		c.Alias, c.Key = "by", addr.StringKey("eu")
	}
	return c
}

// Object draws an object. Data source results are never tainted.
func Object(t *rapid.T, mode addr.Mode) *state.Object {
	o := &state.Object{SchemaVersion: int64(rapid.IntRange(0, 2).Draw(t, "version"))}
	if rapid.IntRange(0, 9).Draw(t, "flat") == 0 {
		o.Flat = map[string]string{"id": rapid.String().Draw(t, "id"), "tags.%": "0"}
	} else {
		o.Attrs = attributes(t)
	}
	if mode == addr.Managed && rapid.Bool().Draw(t, "tainted") {
		o.Status = state.Tainted
	}
	if rapid.Bool().Draw(t, "private") {
		o.Private = rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "private bytes")
	}
	if rapid.IntRange(0, 2).Draw(t, "sensitive") == 0 {
		o.Sensitive = []cty.Path{cty.GetAttrPath("a").IndexInt(3).GetAttr("b"), cty.GetAttrPath("b").IndexString("k<"), cty.GetAttrPath("c").Index(cty.NumberFloatVal(1.5))}[:rapid.IntRange(1, 3).Draw(t, "paths")]
	}
	o.Dependencies = dependencies(t)
	o.CreateBeforeDestroy = rapid.Bool().Draw(t, "cbd")
	o.SkipDestroy = rapid.IntRange(0, 4).Draw(t, "skip") == 0
	if rapid.IntRange(0, 2).Draw(t, "identity") == 0 {
		o.Identity, o.IdentityVersion = []byte(`{"id":"i"}`), int64(rapid.IntRange(0, 3).Draw(t, "identity version"))
	}
	return o
}

func attributes(t *rapid.T) []byte {
	values := map[string]any{
		"id":   rapid.String().Draw(t, "id"),
		"none": nil,
		"list": rapid.SliceOfN(rapid.Int(), 0, 3).Draw(t, "list"),
		"map":  rapid.MapOfN(rapid.String(), rapid.String(), 0, 2).Draw(t, "map"),
	}
	b, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func dependencies(t *rapid.T) []addr.ConfigResource {
	text := map[string]addr.ConfigResource{}
	for range rapid.IntRange(0, 3).Draw(t, "dependencies") {
		r := Resource(t).Config()
		text[r.String()] = r
	}
	var out []addr.ConfigResource
	for _, r := range text {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
}

var outputs = []cty.Value{
	cty.StringVal("a\n<&>"), cty.Zero, cty.True, cty.MustParseNumberVal("123456789012345678901234567890.5"),
	cty.ListValEmpty(cty.String), cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")}),
	cty.MapVal(map[string]cty.Value{"k": cty.NullVal(cty.Number)}),
	cty.ObjectVal(map[string]cty.Value{"t": cty.TupleVal([]cty.Value{cty.True, cty.EmptyObjectVal}), "n": cty.NullVal(cty.DynamicPseudoType)}),
	cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.String)})}),
}

// Output draws an output value.
func Output(t *rapid.T) state.Output {
	return state.Output{
		Value:      rapid.SampledFrom(outputs).Draw(t, "value"),
		Sensitive:  rapid.Bool().Draw(t, "sensitive"),
		Deprecated: rapid.SampledFrom([]string{"", "", "use <b>"}).Draw(t, "deprecated"),
	}
}

// Checks draws check results.
func Checks(t *rapid.T) []state.CheckResult {
	status := rapid.SampledFrom([]state.CheckStatus{state.CheckUnknown, state.CheckPass, state.CheckFail, state.CheckError})
	var out []state.CheckResult
	for i := range rapid.IntRange(0, 2).Draw(t, "checks") {
		c := state.CheckResult{
			Kind:       rapid.SampledFrom([]string{"check", "output", "resource", "var", "novel"}).Draw(t, "kind"),
			ConfigAddr: fmt.Sprintf("check.c%d", i),
			Status:     status.Draw(t, "status"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "objects") {
			c.Objects = append(c.Objects, state.CheckObject{Addr: c.ConfigAddr, Status: status.Draw(t, "status"), Failures: []string{"it is <bad>"}[:rapid.IntRange(0, 1).Draw(t, "failures")]})
		}
		out = append(out, c)
	}
	return out
}

// Edit draws an edit that fits s.
func Edit(t *rapid.T, s *state.Snapshot) state.Edit {
	var objects, current, deposed []addr.Object
	for at := range s.Objects() {
		objects = append(objects, at)
		switch {
		case at.Deposed != "":
			deposed = append(deposed, at)
		case at.Instance.Resource.Mode == addr.Managed:
			current = append(current, at)
		}
	}
	vacant := slices.DeleteFunc(slices.Clone(deposed), func(o addr.Object) bool {
		return s.Object(addr.Object{Instance: o.Instance}) != nil
	})
	kind := rapid.IntRange(0, 15).Draw(t, "edit")
	switch {
	case kind == 0 && len(objects) > 0:
		return state.Drop{Object: rapid.SampledFrom(objects).Draw(t, "object")}
	case kind == 1 && len(current) > 0:
		return depose(t, s, current)
	case kind == 2 && len(vacant) > 0:
		o := rapid.SampledFrom(vacant).Draw(t, "object")
		return state.Undepose{Instance: o.Instance, Key: o.Deposed}
	case kind == 3 && len(current) > 0:
		return state.Taint{Instance: rapid.SampledFrom(current).Draw(t, "object").Instance, Tainted: rapid.Bool().Draw(t, "taint")}
	case kind == 4 && len(objects) > 0:
		return rebind(t, s, objects)
	case kind == 5:
		return state.PutProvider{Resource: Resource(t), Provider: Provider(t)}
	case kind == 6:
		return state.Prune{}
	case kind == 7 || kind == 8:
		return state.PutOutput{Name: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"), Output: Output(t)}
	case kind == 9:
		return state.DropOutput{Name: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")}
	case kind == 10:
		return state.PutChecks{Checks: Checks(t)}
	case kind == 12:
		return state.Settle{Object: addr.Object{Instance: Instance(t)}}
	case kind == 11:
		return state.Intent{Object: addr.Object{Instance: Instance(t)}, Op: "create", Digest: "d"}
	}
	return put(t)
}

func put(t *rapid.T) state.Edit {
	i := Instance(t)
	e := state.Put{Object: addr.Object{Instance: i}, Provider: Provider(t), New: Object(t, i.Resource.Mode)}
	if i.Resource.Mode == addr.Managed && rapid.IntRange(0, 4).Draw(t, "deposed") == 0 {
		e.Object.Deposed = rapid.SampledFrom([]addr.DeposedKey{"0000aaaa", "0000bbbb"}).Draw(t, "deposed key")
	}
	return e
}

func depose(t *rapid.T, s *state.Snapshot, current []addr.Object) state.Edit {
	o := rapid.SampledFrom(current).Draw(t, "object")
	for n := 0; ; n++ {
		k := addr.DeposedKey(fmt.Sprintf("%08x", n))
		if s.Object(addr.Object{Instance: o.Instance, Deposed: k}) == nil {
			return state.Depose{Instance: o.Instance, Key: k}
		}
	}
}

// rebind moves an instance to a free address of its mode.
func rebind(t *rapid.T, s *state.Snapshot, objects []addr.Object) state.Edit {
	from := rapid.SampledFrom(objects).Draw(t, "object").Instance
	to := Instance(t)
	to.Resource.Mode = from.Resource.Mode
	for n := 100; s.Instance(to) != nil; n++ {
		to.Key = addr.IntKey(n)
	}
	return state.Rebind{From: from, To: to}
}

// Snapshot draws a snapshot and the edits that made it from nothing.
func Snapshot(t *rapid.T) (*state.Snapshot, []state.Edit) {
	s := state.New("11111111-2222-3333-4444-555555555555")
	var edits []state.Edit
	for range rapid.IntRange(0, 20).Draw(t, "edits") {
		e := Edit(t, s)
		next, err := s.Apply(e)
		if err != nil {
			t.Fatal(err)
		}
		s, edits = next, append(edits, e)
	}
	return s, edits
}
