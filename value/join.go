package value

import "github.com/zclconf/go-cty/cty"

// Join puts marks back. Paths that are not in the value are marked at their
// nearest ancestor that is. It looks at each mark once for each step of its path,
// and builds what is around marked parts once; go-cty's MarkWithPaths compares every
// path with every part.
func Join(b Bare, marks Marks) V {
	if b.v != cty.NilVal && b.v.IsNull() {
		v := b.v
		for _, m := range marks {
			if len(m.Path) == 0 { // else there is no such part
				v = v.WithMarks(toCty(m))
			}
		}
		return v
	}
	return join(b.v, marks, 0)
}

// join marks v, which is where the first steps of all the paths lead.
func join(v cty.Value, marks Marks, steps int) cty.Value {
	var here Marks
	var below map[any]Marks
	for _, m := range marks {
		key, found := part(v, m.Path[steps:])
		if !found {
			here = append(here, m)
			continue
		}
		if below == nil {
			below = map[any]Marks{}
		}
		below[key] = append(below[key], m)
	}
	if below != nil {
		v = joinParts(v, below, steps+1)
	}
	for _, m := range here {
		v = v.WithMarks(toCty(m))
	}
	return v
}

// part is the attribute, key or index to which the first step of a path leads.
// Unknown, null and set values end a path.
func part(v cty.Value, path cty.Path) (key any, found bool) {
	if len(path) == 0 || v.IsNull() || !v.IsKnown() {
		return nil, false
	}
	t := v.Type()
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		return step.Name, t.IsObjectType() && t.HasAttribute(step.Name)
	case cty.IndexStep:
		switch {
		case step.Key.IsNull() || !step.Key.IsKnown():
		case step.Key.Type() == cty.String && t.IsMapType():
			return step.Key.AsString(), v.HasIndex(step.Key).True()
		case step.Key.Type() == cty.Number && (t.IsListType() || t.IsTupleType()):
			i, _ := step.Key.AsBigFloat().Int64()
			return int(i), v.HasIndex(step.Key).True()
		}
	}
	return nil, false
}

// joinParts builds v again with the marks of its parts.
func joinParts(v cty.Value, below map[any]Marks, steps int) cty.Value {
	t := v.Type()
	if t.IsListType() || t.IsTupleType() {
		parts := v.AsValueSlice()
		for key, marks := range below {
			parts[key.(int)] = join(parts[key.(int)], marks, steps)
		}
		if t.IsTupleType() {
			return cty.TupleVal(parts)
		}
		return cty.ListVal(parts)
	}
	parts := v.AsValueMap()
	for key, marks := range below {
		parts[key.(string)] = join(parts[key.(string)], marks, steps)
	}
	if t.IsMapType() {
		return cty.MapVal(parts)
	}
	return cty.ObjectVal(parts)
}
