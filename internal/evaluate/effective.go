package evaluate

import (
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// Effective is the configuration with what ignore_changes names taken from the
// prior state.
func (d *ResourceDecl) Effective(b *schema.Block, config value.Bare, marks value.Marks, prior value.Bare, priorMarks value.Marks) (value.Bare, value.Marks) {
	was := prior.Cty()
	if was.IsNull() || !d.IgnoreAll && len(d.IgnoreChanges) == 0 {
		return config, marks
	}
	if d.IgnoreAll {
		return value.MustBare(settable(was, b)), priorMarks
	}
	out := config.Cty()
	for _, p := range d.IgnoreChanges {
		out = ignore(out, was, p)
		marks = moveMarks(marks, priorMarks, p)
	}
	return value.MustBare(out), marks
}

// settable is a stored object as a configuration that would give it: what only
// the provider decides is left out.
func settable(v cty.Value, b *schema.Block) cty.Value {
	out, err := cty.Transform(v, func(p cty.Path, v cty.Value) (cty.Value, error) {
		if a := b.AttributeAt(p); a != nil && len(p) > 0 && a.Computed && !a.Optional {
			return cty.NullVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		return v
	}
	return out
}

// ignore replaces the part of config at path by that of prior. A map element
// that only one side has is added or taken away.
func ignore(config, prior cty.Value, path cty.Path) cty.Value {
	if len(path) == 0 {
		return prior
	}
	if config.IsNull() || !config.IsKnown() || prior.IsNull() || !prior.IsKnown() {
		if config.IsNull() && !prior.IsNull() && config.Type().IsMapType() {
			return mapElement(config, prior, path)
		}
		return config
	}
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		if !config.Type().IsObjectType() {
			return config
		}
		return attribute(config, prior, step.Name, path[1:])
	case cty.IndexStep:
		switch t := config.Type(); {
		case t.IsObjectType() && step.Key.Type() == cty.String:
			return attribute(config, prior, step.Key.AsString(), path[1:])
		case t.IsMapType():
			return mapElement(config, prior, path)
		case t.IsListType() || t.IsTupleType():
			return listElement(config, prior, step, path[1:])
		}
	}
	return config
}

// attribute replaces an attribute. In a value of dynamic type one that only one
// side has is added or taken away.
func attribute(config, prior cty.Value, name string, rest cty.Path) cty.Value {
	attrs := config.AsValueMap()
	if attrs == nil {
		attrs = map[string]cty.Value{}
	}
	is, there := attrs[name]
	had := prior.Type().IsObjectType() && prior.Type().HasAttribute(name)
	switch {
	case had && there:
		attrs[name] = ignore(is, prior.GetAttr(name), rest)
	case had:
		attrs[name] = prior.GetAttr(name)
	default:
		delete(attrs, name)
	}
	return cty.ObjectVal(attrs)
}

func mapElement(config, prior cty.Value, path cty.Path) cty.Value {
	step, ok := path[0].(cty.IndexStep)
	if !ok || step.Key.Type() != cty.String {
		return config
	}
	key := step.Key.AsString()
	elems := map[string]cty.Value{}
	if !config.IsNull() {
		for k, v := range config.AsValueMap() {
			elems[k] = v
		}
	}
	was, had := prior.AsValueMap()[key]
	has, there := elems[key]
	switch {
	case had && there:
		elems[key] = ignore(has, was, path[1:])
	case had:
		elems[key] = was
	default:
		delete(elems, key)
	}
	if len(elems) == 0 {
		if config.IsNull() {
			return config
		}
		return cty.MapValEmpty(config.Type().ElementType())
	}
	return cty.MapVal(elems)
}

func listElement(config, prior cty.Value, step cty.IndexStep, rest cty.Path) cty.Value {
	if !prior.CanIterateElements() || step.Key.Type() != cty.Number {
		return config
	}
	n, _ := step.Key.AsBigFloat().Int64()
	is, was := config.AsValueSlice(), prior.AsValueSlice()
	if n < 0 || int(n) >= len(is) || int(n) >= len(was) {
		return config
	}
	is[n] = ignore(is[n], was[n], rest)
	if config.Type().IsTupleType() {
		return cty.TupleVal(is)
	}
	return cty.ListVal(is)
}

// moveMarks takes the marks below path from prior instead of config.
func moveMarks(config, prior value.Marks, path cty.Path) value.Marks {
	var out value.Marks
	for _, m := range config {
		if !m.Path.HasPrefix(path) {
			out = append(out, m)
		}
	}
	for _, m := range prior {
		if m.Path.HasPrefix(path) {
			out = append(out, m)
		}
	}
	return out
}
