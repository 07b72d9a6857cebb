package state_test

import (
	"testing"

	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

func TestFitted(t *testing.T) {
	inner := cty.Object(map[string]cty.Type{"k": cty.String})
	s := &schema.Resource{Block: schema.NewBlock([]*schema.Attribute{
		{Name: "n", Type: cty.Number, Optional: true},
		{Name: "list", Type: cty.List(inner), Optional: true},
		{Name: "map", Type: cty.Map(inner), Optional: true},
		{Name: "any", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "secret", Type: cty.String, Optional: true, WriteOnly: true},
		{Name: "pair", Type: cty.Tuple([]cty.Type{inner, cty.String}), Optional: true},
	}, nil)}
	for _, c := range []struct{ name, have, want string }{
		{"a write-only value", `{"n":1,"list":null,"map":null,"any":null,"secret":"leak","pair":null}`, `{"any":null,"list":null,"map":null,"n":1,"pair":null,"secret":null}`},
		{"no write-only value", `{"n":1,"secret":null}`, ""},
		{"nothing to remove", `{"n":1.50,"list":[{"k":"v"}]}`, ""},
		{"no object", `[1]`, ""},
		{"not JSON", `{`, ""},
		{"an attribute", `{"n":12345678901234567890,"old":1}`, `{"n":12345678901234567890}`},
		{"in a list", `{"list":[{"k":"v","old":[1]},null]}`, `{"list":[{"k":"v"},null]}`},
		{"in a map", `{"map":{"old":{"old":1}}}`, `{"map":{"old":{}}}`},
		{"in a tuple", `{"pair":[{"old":1},"x"]}`, `{"pair":[{},"x"]}`},
		{"what may be anything", `{"any":{"value":{"old":1},"type":["object",{"old":"number"}]}}`, ""},
	} {
		o := state.Object{Attrs: []byte(c.have)}
		got, removed := o.Fitted(s)
		if removed != (c.want != "") || removed && string(got) != c.want || !removed && string(got) != c.have {
			t.Errorf("%s: %s %v", c.name, got, removed)
		}
	}
	o := state.Object{Attrs: []byte(`{"n":1,"old":2}`)}
	if v, err := o.Value(s); err != nil || !v.Cty().GetAttr("n").RawEquals(cty.NumberIntVal(1)) {
		t.Error(v, err)
	}
	if _, err := (&state.Object{Attrs: []byte(`{"n":"x"}`)}).Value(s); err == nil {
		t.Error("a wrong type is fine?")
	}
}
