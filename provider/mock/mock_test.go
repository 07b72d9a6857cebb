package mock_test

import (
	"context"
	"crypto/rand"
	"regexp"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/fake"
	"github.com/plumb-iac/plumb/provider/mock"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

const script = `
resource disk
  id    string computed
  found nested(list) computed
    at  string computed
  name  string required
  size  number optional computed
  token string optional write_only
  parts nested(set) optional
    port number required
    hash string computed
  block rule list
    name string required
    on   bool computed
`

func around(t *testing.T) provider.Provider {
	t.Helper()
	p, err := fake.New(script)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var config = cty.ObjectVal(map[string]cty.Value{
	"found": cty.NullVal(cty.List(cty.Object(map[string]cty.Type{"at": cty.String}))), "id": cty.NullVal(cty.String), "name": cty.StringVal("n"), "size": cty.NullVal(cty.Number), "token": cty.NullVal(cty.String),
	"parts": cty.SetVal([]cty.Value{
		cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(1), "hash": cty.NullVal(cty.String)}),
		cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(2), "hash": cty.NullVal(cty.String)}),
	}),
	"rule": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("r"), "on": cty.NullVal(cty.Bool)})}),
})

// life plans, plans again as an apply does, and applies.
func life(t *testing.T, p provider.Provider, config cty.Value) (planned, made cty.Value) {
	t.Helper()
	ctx := context.Background()
	null := value.Null(config.Type())
	first, diags := p.Plan(ctx, provider.PlanRequest{TypeName: "disk", Prior: null, Proposed: value.MustBare(config), Config: value.MustBare(config)})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	again, diags := p.Plan(ctx, provider.PlanRequest{TypeName: "disk", Prior: null, Proposed: value.MustBare(config), Config: value.MustBare(config), PlannedPrivate: first.Private})
	if diags.HasErrors() || !again.Planned.Cty().RawEquals(first.Planned.Cty()) {
		t.Fatalf("planned again as %#v, before as %#v: %v", again.Planned.Cty(), first.Planned.Cty(), diags)
	}
	res, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: "disk", Prior: null, Planned: again.Planned, Config: value.MustBare(config), Private: again.Private})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return again.Planned.Cty(), res.New.Cty()
}

func TestGenerated(t *testing.T) {
	random := mock.Strings{Random: rand.Reader}
	p := mock.New(around(t), mock.Spec{Strings: random})
	planned, made := life(t, p, config)
	if planned.GetAttr("id").IsKnown() || planned.GetAttr("size").IsKnown() || !planned.GetAttr("token").IsNull() {
		t.Errorf("planned %#v", planned)
	}
	id := regexp.MustCompile(`^[a-z0-9]{8}$`)
	if !made.IsWhollyKnown() || !id.MatchString(made.GetAttr("id").AsString()) || !made.GetAttr("size").RawEquals(cty.NumberIntVal(0)) {
		t.Errorf("made %#v", made)
	}
	if n := made.GetAttr("parts").LengthInt(); n != 2 {
		t.Errorf("%d parts", n)
	}
	if on := made.GetAttr("rule").Index(cty.NumberIntVal(0)).GetAttr("on"); !on.RawEquals(cty.False) {
		t.Errorf("on is %#v", on)
	}
	if _, other := life(t, p, config); other.GetAttr("id").RawEquals(made.GetAttr("id")) {
		t.Error("two objects have the same generated id")
	}
	steady := mock.New(around(t), mock.Spec{Strings: mock.Strings{Length: 4}})
	_, a := life(t, steady, config)
	_, b := life(t, steady, config)
	if !a.RawEquals(b) || len(a.GetAttr("id").AsString()) != 4 {
		t.Errorf("%#v and %#v", a, b)
	}
}

