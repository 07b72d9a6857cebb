package std

import (
	"context"
	"net"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// wire calls the provider over a real gRPC connection in memory, the way the
// engine embeds it. Messages are built from the protocol's own description.
type wire struct {
	t    *testing.T
	conn *grpc.ClientConn
}

func newWire(t *testing.T) wire {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer()
	plugin := &tf6server.GRPCProviderPlugin{GRPCProvider: Server("test"), Name: "terraform.io/builtin/std"}
	if err := plugin.GRPCServer(nil, server); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///std",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return wire{t: t, conn: conn}
}

func (w wire) message(name string) *dynamicpb.Message {
	w.t.Helper()
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName("tfplugin6." + name))
	if err != nil {
		w.t.Fatal(err)
	}
	return dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
}

// call sends a request given as JSON and gives the response.
func (w wire) call(method string, request string) protoreflect.Message {
	w.t.Helper()
	in, out := w.message(method+".Request"), w.message(method+".Response")
	if err := protojson.Unmarshal([]byte(request), in); err != nil {
		w.t.Fatal(err)
	}
	if err := w.conn.Invoke(context.Background(), "/tfplugin6.Provider/"+method, proto.Message(in), out); err != nil {
		w.t.Fatal(err)
	}
	if diags := field(out, "diagnostics").List(); diags.Len() > 0 {
		w.t.Fatalf("%s: %v", method, diags.Get(0).Message().Interface())
	}
	return out
}

func field(m protoreflect.Message, name protoreflect.Name) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(name))
}

func (w wire) msgpack(v tftypes.Value) string {
	w.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		w.t.Fatal(err)
	}
	m := w.message("DynamicValue")
	m.Set(m.Descriptor().Fields().ByName("msgpack"), protoreflect.ValueOfBytes(d.MsgPack))
	encoded, err := protojson.Marshal(m)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(encoded)
}

func TestOverTheWire(t *testing.T) {
	w := newWire(t)
	schema := w.call("GetProviderSchema", `{}`)
	for name, want := range map[protoreflect.Name]int{"resource_schemas": 8, "data_source_schemas": 2, "ephemeral_resource_schemas": 2, "functions": 3, "action_schemas": 1} {
		if got := field(schema, name).Map().Len(); got != want {
			t.Errorf("%d %s, want %d", got, name, want)
		}
	}

	kind := newRig(t).resource("std_random_uuid").ValueType()
	none, config := tftypes.NewValue(kind, nil), valueOf(kind, values{"keepers": values{"a": "b"}})
	proposed := valueOf(kind, values{"keepers": values{"a": "b"}})
	plan := w.call("PlanResourceChange", `{"typeName":"std_random_uuid","priorState":`+w.msgpack(none)+`,"proposedNewState":`+w.msgpack(proposed)+`,"config":`+w.msgpack(config)+`}`)
	planned := protojsonOf(t, field(plan, "planned_state").Message())
	applied := w.call("ApplyResourceChange", `{"typeName":"std_random_uuid","priorState":`+w.msgpack(none)+`,"plannedState":`+planned+`,"config":`+w.msgpack(config)+`}`)
	state := tfprotov6.DynamicValue{MsgPack: field(field(applied, "new_state").Message(), "msgpack").Bytes()}
	value, err := state.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	result, _ := plainOf(value).(values)["result"].(string)
	if _, valid := parseUUID(result); !valid {
		t.Errorf("drew %v", plainOf(value))
	}
}

func protojsonOf(t *testing.T, m protoreflect.Message) string {
	t.Helper()
	encoded, err := protojson.Marshal(m.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
