package stateview_test

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/internal/view"
	"github.com/plumb-iac/plumb/internal/view/stateview"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/zclconf/go-cty/cty"
)

func snapshot(t *testing.T) *state.Snapshot {
	t.Helper()
	a, _ := addr.ParseInstance("test_disk.a")
	b, _ := addr.ParseInstance(`module.m["k"].data.test_disk.b`)
	p := addr.ProviderConfig{Provider: addr.Provider{Host: addr.DefaultHost, Namespace: "example", Type: "test"}}
	s, err := state.New("l").Apply(
		state.Put{Object: addr.Object{Instance: a}, Provider: p, New: &state.Object{Status: state.Tainted,
			Attrs: []byte(`{"id":"1","text":"a\nb\n","token":"hush","free":{"type":["object",{"x y":"number"}],"value":{"x y":1}},"item":[{"k":null}]}`)}},
		state.Put{Object: addr.Object{Instance: a, Deposed: "0123abcd"}, Provider: p, New: &state.Object{Attrs: []byte(`{"old":"shape","token":"hush"}`)}},
		state.Put{Object: addr.Object{Instance: b}, Provider: p, New: &state.Object{Attrs: []byte(`{"id":"2"}`)}},
		state.PutOutput{Name: "l", Output: state.Output{Value: cty.ListVal([]cty.Value{cty.StringVal("x\ny")})}},
		state.PutOutput{Name: "long", Output: state.Output{Value: cty.StringVal("x")}},
		state.PutOutput{Name: "s", Output: state.Output{Value: cty.StringVal("hush"), Sensitive: true}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var disk = &schema.Resource{Block: schema.NewBlock([]*schema.Attribute{
	{Name: "id", Type: cty.String}, {Name: "text", Type: cty.String}, {Name: "token", Type: cty.String, Sensitive: true}, {Name: "free", Type: cty.DynamicPseudoType},
}, []*schema.Nested{{Name: "item", Nesting: schema.List, Block: schema.NewBlock([]*schema.Attribute{{Name: "k", Type: cty.String}}, nil)}})}

func schemas(addr.Provider, addr.Mode, string) *schema.Resource { return disk }

func TestShow(t *testing.T) {
	var b strings.Builder
	if err := stateview.Show(&b, snapshot(t), schemas, view.Style{}); err != nil {
		t.Fatal(err)
	}
	want := `# test_disk.a: (tainted)
resource "test_disk" "a" {
    free  = {
        "x y" = 1
    }
    id    = "1"
    text  = <<-EOT
        a
        b
    EOT
    token = (sensitive value)

    item {}
}

# test_disk.a: (deposed object 0123abcd)
resource "test_disk" "a" {
    old   = "shape"
    token = (sensitive value)
}


# module.m["k"].data.test_disk.b:
data "test_disk" "b" {
    id = "2"
}


Outputs:

l = [
    <<-EOT
        x
        y
    EOT,
]
long = "x"
s = (sensitive value)
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestShowNothing(t *testing.T) {
	var none, empty strings.Builder
	_ = stateview.Show(&none, nil, nil, view.Style{})
	_ = stateview.Show(&empty, state.New("l"), nil, view.Style{})
	if none.String() != "No state.\n" || empty.String() != "The state file is empty. No resources are represented.\n" {
		t.Error(none.String(), empty.String())
	}
}

// Objects and outputs are told apart by blank lines between them, and nothing
// follows the last. Outputs are shown by their types.
func TestShowParts(t *testing.T) {
	a, _ := addr.ParseInstance("test_disk.a")
	p := addr.ProviderConfig{Provider: addr.Provider{Host: addr.DefaultHost, Namespace: "example", Type: "test"}}
	object := state.Put{Object: addr.Object{Instance: a}, Provider: p, New: &state.Object{Attrs: []byte(`{"id":"1"}`)}}
	output := state.PutOutput{Name: "o", Output: state.Output{Value: cty.ObjectVal(map[string]cty.Value{
		"m": cty.MapVal(map[string]cty.Value{"k": cty.NullVal(cty.String)}), "none": cty.NullVal(cty.String)})}}
	const shownObject, shownOutput = "# test_disk.a:\nresource \"test_disk\" \"a\" {\n    id = \"1\"\n}\n", "\n\nOutputs:\n\no = {\n    m = {\n        \"k\" = null\n    }\n}\n"
	for _, c := range []struct {
		edits []state.Edit
		want  string
	}{{[]state.Edit{object}, shownObject}, {[]state.Edit{output}, shownOutput}, {[]state.Edit{object, output}, shownObject + shownOutput}} {
		s, err := state.New("l").Apply(c.edits...)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		_ = stateview.Show(&b, s, schemas, view.Style{})
		if b.String() != c.want {
			t.Errorf("got\n%s", b.String())
		}
	}
}

func TestInstance(t *testing.T) {
	var b strings.Builder
	a, _ := addr.ParseInstance(`module.m["k"].data.test_disk.b`)
	ok, err := stateview.Instance(&b, snapshot(t), a, schemas, view.Style{})
	if !ok || err != nil || b.String() != "# module.m[\"k\"].data.test_disk.b:\ndata \"test_disk\" \"b\" {\n    id = \"2\"\n}\n" {
		t.Error(ok, err, b.String())
	}
	a.Key = addr.IntKey(1)
	if ok, _ := stateview.Instance(&b, snapshot(t), a, schemas, view.Style{}); ok {
		t.Error("an instance that does not exist is shown")
	}
}

func TestOutputs(t *testing.T) {
	var b strings.Builder
	_ = stateview.Closing(&b, snapshot(t), view.Style{})
	if want := "\nOutputs:\n\nl = tolist([\n  <<-EOT\n  x\n  y\n  EOT,\n])\nlong = \"x\"\ns = <sensitive>\n"; b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestRaw(t *testing.T) {
	for _, c := range []struct {
		v    cty.Value
		want string
		bad  bool
	}{
		{cty.StringVal("a\n"), "a\n", false}, {cty.NumberFloatVal(1.5), "1.5", false}, {cty.True, "true", false},
		{cty.NullVal(cty.String), "", true}, {cty.EmptyTupleVal, "", true},
	} {
		var b strings.Builder
		if diags := stateview.Raw(&b, "o", c.v); diags.HasErrors() != c.bad || b.String() != c.want {
			t.Errorf("%#v: %q %v", c.v, b.String(), diags)
		}
	}
}
