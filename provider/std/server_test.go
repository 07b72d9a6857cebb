package std

import (
	"context"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What hangs on the context of a call is let go of with the call, although the
// framework keeps the context until the provider stops.
func TestContextsAreLetGoOf(t *testing.T) {
	r := newRig(t)
	type key struct{}
	heavy := new([1 << 16]byte)
	seen := weak.Make(heavy)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, heavy))
	_, err := r.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: "std_random_uuid", RawState: &tfprotov6.RawState{JSON: []byte(`{"keepers":null,"id":"x","result":"x"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	cancel() // as gRPC does at the end of a call
	heavy, ctx = nil, nil
	runtime.GC()
	if seen.Value() != nil {
		t.Error("the context of a call that is over is still held")
	}
	runtime.KeepAlive(r)
}

// A call that is under way hears of its own end, and of the provider's.
func TestStopReachesCalls(t *testing.T) {
	for name, end := range map[string]func(*rig, context.CancelFunc){
		"caller": func(_ *rig, cancel context.CancelFunc) { cancel() },
		"provider": func(r *rig, _ context.CancelFunc) {
			r.server.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			timer := time.AfterFunc(200*time.Millisecond, func() { end(r, cancel) })
			defer timer.Stop()
			start := time.Now()
			resp, err := r.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{
				TypeName: "std_command", Config: r.encode(valueOf(r.schema.DataSourceSchemas["std_command"].ValueType(), values{"program": []any{"sleep", "60"}})),
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.Diagnostics) == 0 || time.Since(start) > 30*time.Second {
				t.Errorf("after %s the command had run to its end: %v", time.Since(start), resp.Diagnostics)
			}
		})
	}
}
