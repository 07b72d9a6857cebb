package builtin

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/config"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// rig is a provider whose ids are id-1, id-2 and so on.
func rig(options Options) *Provider {
	n := 0
	options.NewID = func() string { n++; return fmt.Sprintf("id-%d", n) }
	return New(options)
}

// read makes the value of a schema's type of text like `input = 1`; "?" in it
// is unknown. Empty text is no object.
func read(t testing.TB, text string, of cty.Type) cty.Value {
	t.Helper()
	if text == "" {
		return cty.NullVal(of)
	}
	vars, diags := config.ParseVarFile("test.tfvars", []byte(strings.ReplaceAll(text, "; ", "\n")+"\n"))
	if diags.HasErrors() {
		t.Fatalf("%s: %v", text, diags)
	}
	attrs := map[string]cty.Value{}
	for name, v := range vars {
		attrs[name], _ = cty.Transform(v.Value, func(_ cty.Path, v cty.Value) (cty.Value, error) {
			if v.Type() == cty.String && v.IsKnown() && !v.IsNull() && v.AsString() == "?" {
				return cty.UnknownVal(cty.String), nil
			}
			return v, nil
		})
	}
	return fill(attrs, of)
}

// fill completes an object with nulls.
func fill(attrs map[string]cty.Value, of cty.Type) cty.Value {
	out := map[string]cty.Value{}
	for name, t := range of.AttributeTypes() {
		v, ok := attrs[name]
		switch {
		case !ok || v.IsNull():
			out[name] = cty.NullVal(t)
		case t.IsObjectType():
			out[name] = fill(v.AsValueMap(), t)
		default:
			out[name] = v
		}
	}
	return cty.ObjectVal(out)
}

// show is the reverse of read, sorted and without nulls.
func show(v cty.Value) string {
	switch {
	case v == cty.NilVal:
		return "nothing"
	case v.IsNull():
		return "null"
	case !v.IsKnown():
		return "?" + strings.TrimPrefix(v.Type().FriendlyName(), "dynamic")
	case v.Type().IsObjectType():
		var out []string
		for name, v := range v.AsValueMap() {
			if !v.IsNull() {
				out = append(out, name+"="+show(v))
			}
		}
		sort.Strings(out)
		return "{" + strings.Join(out, " ") + "}"
	}
	text, err := encodeExpr(v)
	if err != nil || !text.IsKnown() {
		return fmt.Sprintf("%#v", v)
	}
	return text.AsString()
}

// propose is what an engine proposes: the configuration, and what the provider
// computed before.
func propose(prior, config cty.Value) cty.Value {
	if prior.IsNull() || config.IsNull() {
		return config
	}
	out := config.AsValueMap()
	out["id"], out["output"] = prior.GetAttr("id"), prior.GetAttr("output")
	if was, is := prior.GetAttr("store"), config.GetAttr("store"); !was.IsNull() && !is.IsNull() {
		store := is.AsValueMap()
		store["output"], store["sensitive_output"] = was.GetAttr("output"), was.GetAttr("sensitive_output")
		out["store"] = cty.ObjectVal(store)
	}
	return cty.ObjectVal(out)
}

