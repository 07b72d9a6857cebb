package std

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// open opens an ephemeral resource.
func (r *rig) open(kind string, config values) (values, string) {
	r.t.Helper()
	t := r.schema.EphemeralResourceSchemas[kind].ValueType()
	resp, err := r.server.OpenEphemeralResource(context.Background(), &tfprotov6.OpenEphemeralResourceRequest{TypeName: kind, Config: r.encode(valueOf(t, config))})
	r.must(err)
	if len(resp.Diagnostics) > 0 {
		return nil, complaints(resp.Diagnostics)
	}
	return plainOf(r.decode(resp.Result, t)).(values), ""
}

// invoke runs an action and gives its progress and its complaints.
func (r *rig) invoke(kind string, config values) (progress []string, said string) {
	r.t.Helper()
	//lint:ignore SA1019 the interface it moves to does not have the method yet
	server := r.server.(tfprotov6.ProviderServerWithActions)
	t := r.schema.ActionSchemas[kind].Schema.ValueType()
	resp, err := server.InvokeAction(context.Background(), &tfprotov6.InvokeActionRequest{ActionType: kind, Config: r.encode(valueOf(t, config))})
	r.must(err)
	for event := range resp.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			said = complaints(e.Diagnostics)
		}
	}
	return progress, said
}

// function calls a provider function.
func (r *rig) function(name string, result tftypes.Type, arguments ...tftypes.Value) (any, string) {
	r.t.Helper()
	var encoded []*tfprotov6.DynamicValue
	for _, a := range arguments {
		encoded = append(encoded, r.encode(a))
	}
	resp, err := r.server.CallFunction(context.Background(), &tfprotov6.CallFunctionRequest{Name: name, Arguments: encoded})
	r.must(err)
	if resp.Error != nil {
		return nil, resp.Error.Text
	}
	return plainOf(r.decode(resp.Result, result)), ""
}

func TestEphemeralPassword(t *testing.T) {
	r := newRig(t)
	first, said := r.open("std_random_password", values{"length": 12, "special": false, "upper": false})
	if said != "" {
		t.Fatal(said)
	}
	second, _ := r.open("std_random_password", values{"length": 12, "special": false, "upper": false})
	if len(first["result"].(string)) != 12 || first["result"] == second["result"] {
		t.Errorf("drew %v, then %v", first["result"], second["result"])
	}
	if _, said := r.open("std_random_password", values{"length": 1, "min_lower": 2}); !strings.Contains(said, "add up to 2") {
		t.Error(said)
	}
}

func TestEphemeralCommandAndAction(t *testing.T) {
	needShell(t)
	r := newRig(t)
	got, said := r.open("std_command", values{"program": `echo "$A"`, "environment": values{"A": "token"}})
	if said != "" || got["stdout"] != "token\n" {
		t.Errorf("%v %s", got, said)
	}
	at := filepath.Join(t.TempDir(), "done")
	progress, said := r.invoke("std_command", values{"program": "echo working; cat > " + shellQuote([]string{at}), "stdin": "x"})
	if said != "" || strings.Join(progress, "") != "working\n" || contents(t, at) != "x" {
		t.Errorf("%q %s", progress, said)
	}
	if _, said = r.invoke("std_command", values{"program": "exit 2"}); !strings.Contains(said, "exit code 2") {
		t.Error(said)
	}
}

func TestFunctions(t *testing.T) {
	r := newRig(t)
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	if got, said := r.function("slug", tftypes.String, text("Hello, World")); got != "hello-world" || said != "" {
		t.Errorf("%v %s", got, said)
	}
	list := valueOf(tftypes.List{ElementType: tftypes.String}, []any{"a", "b c"})
	if got, _ := r.function("shell_quote", tftypes.String, list); got != "a 'b c'" {
		t.Error(got)
	}
	key := r.create("std_tls_key", values{"algorithm": "ED25519"}).text("private_key_pem")
	cert := r.create("std_tls_cert", values{"private_key_pem": key, "validity_period_hours": 1, "subject": values{"common_name": "x"}, "dns_names": []any{"x.test"}})
	info := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"subject": tftypes.String, "issuer": tftypes.String, "serial": tftypes.String, "not_before": tftypes.String,
		"not_after": tftypes.String, "is_ca": tftypes.Bool, "dns_names": tftypes.List{ElementType: tftypes.String}, "sha256": tftypes.String,
	}}
	got, said := r.function("cert_info", info, text(cert.text("cert_pem")))
	if said != "" || got.(values)["subject"] != "CN=x" || got.(values)["serial"] != cert.text("serial") {
		t.Errorf("%v %s", got, said)
	}
	if _, said := r.function("cert_info", info, text("no")); !strings.Contains(said, "cannot be read as a certificate") {
		t.Error(said)
	}
}
