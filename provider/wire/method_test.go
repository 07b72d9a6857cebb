package wire

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"testing"

	"github.com/plumb-iac/plumb/provider/wire/tfplugin5"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// only6 are the fields that version 5 does not have: what a version 5 provider
// skips when it reads, or never sends.
var only6 = map[string]bool{
	"ClientCapabilities.store_planned_private":   true,
	"ClientCapabilities.computed_blocks_allowed": true,
	"PlanResourceChange.Request.planned_private": true,
}

// TestOneSetOfMessages is invariant W1: for every method, request and answer of
// version 5 decode as version 6's and the other way round.
func TestOneSetOfMessages(t *testing.T) {
	s5 := tfplugin5.File_provider_wire_tfplugin5_tfplugin5_proto.Services().ByName("Provider")
	s6 := tfplugin6.File_provider_wire_tfplugin6_tfplugin6_proto.Services().ByName("Provider")
	for r := range methods {
		m5 := s5.Methods().ByName(protoreflect.Name(rpc(r).name(V5)))
		m6 := s6.Methods().ByName(protoreflect.Name(rpc(r).name(V6)))
		if rpc(r) >= rpcValidateStateStore && m5 == nil && m6 != nil {
			continue // state stores
		}
		if m5 == nil || m6 == nil {
			t.Errorf("%s: not a method of both versions", methods[r].v6)
			continue
		}
		if m5.IsStreamingServer() != m6.IsStreamingServer() {
			t.Errorf("%s: streams in one version only", methods[r].v6)
		}
		if rpc(r) == rpcSchema {
			continue // W2: cut by field number, decoded per version
		}
		seen := map[protoreflect.FullName]bool{}
		compareMessages(t, m5.Input(), m6.Input(), seen)
		compareMessages(t, m5.Output(), m6.Output(), seen)
	}
}

func compareMessages(t *testing.T, d5, d6 protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) {
	t.Helper()
	if seen[d6.FullName()] {
		return
	}
	seen[d6.FullName()] = true
	for i := range d5.Fields().Len() {
		f5 := d5.Fields().Get(i)
		f6 := d6.Fields().ByNumber(f5.Number())
		if f6 == nil || shape(f5) != shape(f6) {
			t.Errorf("%s: version 6 has %v", shape(f5), f6)
			continue
		}
		if f5.Message() != nil {
			compareMessages(t, f5.Message(), f6.Message(), seen)
		}
	}
	for i := range d6.Fields().Len() {
		f6 := d6.Fields().Get(i)
		name := strings.TrimPrefix(string(f6.FullName()), "plumb.tfplugin6.")
		if d5.Fields().ByNumber(f6.Number()) == nil && !only6[name] {
			t.Errorf("%s: version 5 does not have it, and it is not on the list", name)
		}
	}
}

func shape(f protoreflect.FieldDescriptor) string {
	return fmt.Sprintf("%s = %d %s %s optional %v oneof %v", f.Name(), f.Number(), f.Kind(), f.Cardinality(), f.HasOptionalKeyword(), f.ContainingOneof() != nil)
}

// TestEveryMethodIsCalled: what the protocol offers and the client leaves out
// is named here.
func TestEveryMethodIsCalled(t *testing.T) {
	called := map[string]bool{"GetFunctions": true}
	for r := range methods {
		called[rpc(r).name(V6)] = true
	}
	var missing []string
	ms := tfplugin6.File_provider_wire_tfplugin6_tfplugin6_proto.Services().ByName("Provider").Methods()
	for i := range ms.Len() {
		if name := string(ms.Get(i).Name()); !called[name] {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 {
		t.Errorf("never called: %v", missing)
	}
}

// TestSchemaFields ties the field numbers that answers are cut by to the
// descriptors of both versions.
func TestSchemaFields(t *testing.T) {
	want := map[protoreflect.Name]protoreflect.FieldNumber{
		"provider": fieldProvider, "diagnostics": fieldDiagnostics, "provider_meta": fieldMeta,
		"server_capabilities": fieldCapabilities, "functions": fieldFunctions,
		"resource_schemas": kinds[kindResource].field, "data_source_schemas": kinds[kindData].field,
		"ephemeral_resource_schemas": kinds[kindEphemeral].field, "list_resource_schemas": kinds[kindList].field,
		"action_schemas": kinds[kindAction].field, "state_store_schemas": kinds[kindStateStore].field,
	}
	for version, fields := range map[Protocol]protoreflect.FieldDescriptors{
		V6: (&tfplugin6.GetProviderSchema_Response{}).ProtoReflect().Descriptor().Fields(),
		V5: (&tfplugin5.GetProviderSchema_Response{}).ProtoReflect().Descriptor().Fields(),
	} {
		want := maps.Clone(want)
		if version == V5 {
			delete(want, "state_store_schemas")
		}
		if fields.Len() != len(want) {
			t.Errorf("%d fields, want %d", fields.Len(), len(want))
		}
		for name, number := range want {
			if f := fields.ByName(name); f == nil || f.Number() != number {
				t.Errorf("%s is not field %d", name, number)
			}
		}
	}
}
