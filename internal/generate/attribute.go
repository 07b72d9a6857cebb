package generate

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// rule is what becomes of an attribute; the first that applies does.
type rule struct {
	applies func(w *writer, a *schema.Attribute, v cty.Value) bool
	// text stands for the value; an attribute without a text is left out.
	text string
}

var rules = []rule{
	{func(_ *writer, a *schema.Attribute, _ cty.Value) bool { return a.Computed && !a.Optional }, ""},
	{func(_ *writer, a *schema.Attribute, _ cty.Value) bool { return a.Deprecated && !a.Required }, ""},
	{func(w *writer, a *schema.Attribute, _ cty.Value) bool { return a.WriteOnly && w.Configured }, "null"},
	{func(_ *writer, a *schema.Attribute, _ cty.Value) bool { return a.WriteOnly }, "null # write-only"},
	{func(_ *writer, a *schema.Attribute, _ cty.Value) bool { return a.Sensitive }, "null # sensitive"},
	{func(w *writer, a *schema.Attribute, v cty.Value) bool {
		return w.Configured && a.Computed && v.IsNull()
	}, ""},
	{func(_ *writer, _ *schema.Attribute, v cty.Value) bool { return v.IsNull() }, "null"},
	{func(w *writer, a *schema.Attribute, v cty.Value) bool {
		return w.EmptyUnset && !w.Configured && !a.Required && v.RawEquals(cty.StringVal(""))
	}, "null"},
}

// attribute writes an attribute, or leaves it out.
func (w *writer) attribute(a *schema.Attribute, v cty.Value) {
	for _, r := range rules {
		if !r.applies(w, a, v) {
			continue
		}
		if r.text != "" {
			w.line(a.Name, " = ", r.text)
		}
		return
	}
	w.WriteString(a.Name + " = ")
	if a.Nested != nil {
		w.structural(a.Nested, v)
	} else {
		w.WriteString(literal(v))
	}
	w.WriteByte('\n')
}

// structural writes the value of a structural attribute: its objects one
// attribute a line.
func (w *writer) structural(o *schema.Object, v cty.Value) {
	switch o.Nesting {
	case schema.List, schema.Set:
		w.line("[")
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			w.object(o, e)
			w.line(",")
		}
		w.WriteString("]")
	case schema.Map:
		w.line("{")
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			w.WriteString(key(k.AsString()) + " = ")
			w.object(o, e)
			w.WriteByte('\n')
		}
		w.WriteString("}")
	default:
		w.object(o, v)
	}
}

func (w *writer) object(o *schema.Object, v cty.Value) {
	if v.IsNull() {
		w.WriteString("null")
		return
	}
	w.line("{")
	for _, name := range o.Names() {
		w.attribute(o.Attributes[name], v.GetAttr(name))
	}
	w.WriteString("}")
}

// key writes a key of a map; one that is no plain name is quoted.
func key(k string) string {
	if plain.MatchString(k) && k != "for" {
		return k
	}
	return text(cty.StringVal(k))
}

var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// literal writes a value. A string that holds JSON is written as what it says.
func literal(v cty.Value) string {
	if v.Type() == cty.String && !v.IsNull() {
		if inner, ok := document(v.AsString()); ok {
			return "jsonencode(" + text(inner) + ")"
		}
	}
	return text(v)
}

// document reads a string that is a JSON object or array.
func document(s string) (cty.Value, bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return cty.NilVal, false
	}
	t, err := ctyjson.ImpliedType([]byte(s))
	if err != nil {
		return cty.NilVal, false
	}
	v, err := ctyjson.Unmarshal([]byte(s), t)
	return v, err == nil
}

func text(v cty.Value) string { return string(hclwrite.TokensForValue(v).Bytes()) }
