package wire

import (
	"fmt"

	"github.com/plumb-iac/plumb/provider/wire/tfplugin6"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// encode writes a value as the wire has it; a zero one as null.
func encode(v value.Bare, t cty.Type) (*tfplugin6.DynamicValue, error) {
	if v.IsZero() {
		v = value.Null(t)
	}
	raw, err := msgpack.Marshal(v.Cty(), t)
	if err != nil {
		return nil, located(err)
	}
	return &tfplugin6.DynamicValue{Msgpack: raw}, nil
}

// decode reads a value of type t. Bytes that are no such value give an error
// and no value.
func decode(v *tfplugin6.DynamicValue, t cty.Type) (out value.Bare, err error) {
	// The decoders are made for bytes of their own encoders. A provider may
	// send anything, and what it sends must not end the run.
	defer func() {
		if r := recover(); r != nil {
			out, err = value.Bare{}, fmt.Errorf("malformed value: %v", r)
		}
	}()
	var got cty.Value
	switch {
	case len(v.GetMsgpack()) > 0:
		got, err = msgpack.Unmarshal(v.Msgpack, t)
	case len(v.GetJson()) > 0:
		got, err = ctyjson.Unmarshal(v.Json, t)
	default:
		return value.Null(t), nil
	}
	if err != nil {
		return value.Bare{}, located(err)
	}
	return value.MustBare(got), nil
}

// located puts the path of a conversion error in front of its text.
func located(err error) error {
	if pe, ok := err.(cty.PathError); ok && len(pe.Path) > 0 {
		return fmt.Errorf("%s: %s", value.PathString(pe.Path), pe.Error())
	}
	return err
}

// decodeType reads a JSON type constraint.
func decodeType(raw []byte) (cty.Type, error) {
	t, err := value.TypeFromJSON(raw)
	if err != nil {
		return cty.NilType, err
	}
	return t.WithoutOptionalAttributesDeep(), nil
}

// decodePath reads an attribute path. An unset step ends it.
func decodePath(p *tfplugin6.AttributePath) cty.Path {
	var out cty.Path
	for _, step := range p.GetSteps() {
		switch s := step.GetSelector().(type) {
		case *tfplugin6.AttributePath_Step_AttributeName:
			out = out.GetAttr(s.AttributeName)
		case *tfplugin6.AttributePath_Step_ElementKeyString:
			out = out.IndexString(s.ElementKeyString)
		case *tfplugin6.AttributePath_Step_ElementKeyInt:
			out = out.Index(cty.NumberIntVal(s.ElementKeyInt))
		default:
			return out
		}
	}
	return out
}

func decodePaths(ps []*tfplugin6.AttributePath) []cty.Path {
	var out []cty.Path
	for _, p := range ps {
		out = append(out, decodePath(p))
	}
	return out
}