func TestDataLife(t *testing.T) {
	const id = `id = "id-1"; `
	for _, c := range []struct {
		about, prior, config, planned, replace, applied string
	}{
		{"empty", "", `input = null`, `{id=?string}`, "", `{id="id-1"}`},
		{"create", "", `input = "a"`, `{id=?string input="a" output=?string}`, "", `{id="id-1" input="a" output="a"}`},
		{"create of unknown", "", `input = "?"`, `{id=?string input=?string output=?string}`, "", ""},
		{"no change", id + `input = "a"; output = "a"`, `input = "a"`, `{id="id-1" input="a" output="a"}`, "", `{id="id-1" input="a" output="a"}`},
		{"drifted output stays", id + `input = "a"; output = "z"`, `input = "a"`, `{id="id-1" input="a" output="z"}`, "", `{id="id-1" input="a" output="z"}`},
		{"update", id + `input = "a"; output = "a"`, `input = 5`, `{id="id-1" input=5 output=?number}`, "", `{id="id-1" input=5 output=5}`},
		{"input leaves", id + `input = "a"; output = "a"`, `input = null`, `{id="id-1"}`, "", `{id="id-1"}`},
		{"after import", id, `input = ["a"]`, `{id="id-1" input=["a"] output=?tuple}`, "", `{id="id-1" input=["a"] output=["a"]}`},
		{"trigger comes", id, `triggers_replace = "now"`, `{id="id-1" triggers_replace="now"}`, ".triggers_replace", `{id="id-1" triggers_replace="now"}`},
		{"trigger changes", id + `triggers_replace = [1]`, `triggers_replace = [2]`, `{id="id-1" triggers_replace=[2]}`, ".triggers_replace", `{id="id-1" triggers_replace=[2]}`},
		{"trigger unknown", id + `triggers_replace = [1]`, `triggers_replace = ["?"]`, `{id="id-1" triggers_replace=` + unknownTuple + `}`, ".triggers_replace", ""},

		{"store", "", `store = { input = "a", version = 1 }`, `{id=?string store={output=? version=1}}`, "", `{id="id-1" store={output="a" version=1}}`},
		{"store nothing", "", `store = {}`, `{id=?string store={}}`, "", `{id="id-1" store={}}`},
		{"store sensitive", "", `store = { input = "a", sensitive = true }`, `{id=?string store={sensitive=true sensitive_output=?}}`, "", `{id="id-1" store={sensitive=true sensitive_output="a"}}`},
		{"store holds its version", id + `store = { output = "a", version = 1 }`, `store = { input = "b", version = 1 }`, `{id="id-1" store={output="a" version=1}}`, "", `{id="id-1" store={output="a" version=1}}`},
		{"store of a new version", id + `store = { output = "a", version = 1 }`, `store = { input = "b", version = 2 }`, `{id="id-1" store={output=? version=2}}`, "", `{id="id-1" store={output="b" version=2}}`},
		{"store without version, same", id + `store = { output = "a" }`, `store = { input = "a" }`, `{id="id-1" store={output="a"}}`, "", `{id="id-1" store={output="a"}}`},
		{"store without version, other", id + `store = { output = "a" }`, `store = { input = "b" }`, `{id="id-1" store={output=?}}`, "", `{id="id-1" store={output="b"}}`},
		{"store without version, unknown", id + `store = { output = "a" }`, `store = { input = "?" }`, `{id="id-1" store={output=?}}`, "", ""},
		{"store replaces", id + `store = { output = "b", version = 2 }`, `store = { input = "b", version = 3, replace = true }`, `{id="id-1" store={output=? replace=true version=3}}`, ".store.input", `{id="id-1" store={output="b" replace=true version=3}}`},
		{"store may replace", id + `store = { output = "b", version = 2 }`, `store = { input = "c", version = 2, replace = true }`, `{id="id-1" store={output="b" replace=true version=2}}`, "", `{id="id-1" store={output="b" replace=true version=2}}`},
		{"store becomes sensitive", id + `store = { output = "b", version = 3, replace = true }`, `store = { input = "c", version = 3, sensitive = true }`, `{id="id-1" store={sensitive=true sensitive_output="b" version=3}}`, "", `{id="id-1" store={sensitive=true sensitive_output="b" version=3}}`},
		{"store leaves", id + `store = { output = "b", replace = true }`, `input = null`, `{id="id-1"}`, "", `{id="id-1"}`},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, ctx := rig(Options{}), context.Background()
			of := p.schemas.data.Block.Type()
			prior, config := read(t, c.prior, of), read(t, c.config, of)
			plan, diags := p.Plan(ctx, provider.PlanRequest{TypeName: dataType, Prior: bare(prior), Proposed: bare(propose(prior, config)), Config: bare(config)})
			if got := show(plan.Planned.Cty()); got != c.planned || diags != nil {
				t.Errorf("planned %s, want %s (%v)", got, c.planned, diags)
			}
			if got := paths(plan.RequiresReplace); got != c.replace {
				t.Errorf("replaces because of %q, want %q", got, c.replace)
			}
			if !conforms(plan.Planned.Cty(), of) {
				t.Errorf("planned %#v is not of the schema's type", plan.Planned.Cty())
			}
			if c.applied == "" {
				return
			}
			done, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: dataType, Prior: bare(prior), Planned: plan.Planned, Config: bare(config)})
			if got := show(done.New.Cty()); got != c.applied || diags != nil {
				t.Errorf("applied %s, want %s (%v)", got, c.applied, diags)
			}
			if !conforms(done.New.Cty(), of) {
				t.Errorf("applied %#v is not of the schema's type", done.New.Cty())
			}
		})
	}
}

