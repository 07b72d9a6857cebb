package evaluate

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Identify gives the attribute by which people recognise an object, and its
// value: id, else name, else the tag Name. Both are empty when there is none.
func Identify(v value.Bare) (key, id string) {
	if v.IsZero() || v.Cty().IsNull() || !v.Cty().IsKnown() || !v.Cty().Type().IsObjectType() {
		return "", ""
	}
	for _, name := range []string{"id", "name"} {
		if s, ok := stringAttr(v.Cty(), name); ok {
			return name, s
		}
	}
	if v.Cty().Type().HasAttribute("tags") {
		tags := v.Cty().GetAttr("tags")
		if tags.Type().IsMapType() && tags.Type().ElementType() == cty.String && tags.IsKnown() && !tags.IsNull() {
			for _, k := range []string{"name", "Name"} {
				if e, ok := tags.AsValueMap()[k]; ok && e.IsKnown() && !e.IsNull() {
					return k, e.AsString()
				}
			}
		}
	}
	return "", ""
}

// IdentifyImport tells by what an object is imported: its id, or its identity
// in one line.
func IdentifyImport(id string, identity value.Bare) (key, text string) {
	if id != "" || identity.IsZero() || identity.Cty().IsNull() || !identity.Cty().Type().IsObjectType() {
		return "id", id
	}
	var parts []string
	for it := identity.Cty().ElementIterator(); it.Next(); {
		k, v := it.Element()
		parts = append(parts, k.AsString()+"="+plainText(v))
	}
	return "identity", strings.Join(parts, ",")
}

// plainText writes a part of an identity without quotes.
func plainText(v cty.Value) string {
	switch {
	case v.IsNull():
		return "<null>"
	case !v.IsKnown():
		return "<unknown>"
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case v.Type() == cty.Bool:
		return strconv.FormatBool(v.True())
	}
	var parts []string
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		parts = append(parts, plainText(e))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func stringAttr(v cty.Value, name string) (string, bool) {
	if !v.Type().HasAttribute(name) {
		return "", false
	}
	a := v.GetAttr(name)
	if a.Type() != cty.String || !a.IsKnown() || a.IsNull() || a.AsString() == "" {
		return "", false
	}
	return a.AsString(), true
}

// PathOf turns the rest of a reference into a path. ok is false when there is
// none or it cannot be followed.
func PathOf(t hcl.Traversal) (cty.Path, bool) {
	var out cty.Path
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			out = out.GetAttr(step.Name)
		case hcl.TraverseIndex:
			out = out.Index(step.Key)
		default:
			return nil, false
		}
	}
	return out, len(out) > 0
}

// Readers are, for each site, the sites that read it.
func (p *Program) Readers() [][]int {
	out := make([][]int, len(p.sites))
	for _, s := range p.sites {
		for _, id := range s.Reads {
			out[id] = append(out[id], s.ID)
		}
	}
	return out
}
