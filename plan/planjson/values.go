package planjson

import (
	"fmt"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/plan/planjson/jsonout"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/state"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Schemas finds the schema of a resource type; nil when it is not known.
type Schemas func(p addr.Provider, mode addr.Mode, typeName string) *schema.Resource

func (s Schemas) of(p addr.Provider, r addr.Resource) *schema.Resource {
	if s == nil {
		return nil
	}
	return s(p, r.Mode, r.Type)
}

// Decode is a stored object's value with its sensitive marks. Without a schema,
// or where the object does not fit it, the value has the type its JSON implies.
func Decode(o *state.Object, s *schema.Resource) (value.V, error) {
	v, err := decodeBare(o, s)
	if err != nil {
		return cty.NilVal, err
	}
	marks := sensitiveMarks(schemaSecrets(v, s))
	return value.Join(value.MustBare(v), marks.Plus(sensitiveMarks(o.Sensitive))), nil
}

// Fits says whether a value has the type that a schema asks for.
func Fits(v value.V, s *schema.Resource) bool {
	return s != nil && s.Block != nil && len(value.Strip(v).Cty().Type().TestConformance(s.Block.Type())) == 0
}

// schemaSecrets are the places of v that the schema declares sensitive. Where v
// does not fit, whatever has the name of an attribute with secrets is one.
func schemaSecrets(v cty.Value, s *schema.Resource) []cty.Path {
	if Fits(v, s) {
		return s.Block.SensitivePaths(v)
	}
	var out []cty.Path
	if s == nil || s.Block == nil || !v.Type().IsObjectType() {
		return nil
	}
	for _, name := range s.Block.AttrNames() {
		if a := s.Block.Attributes[name]; (a.Sensitive || a.Nested != nil) && v.Type().HasAttribute(name) {
			out = append(out, cty.GetAttrPath(name))
		}
	}
	for _, name := range s.Block.BlockNames() {
		if s.Block.Blocks[name].Block.HasSensitive() && v.Type().HasAttribute(name) {
			out = append(out, cty.GetAttrPath(name))
		}
	}
	return out
}

func decodeBare(o *state.Object, s *schema.Resource) (cty.Value, error) {
	if o.Attrs == nil {
		return flat(o.Flat), nil
	}
	if s != nil && s.Block != nil {
		if v, err := value.FromJSON(o.Attrs, s.Block.Type()); err == nil {
			return v.Cty(), nil
		}
	}
	t, err := ctyjson.ImpliedType(o.Attrs)
	if err != nil {
		return cty.NilVal, fmt.Errorf("the stored attributes are not valid JSON: %w", err)
	}
	v, err := value.FromJSON(o.Attrs, t)
	return v.Cty(), err
}

func flat(attrs map[string]string) cty.Value {
	out := make(map[string]cty.Value, len(attrs))
	for k, v := range attrs {
		out[k] = cty.StringVal(v)
	}
	return cty.ObjectVal(out)
}

func sensitiveMarks(paths []cty.Path) value.Marks {
	out := make(value.Marks, 0, len(paths))
	for _, p := range paths {
		out = append(out, value.PathMark{Path: p, Kinds: value.Sensitive})
	}
	return out
}

// judge answers for a part of a value whether it counts. done is false where
// the answer lies in its parts.
type judge func(v cty.Value) (answer, done bool)

// isUnknown counts unknown values.
func isUnknown(v cty.Value) (bool, bool) {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	return !v.IsKnown(), !v.IsKnown() || v.IsNull()
}

// isSensitive counts values marked sensitive.
func isSensitive(v cty.Value) (bool, bool) {
	if value.Has(v, value.Sensitive) {
		return true, true
	}
	v, _ = v.Unmark()
	return false, v.IsNull()
}

// writeTree writes the shape of v with true where j counts a part. Members of
// objects that are plainly false are left out.
func writeTree(w *jsonout.Writer, v cty.Value, j judge) {
	answer, done := j(v)
	if done {
		w.Bool(answer)
		return
	}
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case t.IsListType() || t.IsSetType() || t.IsTupleType():
		w.BeginList()
		eachElement(v, func(_, e cty.Value) { writeTree(w, e, j) })
		w.EndList()
	case t.IsMapType() || t.IsObjectType():
		w.Begin()
		eachElement(v, func(k, e cty.Value) {
			if plainlyFalse(e, j) {
				return
			}
			w.Key(k.AsString())
			writeTree(w, e, j)
		})
		w.End()
	default:
		w.Bool(answer)
	}
}

// plainlyFalse says whether writeTree would write nothing but false.
func plainlyFalse(v cty.Value, j judge) bool {
	answer, done := j(v)
	if answer {
		return false
	}
	v, _ = v.Unmark()
	t := v.Type()
	return done || t.IsPrimitiveType() || t == cty.DynamicPseudoType
}

func eachElement(v cty.Value, visit func(k, e cty.Value)) {
	if !v.IsKnown() || v.IsNull() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		visit(it.Element())
	}
}
