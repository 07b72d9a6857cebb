package schemajson_test

import (
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/internal/lang"
	"github.com/plumb-iac/plumb/internal/view/schemajson"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// fixed are the schemas of a provider with one of everything.
type fixed struct{}

var disk = &schema.Resource{
	Version: 1, IdentityVersion: 2,
	Identity: schema.NewObject(schema.Single, []*schema.Attribute{{Name: "id", Type: cty.String, Required: true, Description: "Which."}}),
	Block: schema.NewBlock([]*schema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "net", Optional: true, Nested: schema.NewObject(schema.List, []*schema.Attribute{{Name: "ip", Type: cty.String, Required: true, Sensitive: true}})},
		{Name: "pass", Type: cty.String, Optional: true, WriteOnly: true, Deprecated: true, Description: "*Old*", Markdown: true},
	}, []*schema.Nested{{Name: "part", Nesting: schema.Set, Block: schema.Empty, MinItems: 1, MaxItems: 2}}),
}

func (fixed) Provider() *schema.Resource { return &schema.Resource{Block: schema.Empty} }
func (fixed) Meta() *schema.Block        { return nil }
func (fixed) Type(mode addr.Mode, _ string) (*schema.Resource, diag.List) {
	if mode == addr.Managed {
		return disk, nil
	}
	return nil, nil
}
func (fixed) Action(string) (*schema.Resource, diag.List)     { return nil, diag.Errs("Malformed", "") }
func (fixed) ListConfig(string) (*schema.Resource, diag.List) { return nil, nil }
func (fixed) Functions() map[string]*schema.Function {
	return map[string]*schema.Function{"f": {Summary: "S", Return: cty.Bool, Parameters: []schema.Parameter{{Name: "a", Type: cty.String, AllowNull: true}}}}
}
func (fixed) TypeNames(mode addr.Mode) []string {
	if mode == addr.Managed {
		return []string{"test_disk"}
	}
	return nil
}
func (fixed) ActionNames() []string { return []string{"broken"} }
func (fixed) StateStore(string) (*schema.Resource, diag.List) {
	return &schema.Resource{Version: 3}, nil
}
func (fixed) StateStoreNames() []string           { return []string{"test_shelf"} }
func (fixed) Capabilities() provider.Capabilities { return provider.Capabilities{} }

func TestProviders(t *testing.T) {
	var b strings.Builder
	p := addr.Provider{Host: addr.DefaultHost, Namespace: "example", Type: "test"}
	diags, err := schemajson.WriteProviders(&b, map[addr.Provider]provider.Schemas{p: fixed{}})
	if err != nil || len(diags) != 1 {
		t.Fatal(diags, err)
	}
	want := `{"format_version":"1.0","provider_schemas":{"registry.terraform.io/example/test":{"provider":{"version":0,"block":{"description_kind":"plain"}},` +
		`"resource_schemas":{"test_disk":{"version":1,"block":{"attributes":{"id":{"type":"string","description_kind":"plain","computed":true},` +
		`"net":{"nested_type":{"attributes":{"ip":{"type":"string","description_kind":"plain","required":true,"sensitive":true}},"nesting_mode":"list"},"description_kind":"plain","optional":true},` +
		`"pass":{"type":"string","description":"*Old*","description_kind":"markdown","deprecated":true,"optional":true,"write_only":true}},` +
		`"block_types":{"part":{"nesting_mode":"set","block":{"description_kind":"plain"},"min_items":1,"max_items":2}},"description_kind":"plain"}}},` +
		`"functions":{"f":{"summary":"S","return_type":"bool","parameters":[{"name":"a","is_nullable":true,"type":"string"}]}},` +
		`"resource_identity_schemas":{"test_disk":{"version":2,"attributes":{"id":{"type":"string","description":"Which.","required_for_import":true}}}},"action_schemas":{},"state_store_schemas":{"test_shelf":{"version":3}}}}}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestFunctions(t *testing.T) {
	var b strings.Builder
	err := schemajson.WriteFunctions(&b, map[string]lang.Signature{"b": {Return: cty.String}, "a": {Return: cty.Number, Parameters: []lang.Parameter{{Name: "x", Type: cty.Bool}}}})
	want := `{"format_version":"1.0","function_signatures":{"a":{"return_type":"number","parameters":[{"name":"x","type":"bool"}]},"b":{"return_type":"string"}}}` + "\n"
	if err != nil || b.String() != want {
		t.Error(b.String(), err)
	}
}

func TestVersion(t *testing.T) {
	var b strings.Builder
	_ = schemajson.WriteVersion(&b, schemajson.Version{Version: "1.2.3", Plumb: "0.9", Platform: "linux_amd64", Providers: map[string]string{"b": "2", "a": "1"}})
	want := "{\n  \"terraform_version\": \"1.2.3\",\n  \"plumb_version\": \"0.9\",\n  \"platform\": \"linux_amd64\",\n  \"provider_selections\": {\n    \"a\": \"1\",\n    \"b\": \"2\"\n  },\n  \"terraform_outdated\": false\n}\n"
	if b.String() != want {
		t.Error(b.String())
	}
}
