package evaluate

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/plumb-iac/plumb/addr"
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

// KeyOf turns a value into an instance key; anything else than a known number
// or string gives none.
func KeyOf(v value.Bare) addr.InstanceKey {
	c := v.Cty()
	switch {
	case c.IsNull() || !c.IsKnown():
	case c.Type() == cty.Number:
		n, _ := c.AsBigFloat().Int64()
		return addr.IntKey(int(n))
	case c.Type() == cty.String:
		return addr.StringKey(c.AsString())
	}
	return addr.NoKey
}

// Reached are the sites that s reads, directly or not, and s itself.
func (p *Program) Reached(s *Site) []int {
	seen := map[int]bool{s.ID: true}
	out := []int{s.ID}
	for i := 0; i < len(out); i++ {
		for _, id := range p.sites[out[i]].Reads {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// Direct are the resources that s reads, through declarations that are not
// resources.
func (p *Program) Direct(s *Site) []*Site {
	seen := map[int]bool{s.ID: true}
	var out []*Site
	stack := append([]int(nil), s.Reads...)
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		at := p.sites[id]
		if at.Kind == Resource {
			out = append(out, at)
			continue
		}
		stack = append(stack, at.Reads...)
	}
	return out
}
