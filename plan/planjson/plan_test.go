package planjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/plan/planjson"
	"github.com/plumb-iac/plumb/plan/planjson/plantest"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/test/golden"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/tools/txtar"
)

// Each story is a plan and, as the file "want", its JSON, indented.
func TestStories(t *testing.T) {
	golden.Stories(t, "testdata/*.txtar", func(t *testing.T, a *txtar.Archive) string {
		d, err := plantest.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		d.Timestamp = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		d.Variables = map[string]plan.Variable{"v": {Value: cty.True, Shown: cty.True}, "e": {Ephemeral: true, Set: true}}
		var b, pretty bytes.Buffer
		if err := planjson.WritePlan(&b, d, planjson.Options{Version: "1.2.3"}); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&pretty, b.Bytes(), "", " "); err != nil {
			t.Fatal(err)
		}
		return pretty.String()
	})
}

var disk = &schema.Resource{Version: 3, Block: schema.NewBlock([]*schema.Attribute{
	{Name: "id", Type: cty.String, Computed: true}, {Name: "token", Type: cty.String, Sensitive: true}, {Name: "free", Type: cty.DynamicPseudoType},
}, nil)}

func TestState(t *testing.T) {
	inst, _ := addr.ParseInstance(`module.m["k"].test_disk.a[1]`)
	root, _ := addr.ParseInstance(`test_disk.r`)
	dep, _ := addr.ParseConfigResource("test_disk.r")
	p := addr.ProviderConfig{Provider: addr.Provider{Host: addr.DefaultHost, Namespace: "example", Type: "test"}}
	s, err := state.New("l").WithVersion("1.2.3").Apply(
		state.Put{Object: addr.Object{Instance: inst}, Provider: p, New: &state.Object{
			SchemaVersion: 3, Attrs: []byte(`{"id":"1","token":"t","free":{"type":["tuple",["number"]],"value":[1]}}`),
			Sensitive: []cty.Path{cty.GetAttrPath("free").IndexInt(0)}, Dependencies: []addr.ConfigResource{dep}, Status: state.Tainted,
		}},
		state.Put{Object: addr.Object{Instance: inst, Deposed: "0123abcd"}, Provider: p, New: &state.Object{Attrs: []byte(`{"id":"0"}`)}},
		state.Put{Object: addr.Object{Instance: root}, Provider: p, New: &state.Object{Attrs: []byte(`{"id":"2"}`), Identity: []byte(`{"id":"2"}`)}},
		state.PutOutput{Name: "o", Output: state.Output{Value: cty.StringVal("x"), Sensitive: true}},
		state.PutChecks{Checks: []state.CheckResult{
			{Kind: "output", ConfigAddr: "module.m.output.o", Status: state.CheckFail, Objects: []state.CheckObject{{Addr: `module.m["k"].output.o`, Status: state.CheckFail, Failures: []string{"no"}}}},
			{Kind: "resource", ConfigAddr: "test_disk.r", Status: state.CheckPass, Objects: []state.CheckObject{{Addr: "test_disk.r", Status: state.CheckPass}}},
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	find := func(addr.Provider, addr.Mode, string) *schema.Resource { return disk }
	if err := planjson.WriteState(&b, s, find); err != nil {
		t.Fatal(err)
	}
	want := `{"format_version":"1.0","terraform_version":"1.2.3","values":{"outputs":{"o":{"sensitive":true,"value":"x","type":"string"}},` +
		`"root_module":{"resources":[{"address":"test_disk.r","mode":"managed","type":"test_disk","name":"r","provider_name":"registry.terraform.io/example/test",` +
		`"schema_version":0,"values":{"free":null,"id":"2","token":null},"sensitive_values":{"token":true},"identity_schema_version":0,"identity":{"id":"2"}}],` +
		`"child_modules":[{"resources":[{"address":"module.m[\"k\"].test_disk.a[1]","mode":"managed","type":"test_disk","name":"a","index":1,` +
		`"provider_name":"registry.terraform.io/example/test","schema_version":3,"values":{"free":[1],"id":"1","token":"t"},` +
		`"sensitive_values":{"free":[true],"token":true},"depends_on":["test_disk.r"],"tainted":true},` +
		`{"address":"module.m[\"k\"].test_disk.a[1]","mode":"managed","type":"test_disk","name":"a","index":1,"provider_name":"registry.terraform.io/example/test",` +
		`"schema_version":0,"values":{"free":null,"id":"0","token":null},"sensitive_values":{"token":true},"deposed_key":"0123abcd"}],"address":"module.m[\"k\"]"}]}},` +
		`"checks":[{"address":{"to_display":"module.m.output.o","kind":"output_value","module":"module.m","name":"o"},"status":"fail",` +
		`"instances":[{"address":{"to_display":"module.m[\"k\"].output.o","module":"module.m[\"k\"]"},"status":"fail","problems":[{"message":"no"}]}]},` +
		`{"address":{"to_display":"test_disk.r","kind":"resource","mode":"managed","type":"test_disk","name":"r"},"status":"pass",` +
		`"instances":[{"address":{"to_display":"test_disk.r"},"status":"pass"}]}]}` + "\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestEmptyStateHasNoValues(t *testing.T) {
	var b bytes.Buffer
	if err := planjson.WriteState(&b, state.New("l").WithVersion("1.2.3"), nil); err != nil || b.String() != "{\"format_version\":\"1.0\"}\n" {
		t.Errorf("%s %v", b.String(), err)
	}
}

// Four times the resources may cost four times the work, not more.
func TestGrowth(t *testing.T) {
	cost := func(n int) float64 {
		d := &plan.Document{}
		for i := range n {
			at := addr.AbsInstance{Module: addr.RootInstance.Child(fmt.Sprint("m", i/10), addr.NoKey), Resource: addr.Resource{Mode: addr.Managed, Type: "test_disk", Name: "a"}, Key: addr.IntKey(i)}
			v := value.V(cty.ObjectVal(map[string]cty.Value{"id": cty.UnknownVal(cty.String), "token": cty.StringVal("t").WithMarks(nil), "free": cty.EmptyTupleVal}))
			d.Changes = append(d.Changes, &plan.Change{Addr: at, PrevAddr: at, Action: plan.Create, After: v, Schema: disk})
		}
		return testing.AllocsPerRun(1, func() { _ = planjson.WritePlan(io.Discard, d, planjson.Options{}) })
	}
	if small, large := cost(500), cost(2000); large > 4.4*small {
		t.Errorf("%.0f allocations for 500 resources, %.0f for 2000", small, large)
	}
}