const unknownTuple = "cty.TupleVal([]cty.Value{cty.UnknownVal(cty.String)})"

func conforms(v cty.Value, of cty.Type) bool { return v.Type().TestConformance(of) == nil }

func paths(of []cty.Path) string {
	var out []string
	for _, p := range of {
		out = append(out, value.PathString(p))
	}
	return strings.Join(out, " ")
}

func TestDataEndsAndIsRead(t *testing.T) {
	p, ctx := rig(Options{}), context.Background()
	of := p.schemas.data.Block.Type()
	prior := bare(read(t, `id = "x"`, of))
	plan, diags := p.Plan(ctx, provider.PlanRequest{TypeName: dataType, Prior: prior, Proposed: value.Null(of), Config: value.Null(of)})
	if !plan.Planned.Cty().IsNull() || diags != nil {
		t.Errorf("planned %#v, %v", plan.Planned.Cty(), diags)
	}
	done, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: dataType, Prior: prior, Planned: plan.Planned, Config: value.Null(of)})
	if !done.New.Cty().IsNull() || diags != nil {
		t.Errorf("applied %#v, %v", done.New.Cty(), diags)
	}
	now, diags := p.Read(ctx, provider.ReadRequest{TypeName: dataType, Prior: prior, Private: []byte("p")})
	if !now.New.Cty().RawEquals(prior.Cty()) || string(now.Private) != "p" || diags != nil {
		t.Errorf("read %#v, %v", now, diags)
	}
}

// What a dynamic block leaves open is decided at the apply.
func TestStoreUnknown(t *testing.T) {
	p, ctx := rig(Options{}), context.Background()
	of := p.schemas.data.Block.Type()
	config := read(t, `input = 1`, of).AsValueMap()
	config["store"] = cty.UnknownVal(of.AttributeType("store"))
	open := bare(cty.ObjectVal(config))
	plan, _ := p.Plan(ctx, provider.PlanRequest{TypeName: dataType, Prior: value.Null(of), Proposed: open, Config: open})
	for text, want := range map[string]string{
		`input = 1; store = { input = "a" }`: `{id="id-1" input=1 output=1 store={output="a"}}`,
		`input = 1`:                          `{id="id-1" input=1 output=1}`,
	} {
		done, _ := rig(Options{}).Apply(ctx, provider.ApplyRequest{TypeName: dataType, Prior: value.Null(of), Planned: plan.Planned, Config: bare(read(t, text, of))})
		if got := show(done.New.Cty()); got != want {
			t.Errorf("%s: applied %s, want %s", text, got, want)
		}
	}
}

