package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// A value is {"$type": …, "$value": …}: its type as the protocol's JSON has it and
// its content as JSON, in which {"$unknown": true} stands for an unknown value.
// A refined one has the refinements instead of true, as the protocol encodes
// them. Where the type leaves it open what is inside, there is again such an
// object.
const (
	unknownKey = "$unknown"
	typeKey    = "$type"
	valueKey   = "$value"
)

func parse(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out any
	err := d.Decode(&out)
	return out, err
}

func valueTree(v cty.Value) any {
	return map[string]any{typeKey: typeTree(v.Type()), valueKey: content(v)}
}

func content(v cty.Value) any {
	switch t := v.Type(); {
	case !v.IsKnown():
		return map[string]any{unknownKey: refinements(v)}
	case v.IsNull():
		return nil
	case t == cty.String:
		return v.AsString()
	case t == cty.Bool:
		return v.True()
	case t == cty.Number:
		return json.Number(v.AsBigFloat().Text('g', -1))
	case t.IsObjectType() || t.IsMapType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			out[k.AsString()] = content(e)
		}
		return out
	case v.CanIterateElements():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, content(e))
		}
		return out
	}
	return nil
}

func refinements(v cty.Value) any {
	if raw, err := msgpack.Marshal(v, v.Type()); err == nil && !v.RawEquals(cty.UnknownVal(v.Type())) {
		return base64.StdEncoding.EncodeToString(raw)
	}
	return true
}

func treeValue(from any) (cty.Value, error) {
	m, ok := from.(map[string]any)
	if !ok {
		return cty.NilVal, fmt.Errorf("a value is an object with type and value")
	}
	t, err := treeType(m[typeKey])
	if err != nil {
		return cty.NilVal, err
	}
	return contentValue(t, m[valueKey])
}

func contentValue(t cty.Type, from any) (cty.Value, error) {
	if from == nil {
		return cty.NullVal(t), nil
	}
	if m, ok := from.(map[string]any); ok && len(m) == 1 && m[unknownKey] != nil {
		text, refined := m[unknownKey].(string)
		if !refined {
			return cty.UnknownVal(t), nil
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return cty.NilVal, err
		}
		return msgpack.Unmarshal(raw, t)
	}
	wrong := fmt.Errorf("%v is no %s", from, t.FriendlyName())
	switch x := from.(type) {
	case string:
		if t == cty.String {
			return cty.StringVal(x), nil
		}
		if t == cty.Number { // a secret one
			if f, _, err := big.ParseFloat(x, 10, 512, big.ToNearestEven); err == nil {
				return cty.NumberVal(f), nil
			}
			return cty.Zero, nil
		}
	case bool:
		if t == cty.Bool {
			return cty.BoolVal(x), nil
		}
	case json.Number:
		if f, _, err := big.ParseFloat(string(x), 10, 512, big.ToNearestEven); err == nil && t == cty.Number {
			return cty.NumberVal(f), nil
		}
	case map[string]any:
		return members(t, x)
	case []any:
		return elements(t, x)
	}
	return cty.NilVal, wrong
}

func members(t cty.Type, from map[string]any) (cty.Value, error) {
	if !t.IsObjectType() && !t.IsMapType() {
		return cty.NilVal, fmt.Errorf("an object is no %s", t.FriendlyName())
	}
	out := map[string]cty.Value{}
	for _, k := range keys(from) {
		e := cty.DynamicPseudoType
		if t.IsMapType() {
			e = t.ElementType()
		} else if t.HasAttribute(k) {
			e = t.AttributeType(k)
		}
		v, err := contentValue(e, from[k])
		if err != nil {
			return v, fmt.Errorf("%s: %w", k, err)
		}
		out[k] = v
	}
	switch {
	case t.IsObjectType():
		return cty.ObjectVal(out), nil
	case len(out) == 0:
		return cty.MapValEmpty(t.ElementType()), nil
	}
	return cty.MapVal(out), nil
}

func elements(t cty.Type, from []any) (cty.Value, error) {
	var out []cty.Value
	for i, x := range from {
		e := cty.DynamicPseudoType
		if t.IsTupleType() && i < t.Length() {
			e = t.TupleElementType(i)
		} else if t.IsListType() || t.IsSetType() {
			e = t.ElementType()
		}
		v, err := contentValue(e, x)
		if err != nil {
			return v, fmt.Errorf("[%d]: %w", i, err)
		}
		out = append(out, v)
	}
	switch {
	case t.IsTupleType():
		return cty.TupleVal(out), nil
	case t.IsSetType() && len(out) == 0:
		return cty.SetValEmpty(t.ElementType()), nil
	case t.IsSetType():
		return cty.SetVal(out), nil
	case t.IsListType() && len(out) == 0:
		return cty.ListValEmpty(t.ElementType()), nil
	case t.IsListType():
		return cty.ListVal(out), nil
	}
	return cty.NilVal, fmt.Errorf("a list is no %s", t.FriendlyName())
}

// A path is a list of steps: {"attribute": NAME} or {"index": VALUE}.
func pathTree(p cty.Path) any {
	out := []any{}
	for _, s := range p {
		switch s := s.(type) {
		case cty.GetAttrStep:
			out = append(out, map[string]any{"attribute": s.Name})
		case cty.IndexStep:
			out = append(out, map[string]any{"index": valueTree(s.Key)})
		}
	}
	return out
}

func treePath(from any) (cty.Path, error) {
	var out cty.Path
	steps, _ := from.([]any)
	for _, s := range steps {
		m, _ := s.(map[string]any)
		if name, ok := m["attribute"].(string); ok {
			out = out.GetAttr(name)
			continue
		}
		key, err := treeValue(m["index"])
		if err != nil {
			return nil, err
		}
		out = out.Index(key)
	}
	return out, nil
}
