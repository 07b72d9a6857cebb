package addr

import "slices"

// Selector answers which of many targets select an instance, in a time that does
// not grow with their number, but for that of patterns.
type Selector struct {
	targets []Target
	// patterns are the places of the targets with wildcards.
	patterns []int
	// shapes are those of the other targets, and places where each of them stands.
	shapes []shape
	places map[named][]int
}

// named is what a target of a shape says: an address without the parts that it
// leaves open.
type named struct {
	shape
	at AbsInstance
}

// shape says which parts of an instance's address a target names: the keys of
// how many module steps, one letter for a step, the resource, and its key.
type shape struct {
	steps         string
	resource, key bool
}

// NewSelector is the selector of the targets.
func NewSelector(targets []Target) *Selector {
	s := &Selector{targets: targets, places: map[named][]int{}}
	seen := map[shape]bool{}
	for n, t := range targets {
		if t.IsPattern() {
			s.patterns = append(s.patterns, n)
			continue
		}
		sh := t.shape()
		if !seen[sh] {
			seen[sh] = true
			s.shapes = append(s.shapes, sh)
		}
		at := named{sh, AbsInstance{t.Module, t.Resource, t.Key}}
		s.places[at] = append(s.places[at], n)
	}
	return s
}

const (
	keyed   = 'k'
	unkeyed = '-'
)

func (t Target) shape() shape {
	var steps []byte
	for _, s := range t.Module.Steps() {
		if s.Key.IsNone() {
			steps = append(steps, unkeyed)
		} else {
			steps = append(steps, keyed)
		}
	}
	return shape{string(steps), t.HasResource, t.HasKey}
}

// Selecting are the places of the targets that contain i, in their order.
func (s *Selector) Selecting(i AbsInstance) []int {
	var out []int
	steps := i.Module.Steps()
	for _, sh := range s.shapes {
		if at, fits := sh.of(i, steps); fits {
			out = append(out, s.places[named{sh, at}]...)
		}
	}
	for _, n := range s.patterns {
		if s.targets[n].Contains(i) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// of is what a target of the shape says if it selects i, whose module has the
// steps. It fits when there is such a target.
func (sh shape) of(i AbsInstance, steps []ModuleStep) (at AbsInstance, fits bool) {
	if len(steps) < len(sh.steps) || sh.resource && len(steps) != len(sh.steps) {
		return at, false
	}
	for n := range sh.steps {
		key := NoKey
		if sh.steps[n] == keyed {
			key = steps[n].Key
		}
		at.Module = at.Module.Child(steps[n].Name, key)
	}
	if sh.resource {
		at.Resource = i.Resource
	}
	if sh.key {
		at.Key = i.Key
	}
	return at, true
}