func TestUnknownTypes(t *testing.T) {
	p, ctx := rig(Options{}), context.Background()
	none := value.Null(cty.DynamicPseudoType)
	if diags := p.ValidateResource(ctx, "null_resource", none); !diags.HasErrors() {
		t.Error("a type that does not exist is valid")
	}
	if _, diags := p.Plan(ctx, provider.PlanRequest{TypeName: "x"}); !diags.HasErrors() {
		t.Error("planned")
	}
	if _, diags := p.Apply(ctx, provider.ApplyRequest{TypeName: "x"}); !diags.HasErrors() {
		t.Error("applied")
	}
	if diags := p.ValidateData(ctx, "x", none); !diags.HasErrors() {
		t.Error("a data source that does not exist is valid")
	}
	s, _ := p.Schemas(ctx)
	for _, mode := range []addr.Mode{addr.Managed, addr.Data, addr.Ephemeral, addr.List} {
		for _, name := range s.TypeNames(mode) {
			if r, _ := s.Type(mode, name); r == nil {
				t.Errorf("%s has no schema", name)
			}
		}
		if r, _ := s.Type(mode, "x"); r != nil {
			t.Error("x has a schema")
		}
	}
}

// BenchmarkData plans and applies one object: 100,000 are to take well under a
// second.
func BenchmarkData(b *testing.B) {
	p, ctx := New(Options{NewID: func() string { return "id" }}), context.Background()
	of := p.schemas.data.Block.Type()
	config, prior := bare(read(b, `input = "a"`, of)), value.Null(of)
	b.ReportAllocs()
	for b.Loop() {
		plan, _ := p.Plan(ctx, provider.PlanRequest{TypeName: dataType, Prior: prior, Proposed: config, Config: config})
		p.Apply(ctx, provider.ApplyRequest{TypeName: dataType, Prior: prior, Planned: plan.Planned, Config: config})
	}
}

// TestNullsOfTypes holds that the output follows an input that is null to its type, and
// that a trigger that is null in both does not replace.
func TestNullsOfTypes(t *testing.T) {
	p := rig(Options{})
	of := p.schemas.data.Block.Type()
	with := func(id string, input, output, trigger cty.Value) cty.Value {
		out := read(t, `id = "`+id+`"`, of).AsValueMap()
		out["input"], out["output"], out["triggers_replace"] = input, output, trigger
		return cty.ObjectVal(out)
	}
	none, text, number := cty.NullVal(cty.DynamicPseudoType), cty.NullVal(cty.String), cty.NullVal(cty.Number)
	for _, c := range []struct {
		about           string
		was, input, out cty.Value
	}{
		{"new, of no type", cty.NilVal, none, none},
		{"new, of a type", cty.NilVal, text, text},
		{"emptied", cty.StringVal("a"), text, text},
		{"of another type", text, number, number},
		{"the same", text, text, text},
	} {
		prior := cty.NullVal(of)
		if c.was != cty.NilVal {
			prior = with("x", c.was, c.was, text)
		}
		proposed := with("x", c.input, none, number)
		planned, replace := p.planData(prior, proposed, proposed)
		if got := p.applyData(planned, proposed).GetAttr("output"); !got.RawEquals(c.out) || len(replace) > 0 {
			t.Errorf("%s: the output became %#v, replaced by %v; want %#v", c.about, got, replace, c.out)
		}
	}
}

// TestReadings holds the options that a dialect sets: no store block, and an
// output that is known only after apply when the input goes.
func TestReadings(t *testing.T) {
	p := rig(Options{WithoutStore: true, EmptiedLater: true})
	of := p.schemas.data.Block.Type()
	if of.HasAttribute("store") {
		t.Error("there is a store block")
	}
	prior := read(t, `id = "x"; input = "a"; output = "a"`, of)
	proposed := read(t, `id = "x"; output = "a"`, of)
	planned, _ := p.planData(prior, proposed, proposed)
	if planned.GetAttr("output").IsKnown() {
		t.Errorf("output is planned as %#v", planned.GetAttr("output"))
	}
	if made := p.applyData(planned, proposed); !made.GetAttr("output").IsNull() {
		t.Errorf("output became %#v", made.GetAttr("output"))
	}
	if fresh, _ := p.planData(cty.NullVal(of), proposed, proposed); !fresh.GetAttr("output").IsNull() {
		t.Errorf("a new object's output is planned as %#v", planned.GetAttr("output"))
	}
}
