package serve

import (
	"time"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/provider"
	"github.com/plumb-iac/plumb/provider/wire"
	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// garbage is what does not decode as anything.
func garbage() *tfplugin6.DynamicValue { return &tfplugin6.DynamicValue{Msgpack: []byte{0xc1}} }

func garbled(diags diag.List) bool {
	return diags.HasErrors() && diags.Errors()[0].Code == wire.CodeGarbled
}

// put encodes a value of a type. A value of another type is sent as what it is;
// nothing is sent for a zero one.
func put(v value.Bare, t cty.Type, diags diag.List) *tfplugin6.DynamicValue {
	if garbled(diags) {
		return garbage()
	}
	if v.IsZero() {
		return nil
	}
	raw, err := msgpack.Marshal(v.Cty(), t)
	if err != nil {
		raw, err = msgpack.Marshal(v.Cty(), v.Cty().Type())
	}
	if err != nil {
		return garbage()
	}
	return &tfplugin6.DynamicValue{Msgpack: raw}
}

// get decodes what an engine sent; what does not decode is a zero value.
func get(v *tfplugin6.DynamicValue, t cty.Type) value.Bare {
	if v == nil {
		return value.Bare{}
	}
	out, err := msgpack.Unmarshal(v.Msgpack, t)
	if err != nil {
		return value.Bare{}
	}
	return value.MustBare(out)
}

func putIdentity(v value.Bare, o *schema.Object) *tfplugin6.ResourceIdentityData {
	if v.IsZero() || o == nil {
		return nil
	}
	return &tfplugin6.ResourceIdentityData{IdentityData: put(v, o.Type(), nil)}
}

func getIdentity(v *tfplugin6.ResourceIdentityData, o *schema.Object) value.Bare {
	if v == nil || o == nil {
		return value.Bare{}
	}
	return get(v.IdentityData, o.Type())
}

func moment(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func deferral(d *provider.Deferred) *tfplugin6.Deferred {
	if d == nil {
		return nil
	}
	return &tfplugin6.Deferred{Reason: tfplugin6.Deferred_Reason(d.Reason)}
}

// diagnostics are what a provider says; that an answer is garbled is not said
// but shown.
func diagnostics(list diag.List) []*tfplugin6.Diagnostic {
	var out []*tfplugin6.Diagnostic
	for _, d := range list {
		if d.Code == wire.CodeGarbled {
			continue
		}
		severity := tfplugin6.Diagnostic_ERROR
		switch d.Severity {
		case diag.Warning:
			severity = tfplugin6.Diagnostic_WARNING
		case diag.Unspecified:
			severity = tfplugin6.Diagnostic_INVALID
		}
		out = append(out, &tfplugin6.Diagnostic{Severity: severity, Summary: d.Summary, Detail: d.Detail, Attribute: path(d.Path)})
	}
	return out
}

func path(p cty.Path) *tfplugin6.AttributePath {
	if len(p) == 0 {
		return nil
	}
	out := &tfplugin6.AttributePath{}
	for _, step := range p {
		s := &tfplugin6.AttributePath_Step{}
		switch step := step.(type) {
		case cty.GetAttrStep:
			s.Selector = &tfplugin6.AttributePath_Step_AttributeName{AttributeName: step.Name}
		case cty.IndexStep:
			if step.Key.Type() == cty.String {
				s.Selector = &tfplugin6.AttributePath_Step_ElementKeyString{ElementKeyString: step.Key.AsString()}
				break
			}
			n, _ := step.Key.AsBigFloat().Int64()
			s.Selector = &tfplugin6.AttributePath_Step_ElementKeyInt{ElementKeyInt: n}
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}

func paths(ps []cty.Path) []*tfplugin6.AttributePath {
	var out []*tfplugin6.AttributePath
	for _, p := range ps {
		out = append(out, path(p))
	}
	return out
}

// typeJSON writes a type, which cannot fail: schemas have no capsule types.
func typeJSON(t cty.Type) []byte {
	raw, _ := ctyjson.MarshalType(t)
	return raw
}
