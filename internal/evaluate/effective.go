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
// that only one side has is added or taken away; any other part has to be on
// both.
func ignore(config, prior cty.Value, path cty.Path) cty.Value {
	switch {
	case len(path) == 0:
		return prior
	case !config.IsKnown() || !prior.IsKnown():
		return config
	case config.Type().IsMapType() && prior.Type().Equals(config.Type()):
		return mapElement(config, prior, path)
	case namesKey(path):
		// A key of something that is no map, such as an object in a value of
		// dynamic type, stands for all of it in both incumbents.
		return prior
	case config.IsNull() || prior.IsNull():
		return config
	}
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		return attribute(config, prior, step.Name, path[1:])
	case cty.IndexStep:
		if t := config.Type(); t.IsListType() || t.IsTupleType() {
			return listElement(config, prior, step, path[1:])
		}
	}
	return config
}

// namesKey says whether path is one string in brackets.
func namesKey(path cty.Path) bool {
	step, ok := path[0].(cty.IndexStep)
	return ok && len(path) == 1 && step.Key.Type() == cty.String
}

func attribute(config, prior cty.Value, name string, rest cty.Path) cty.Value {
	is, was := config.Type(), prior.Type()
	if !is.IsObjectType() || !is.HasAttribute(name) || !was.IsObjectType() || !was.HasAttribute(name) {
		return config
	}
	attrs := config.AsValueMap()
	attrs[name] = ignore(attrs[name], prior.GetAttr(name), rest)
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
	var was cty.Value
	had := false
	if !prior.IsNull() {
		was, had = prior.AsValueMap()[key]
	}
	has, there := elems[key]
	switch {
	case had && there:
		elems[key] = ignore(has, was, path[1:])
	case len(path) > 1:
		return config
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
