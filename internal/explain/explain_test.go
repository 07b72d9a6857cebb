package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/explain"
	"github.com/plumb-iac/plumb/plan"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

var block = schema.NewBlock([]*schema.Attribute{
	{Name: "name", Type: cty.String, Required: true},
	{Name: "opt", Type: cty.String, Optional: true},
	{Name: "chosen", Type: cty.String, Optional: true, Computed: true},
	{Name: "id", Type: cty.String, Computed: true},
	{Name: "secret", Type: cty.String, Optional: true, Sensitive: true},
	{Name: "wo", Type: cty.String, Optional: true, WriteOnly: true},
	{Name: "tags", Type: cty.Map(cty.String), Optional: true},
}, nil)

// object makes an object of NAME=VALUE; ? is unknown, the rest is null.
func object(t *testing.T, text string) value.Bare {
	t.Helper()
	if text == "" {
		return value.Bare{}
	}
	attrs := map[string]cty.Value{}
	for _, name := range block.AttrNames() {
		attrs[name] = cty.NullVal(block.Attributes[name].Type)
	}
	for _, part := range strings.Fields(text) {
		name, to, _ := strings.Cut(part, "=")
		switch {
		case to == "?":
			attrs[name] = cty.UnknownVal(block.Attributes[name].Type)
		case name == "tags":
			attrs[name] = cty.MapVal(map[string]cty.Value{"k": cty.StringVal(to)})
		case name != "none":
			attrs[name] = cty.StringVal(to)
		}
	}
	return value.MustBare(cty.ObjectVal(attrs))
}

func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		name, config, effective, prior, proposed, planned, remade string
		path, want                                                string
	}{
		{"configured", "name=a", "name=a", "", "name=a", "name=a id=?", "", "name", "author plan/as-configured changed"},
		{"provider decides", "name=a", "name=a", "", "name=a", "name=a id=?", "", "id", "provider plan/computed-free changed"},
		{"default", "name=a", "name=a", "", "name=a", "name=a chosen=x", "", "chosen", "provider plan/computed-free changed"},
		{"kept", "name=a", "name=a", "name=a id=1", "name=a id=1", "name=a id=1", "", "id", "engine proposed-new"},
		{"kept, then new", "name=a", "name=a", "name=b id=1", "name=a id=1", "name=a id=1", "name=a id=?", "id", "provider plan/computed-free changed"},
		{"ignored", "name=a opt=new", "name=a opt=old", "name=a opt=old", "name=a opt=old", "name=a opt=old", "", "opt", "engine ignore_changes"},
		{"same meaning", "name=A", "name=A", "name=a", "name=A", "name=a", "", "name", "provider plan/as-before"},
		{"lie", "name=a", "name=a", "name=b", "name=a", "name=c", "", "name", "provider plan/configured-kept changed"},
		{"sneaked", "name=a", "name=a", "", "name=a", "name=a opt=x", "", "opt", "provider plan/uncomputed-null changed"},
		{"taken away", "name=a", "name=a", "name=a opt=x", "name=a", "name=a", "", "opt", "author plan/uncomputed-null changed"},
		{"unknown", "name=?", "name=?", "", "name=?", "name=?", "", "name", "author plan/as-configured changed"},
		{"write-only", "name=a wo=x", "name=a wo=x", "", "name=a wo=x", "name=a", "", "wo", "author plan/write-only-null"},
		{"in a map", "name=a tags=x", "name=a tags=x", "name=a tags=y", "name=a tags=x", "name=a tags=x", "", `tags["k"]`, "author plan/as-configured changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &explain.Artefacts{Schema: block, Config: object(t, c.config), Effective: object(t, c.effective), Prior: object(t, c.prior),
				Proposed: object(t, c.proposed), Planned: object(t, c.planned), Remade: object(t, c.remade), RemadeProposed: object(t, c.config)}
			for _, r := range explain.Explain(a).Rows {
				if r.Path != c.path {
					continue
				}
				got := fmt.Sprint(r.Side, " ", r.Rule)
				if r.Changed {
					got += " changed"
				}
				if got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
				return
			}
			t.Error("there is no such row")
		})
	}
}

