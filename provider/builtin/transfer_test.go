package builtin

import (
	"context"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/provider"
)

func TestUpgradeState(t *testing.T) {
	for _, c := range []struct{ stored, want string }{
		{`{"id":"x"}`, `{id="x"}`},
		{`{"id":"x","input":null,"output":null,"triggers_replace":null}`, `{id="x"}`},
		{`{"id":"x","input":{"value":["p",null],"type":["list","string"]},"store":{"version":{"value":1,"type":"number"},"output":{"value":"a","type":"string"}}}`,
			`{id="x" input=["p", null] store={output="a" version=1}}`},
		{`{"id":"x","later":1,"store":{"output":null,"later":[1]}}`, `{id="x" store={}}`},
		{`{"id":"x","input":{"value":1}}`, "error"},
		{`{"id":["x"]}`, "error"},
		{`null`, "null"},
		{``, "error"},
		{`{`, "error"},
	} {
		p := New(Options{})
		resp, diags := p.UpgradeState(context.Background(), provider.UpgradeRequest{TypeName: dataType, JSON: []byte(c.stored)})
		got := show(resp.Upgraded.Cty())
		if diags.HasErrors() {
			got = "error"
		} else if !conforms(resp.Upgraded.Cty(), p.schemas.data.Block.Type()) {
			t.Errorf("%s gives %#v, not of the schema's type", c.stored, resp.Upgraded.Cty())
		}
		if got != c.want {
			t.Errorf("%s gives %s (%v), want %s", c.stored, got, diags, c.want)
		}
	}
	if _, diags := New(Options{}).UpgradeState(context.Background(), provider.UpgradeRequest{TypeName: dataType, Flatmap: map[string]string{"id": "x"}}); !diags.HasErrors() {
		t.Error("a flatmap was upgraded")
	}
}

func TestImport(t *testing.T) {
	p, ctx := New(Options{}), context.Background()
	resp, diags := p.Import(ctx, provider.ImportRequest{TypeName: dataType, ID: "x"})
	if diags != nil || len(resp.Imported) != 1 || show(resp.Imported[0].State.Cty()) != `{id="x"}` || !resp.Imported[0].Identity.IsZero() {
		t.Errorf("%v %v", resp, diags)
	}
	identity, diags := p.UpgradeIdentity(ctx, provider.UpgradeIdentityRequest{TypeName: dataType, JSON: []byte(`{"id":"y"}`)})
	if diags != nil {
		t.Fatal(diags)
	}
	resp, diags = p.Import(ctx, provider.ImportRequest{TypeName: dataType, Identity: identity})
	if diags != nil || show(resp.Imported[0].State.Cty()) != `{id="y"}` || show(resp.Imported[0].Identity.Cty()) != `{id="y"}` {
		t.Errorf("%v %v", resp, diags)
	}
	if !conforms(resp.Imported[0].State.Cty(), p.schemas.data.Block.Type()) {
		t.Error("the stub is not of the schema's type")
	}
}

func TestMove(t *testing.T) {
	null := addr.Provider{Host: addr.OpenTofuHost, Namespace: "hashicorp", Type: "null"}
	other := addr.Provider{Host: addr.DefaultHost, Namespace: "other", Type: "null"}
	for _, c := range []struct {
		from         addr.Provider
		source, json string
		want         string
	}{
		{null, "null_resource", `{"id":"1","triggers":{"a":"b","c":null}}`, `{id="1" triggers_replace={a="b"}}`},
		{null, "null_resource", `{"id":"1","triggers":null}`, `{id="1"}`},
		{null, "null_resource", `{"id":1}`, "Unreadable stored object"},
		{null, "null_resource", ``, "Unreadable stored object"},
		{null, "null_data_source", `{"id":"1"}`, "Unsupported move"},
		{other, "null_resource", `{"id":"1"}`, "Unsupported move"},
	} {
		p := New(Options{})
		resp, diags := p.Move(context.Background(), provider.MoveRequest{
			SourceProvider: c.from, SourceType: c.source, SourceJSON: []byte(c.json), TargetType: dataType})
		got := show(resp.Target.Cty())
		if diags != nil {
			got = diags[0].Summary
		}
		if got != c.want {
			t.Errorf("%s %s gives %s, want %s", c.source, c.json, got, c.want)
		}
	}
}
