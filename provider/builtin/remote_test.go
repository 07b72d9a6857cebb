package builtin

import (
	"context"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

func TestRemoteState(t *testing.T) {
	reader := func(_ context.Context, _ addr.AbsInstance, backend, workspace string, config cty.Value) (map[string]cty.Value, diag.List) {
		switch {
		case backend == "broken":
			return nil, diag.Errs("Backend out of order", "It broke.")
		case workspace != "default":
			return nil, nil
		}
		return map[string]cty.Value{
			"a":      cty.StringVal(backend + show(config)),
			"secret": value.Mark(cty.StringVal("s"), value.Sensitive),
		}, nil
	}
	check := func(backend string, config cty.Value) diag.List {
		if backend == "nope" {
			return diag.Errs("Invalid backend configuration", "No such backend.")
		}
		return nil
	}
	for _, c := range []struct{ config, want string }{
		{`backend = "local"; config = { path = "p" }`, `{backend="local" config={path="p"} outputs={a="local{path=\"p\"}" secret="s"}}`},
		{`backend = "local"; defaults = { a = "z", d = 1 }`, `{backend="local" defaults={a="z" d=1} outputs={a="localnull" d=1 secret="s"}}`},
		{`backend = "local"; workspace = "prod"; defaults = { a = 1 }`, `error: .workspace: Unable to find remote state: The backend has no state in workspace "prod". A configuration has one after its first apply.`},
		{`backend = "broken"`, `error: : Backend out of order: It broke.`},
		{`backend = "nope"`, `error: : Invalid backend configuration: No such backend.`},
		{`backend = "local"; config = "x"`, `error: .config: Invalid backend configuration: The configuration of the backend "local" is an object that has an attribute for each of its arguments.`},
		{`backend = "local"; defaults = "x"`, `error: .defaults: Invalid default values: The defaults are an object that has an attribute for each output.`},
		{`backend = "local"; config = { path = "?" }`, `{backend="local" config={path=?string} outputs=?}`},
	} {
		p := New(Options{RemoteState: reader, CheckBackend: check})
		of := p.schemas.remote.Block.Type()
		resp, diags := p.ReadData(context.Background(), provider.ReadDataRequest{TypeName: remoteType, Config: bare(read(t, c.config, of))})
		got := show(resp.State.Cty())
		if diags != nil {
			got = "error: " + diags[0].Attribute + ": " + diags[0].Summary + ": " + diags[0].Detail
		}
		if got != c.want {
			t.Errorf("%s\nis   %s\nwant %s", c.config, got, c.want)
		}
		if v := resp.State.Cty(); v != cty.NilVal && !conforms(v, of) {
			t.Errorf("%#v is not of the schema's type", v)
		}
	}
}

// Defaults may be a map, and a provider without a reader finds nothing.
func TestRemoteStateEdges(t *testing.T) {
	if got := show(merged(cty.MapVal(map[string]cty.Value{"a": cty.True}), nil)); got != "{a=true}" {
		t.Error(got)
	}
	p := New(Options{})
	config := bare(read(t, `backend = "local"`, p.schemas.remote.Block.Type()))
	_, diags := p.ReadData(context.Background(), provider.ReadDataRequest{TypeName: remoteType, Config: config})
	if !diags.HasErrors() || !strings.HasPrefix(diags[0].Summary, "Unable to find") {
		t.Error(diags)
	}
}
