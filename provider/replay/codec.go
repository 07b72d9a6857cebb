package replay

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// The requests and responses of package provider are plain structs, so one
// pair of functions turns them into trees that JSON can write (map[string]any,
// []any, string, float64 as json.Number, bool) and back. Zero fields are left
// out.

var (
	bareType = reflect.TypeFor[value.Bare]()
	ctyType  = reflect.TypeFor[cty.Type]()
	pathType = reflect.TypeFor[cty.Path]()
	timeType = reflect.TypeFor[time.Time]()
)

// tree is the tree of a Go value, nil for a zero one.
func tree(v reflect.Value) any {
	if !v.IsValid() || v.IsZero() {
		return nil
	}
	switch v.Type() {
	case bareType:
		return valueTree(v.Interface().(value.Bare).Cty())
	case ctyType:
		return typeTree(v.Interface().(cty.Type))
	case pathType:
		return pathTree(v.Interface().(cty.Path))
	case timeType:
		return v.Interface().(time.Time).Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if inner := tree(v.Elem()); inner != nil {
			return inner
		}
		return map[string]any{}
	case reflect.Struct:
		return structTree(v)
	case reflect.Map:
		out := map[string]any{}
		for _, k := range v.MapKeys() {
			out[k.String()] = tree(v.MapIndex(k))
		}
		return out
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(v.Bytes())
		}
		out := []any{}
		for i := range v.Len() {
			out = append(out, tree(v.Index(i)))
		}
		return out
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int64:
		return json.Number(fmt.Sprint(v.Int()))
	case reflect.Uint8:
		return json.Number(fmt.Sprint(v.Uint()))
	}
	return nil
}

func structTree(v reflect.Value) any {
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if t := tree(v.Field(i)); t != nil {
			out[snake(f.Name)] = t
		}
	}
	return out
}

// snake is a field's name as JSON has it.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// fill sets a Go value from a tree.
func fill(v reflect.Value, from any) (err error) {
	if from == nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a %s is not %v", v.Type(), r)
		}
	}()
	if read, ok := readers[v.Type()]; ok {
		found, err := read(from)
		if err == nil {
			v.Set(reflect.ValueOf(found))
		}
		return err
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), from)
	case reflect.Struct:
		return fillFields(v, from.(map[string]any))
	case reflect.Map:
		return fillMap(v, from.(map[string]any))
	case reflect.Slice:
		return fillSlice(v, from)
	case reflect.String:
		v.SetString(from.(string))
	case reflect.Bool:
		v.SetBool(from.(bool))
	case reflect.Int, reflect.Int64:
		n, err := from.(json.Number).Int64()
		v.SetInt(n)
		return err
	case reflect.Uint8:
		n, err := from.(json.Number).Int64()
		v.SetUint(uint64(n))
		return err
	}
	return nil
}

// readers read the types that have a form of their own.
var readers = map[reflect.Type]func(any) (any, error){
	bareType: func(from any) (any, error) {
		v, err := treeValue(from)
		if err != nil {
			return nil, err
		}
		return value.MustBare(v), nil
	},
	ctyType:  func(from any) (any, error) { return treeType(from) },
	pathType: func(from any) (any, error) { return treePath(from) },
	timeType: func(from any) (any, error) { return time.Parse(time.RFC3339Nano, from.(string)) },
}

func fillFields(v reflect.Value, from map[string]any) error {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			if err := fill(v.Field(i), from[snake(f.Name)]); err != nil {
				return fmt.Errorf("%s: %w", snake(f.Name), err)
			}
		}
	}
	return nil
}

func fillMap(v reflect.Value, from map[string]any) error {
	v.Set(reflect.MakeMap(v.Type()))
	for key, item := range from {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := fill(e, item); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		v.SetMapIndex(reflect.ValueOf(key), e)
	}
	return nil
}

func fillSlice(v reflect.Value, from any) error {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		raw, err := base64.StdEncoding.DecodeString(from.(string))
		v.SetBytes(raw)
		return err
	}
	for _, item := range from.([]any) {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := fill(e, item); err != nil {
			return err
		}
		v.Set(reflect.Append(v, e))
	}
	return nil
}

// treeOf is the tree of anything.
func treeOf(v any) any { return tree(reflect.ValueOf(v)) }

// keys are a map's keys, sorted.
func keys(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func typeTree(t cty.Type) any {
	raw, err := ctyjson.MarshalType(t)
	if err != nil {
		return nil
	}
	out, _ := parse(raw)
	return out
}

func treeType(from any) (cty.Type, error) {
	raw, err := json.Marshal(from)
	if err != nil {
		return cty.NilType, err
	}
	return ctyjson.UnmarshalType(raw)
}