func TestWhy(t *testing.T) {
	a := &explain.Artefacts{
		Object: addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Type: "disk", Name: "a"}}},
		Schema: block, Config: object(t, "name=new secret=hush"), Effective: object(t, "name=new secret=hush"),
		Upgraded: object(t, "name=old id=1 opt=was"), Prior: object(t, "name=old id=1 opt=is secret=hush"), Read: true,
		Proposed: object(t, "name=new"), Planned: object(t, "name=new secret=hush"), Remade: object(t, "name=new id=? secret=hush"),
		Requires: []cty.Path{cty.GetAttrPath("name"), cty.GetAttrPath("secret")}, Forces: []cty.Path{cty.GetAttrPath("name")},
		Action: plan.DeleteThenCreate, Reason: plan.ReplaceCannotUpdate,
	}
	e := explain.Explain(a)
	all := fmt.Sprintf("%+v", e)
	for _, want := range []string{`Replacement is forced by name: "old" → "new".`, `changed outside: it was "was"`, "(sensitive value)", "first destroyed"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if strings.Contains(all, "hush") {
		t.Error("a sensitive value is shown")
	}
	for _, r := range e.Rows {
		if r.Forces != (r.Path == "name") {
			t.Errorf("%s forces: %v", r.Path, r.Forces)
		}
	}
}

func TestWaits(t *testing.T) {
	a := &explain.Artefacts{Schema: block, Config: object(t, "name=?"), Effective: object(t, "name=?"), Planned: object(t, "name=? id=?"),
		Waits: map[string][]string{"name": {"disk.b.id"}}, Action: plan.Create}
	if all := fmt.Sprintf("%+v", explain.Explain(a)); !strings.Contains(all, "waits for disk.b.id") {
		t.Error(all)
	}
}

// TestMasked holds X3 inside of a set, which is one place.
func TestMasked(t *testing.T) {
	member := schema.NewBlock([]*schema.Attribute{
		{Name: "role", Type: cty.String, Required: true},
		{Name: "key", Type: cty.String, Optional: true, Sensitive: true},
	}, nil)
	b := schema.NewBlock(nil, []*schema.Nested{{Name: "member", Nesting: schema.Set, Block: member}})
	with := func(role string) value.Bare {
		return value.MustBare(cty.ObjectVal(map[string]cty.Value{"member": cty.SetVal([]cty.Value{
			cty.ObjectVal(map[string]cty.Value{"role": cty.StringVal(role), "key": cty.StringVal("hush")}),
			cty.ObjectVal(map[string]cty.Value{"role": cty.StringVal("guest"), "key": cty.NullVal(cty.String)}),
		})}))
	}
	v := with("owner")
	for what, a := range map[string]*explain.Artefacts{
		"row": {Schema: b, Config: v, Effective: v, Proposed: v, Planned: v, Action: plan.Create},
		"note and sentence": {Schema: b, Config: v, Effective: v, Upgraded: v, Prior: with("other"), Read: true, Proposed: v, Planned: v,
			Action: plan.DeleteThenCreate, Forces: []cty.Path{cty.GetAttrPath("member")}},
		"data source": {Schema: b, Config: v, Previous: with("other"), Result: v,
			Object: addr.Object{Instance: addr.AbsInstance{Resource: addr.Resource{Mode: addr.Data, Type: "disk", Name: "a"}}}},
	} {
		e := explain.Explain(a)
		all := fmt.Sprintf("%+v", e.Rows) + strings.Join(e.Why, "\n")
		if strings.Contains(all, "hush") || !strings.Contains(all, `{ key = (sensitive value), role = "owner" }`) {
			t.Errorf("%s: %s", what, all)
		}
	}
}

// What is replaced for an attribute as a whole is not replaced for the parts of it that
// stay.
func TestForcingParts(t *testing.T) {
	with := func(changed string) value.Bare {
		attrs := object(t, "name=n").Cty().AsValueMap()
		attrs["tags"] = cty.MapVal(map[string]cty.Value{"a": cty.StringVal(changed), "b": cty.StringVal("same")})
		return value.MustBare(cty.ObjectVal(attrs))
	}
	e := explain.Explain(&explain.Artefacts{Schema: block, Config: with("new"), Effective: with("new"),
		Upgraded: with("old"), Prior: with("old"), Read: true, Proposed: with("new"), Planned: with("new"), Remade: with("new"),
		Forces: []cty.Path{cty.GetAttrPath("tags")}, Action: plan.DeleteThenCreate})
	for _, r := range e.Rows {
		if r.Forces != (r.Path == `tags["a"]`) {
			t.Errorf("%s forces: %v", r.Path, r.Forces)
		}
	}
}
