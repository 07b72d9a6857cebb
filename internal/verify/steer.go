package verify

import (
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

// steering bounds how often a configuration is changed until the provider
// accepts it.
const steering = 40

// steer leads a configuration towards what the provider accepts, by its
// complaints: it tries the values that a complaint names, then the usual ones,
// then leaves the argument out.
type steer struct {
	block *schema.Block
	fixed map[string]cty.Value
	tried map[string]int
}

func newSteer(b *schema.Block, fixed map[string]cty.Value) *steer {
	return &steer{b, fixed, map[string]int{}}
}

// adjust gives the next configuration to try, or false where there is none.
func (s *steer) adjust(v cty.Value, diags diag.List) (cty.Value, bool) {
	for _, d := range diags.Errors() {
		for _, path := range s.blamed(v, d) {
			if next, ok := s.mend(v, path, d.Summary+"\n"+d.Detail); ok {
				return next, true
			}
		}
	}
	return v, false
}

// blamed are the arguments that a complaint is about: the one it points at, and
// those it names.
func (s *steer) blamed(v cty.Value, d diag.Diag) []cty.Path {
	var out []cty.Path
	if len(d.Path) > 0 {
		out = append(out, s.argument(v, d.Path))
	}
	for _, w := range append(words(d.Summary+"\n"+d.Detail), strings.FieldsFunc(d.Detail, notName)...) {
		if a := s.block.Attributes[w]; a != nil && (a.Required || a.Optional) {
			out = append(out, cty.GetAttrPath(w))
		} else if s.block.Blocks[w] != nil {
			out = append(out, cty.GetAttrPath(w))
		}
	}
	return out
}

func notName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
}

// argument is the part of a path that exists in v.
func (s *steer) argument(v cty.Value, path cty.Path) cty.Path {
	for n := len(path); n > 0; n-- {
		if _, err := path[:n].Apply(v); err == nil {
			return path[:n]
		}
	}
	return path[:1]
}

// mend tries the next value for an argument.
func (s *steer) mend(v cty.Value, path cty.Path, complaint string) (cty.Value, bool) {
	if g, ok := path[0].(cty.GetAttrStep); ok {
		if _, given := s.fixed[g.Name]; given {
			return v, false
		}
	}
	old, err := path.Apply(v)
	if err != nil {
		return v, false
	}
	name, a := nameAt(path), s.block.AttributeAt(path)
	t := old.Type()
	if a != nil && t == cty.DynamicPseudoType {
		t = a.Type
	}
	key := value.PathString(path)
	n := s.tried[key]
	s.tried[key]++
	if n == 0 && !old.IsNull() && exclusive(complaint) {
		return s.leaveOut(v, path, a)
	}
	options := append(suggested(complaint, t), candidates(name, t)...)
	if !t.IsPrimitiveType() {
		options = nil
		if a == nil || a.Nested == nil {
			options = s.collections(name, t)
		}
	}
	if n < len(options) {
		return replaced(v, path, options[n]), true
	}
	return s.leaveOut(v, path, a)
}

// collections are a few values of a collection type.
func (s *steer) collections(name string, t cty.Type) []cty.Value {
	var out []cty.Value
	if !t.IsCollectionType() || !t.ElementType().IsPrimitiveType() {
		return nil
	}
	for _, e := range candidates(name, t.ElementType()) {
		if t.IsMapType() {
			out = append(out, cty.MapVal(map[string]cty.Value{"k": e}))
			continue
		}
		out = append(out, collection(t.IsSetType(), t, []cty.Value{e}))
	}
	return out
}

// leaveOut makes an argument null, or blocks empty.
func (s *steer) leaveOut(v cty.Value, path cty.Path, a *schema.Attribute) (cty.Value, bool) {
	switch {
	case a != nil && !a.Required:
		return replaced(v, path, cty.NullVal(a.Type)), true
	case a == nil && len(path) == 1:
		n := s.block.Blocks[nameAt(path)]
		if n == nil || n.Nesting == schema.Group {
			return v, false
		}
		if n.Nesting == schema.Single {
			return replaced(v, path, cty.NullVal(n.Type())), true
		}
		return replaced(v, path, n.Nesting.Empty(n.Type())), true
	case len(path) > 1:
		up := path[:len(path)-1]
		return s.leaveOut(v, up, s.block.AttributeAt(up))
	}
	return v, false
}

// exclusive says whether a complaint is about arguments that exclude each
// other.
func exclusive(complaint string) bool {
	complaint = strings.ToLower(complaint)
	for _, w := range []string{"conflict", "only one of", "exactly one of", "cannot be specified when", "cannot be set", "mutually exclusive", "combination", "not both"} {
		if strings.Contains(complaint, w) {
			return true
		}
	}
	return false
}

func nameAt(path cty.Path) string {
	for i := len(path) - 1; i >= 0; i-- {
		if g, ok := path[i].(cty.GetAttrStep); ok {
			return g.Name
		}
	}
	return ""
}