func TestGiven(t *testing.T) {
	given := cty.ObjectVal(map[string]cty.Value{
		"id": cty.StringVal("i"), "name": cty.StringVal("other"), "nosuch": cty.True, "size": cty.StringVal("12"),
		"found": cty.ObjectVal(map[string]cty.Value{"at": cty.StringVal("of each")}),
		"parts": cty.MapVal(map[string]cty.Value{"hash": cty.StringVal("h")}),
	})
	key := mock.Key{Mode: addr.Managed, Type: "disk"}
	for _, atPlan := range []bool{false, true} {
		p := mock.New(around(t), mock.Spec{Types: map[mock.Key]mock.Values{key: {Given: given, AtPlan: atPlan}}, Strings: mock.Strings{Random: rand.Reader}})
		planned, made := life(t, p, config)
		if planned.GetAttr("id").IsKnown() != atPlan {
			t.Errorf("at plan: %v, planned %#v", atPlan, planned)
		}
		want := map[string]cty.Value{"id": cty.StringVal("i"), "name": cty.StringVal("n"), "size": cty.NumberIntVal(12)}
		for name, v := range want {
			if !made.GetAttr(name).RawEquals(v) {
				t.Errorf("%s is %#v, want %#v", name, made.GetAttr(name), v)
			}
		}
		if n := made.GetAttr("found").LengthInt(); n != 0 {
			t.Errorf("%d found, though nothing says how many", n)
		}
		for it := made.GetAttr("parts").ElementIterator(); it.Next(); {
			if _, e := it.Element(); !e.GetAttr("hash").RawEquals(cty.StringVal("h")) {
				t.Errorf("part %#v", e)
			}
		}
	}
}

// What exists stays as it is, and what goes is gone.
func TestKept(t *testing.T) {
	ctx := context.Background()
	p := mock.New(around(t), mock.Spec{Strings: mock.Strings{Random: rand.Reader}})
	_, made := life(t, p, config)
	prior := value.MustBare(made)
	if res, diags := p.Read(ctx, provider.ReadRequest{TypeName: "disk", Prior: prior}); diags.HasErrors() || !res.New.Cty().RawEquals(made) {
		t.Errorf("read %#v, %v", res.New.Cty(), diags)
	}
	if res, diags := p.Plan(ctx, provider.PlanRequest{TypeName: "disk", Prior: prior, Proposed: prior, Config: value.MustBare(config)}); diags.HasErrors() || !res.Planned.Cty().RawEquals(made) {
		t.Errorf("planned %#v, %v", res.Planned.Cty(), diags)
	}
	null := value.Null(made.Type())
	if res, diags := p.Plan(ctx, provider.PlanRequest{TypeName: "disk", Prior: prior, Proposed: null, Config: null}); diags.HasErrors() || !res.Planned.Cty().IsNull() {
		t.Errorf("planned the end as %#v, %v", res.Planned.Cty(), diags)
	}
	if res, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: "disk", Prior: prior, Planned: null, Config: null}); diags.HasErrors() || !res.New.Cty().IsNull() {
		t.Errorf("ended as %#v, %v", res.New.Cty(), diags)
	}
}

func TestMisfit(t *testing.T) {
	p := mock.New(around(t), mock.Spec{Other: mock.Values{Given: cty.ObjectVal(map[string]cty.Value{"size": cty.StringVal("x")})}})
	planned := map[string]cty.Value{}
	for name, v := range config.AsValueMap() {
		planned[name] = v
	}
	planned["size"] = cty.UnknownVal(cty.Number)
	res, diags := p.Apply(context.Background(), provider.ApplyRequest{TypeName: "disk", Prior: value.Null(config.Type()), Planned: value.MustBare(cty.ObjectVal(planned)), Config: value.MustBare(config)})
	if !diags.HasErrors() || diags[0].Summary != "Failed to compute attribute" || !res.New.Cty().IsNull() {
		t.Errorf("%#v, %v", res.New, diags)
	}
}

func TestImport(t *testing.T) {
	req := provider.ImportRequest{TypeName: "disk", ID: "x"}
	if _, diags := mock.New(around(t), mock.Spec{}).Import(context.Background(), req); !diags.HasErrors() {
		t.Error("a mocked provider imported something")
	}
	given := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("x"), "name": cty.StringVal("found")})
	res, diags := mock.New(around(t), mock.Spec{Other: mock.Values{Given: given}, Imports: true}).Import(context.Background(), req)
	if diags.HasErrors() || len(res.Imported) != 1 {
		t.Fatal(res, diags)
	}
	if got := res.Imported[0].State.Cty(); got.GetAttr("name").AsString() != "found" || got.GetAttr("id").AsString() != "x" || !got.IsWhollyKnown() {
		t.Errorf("%#v", got)
	}
}
