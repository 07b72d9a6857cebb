package state

import (
	"bytes"
	"fmt"

	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// WithValue is o with the attributes and sensitive paths of v, an object of
// schema s. It refuses ephemeral, poisoned and unknown values: what is stored
// must be meant to be kept and known.
func (o Object) WithValue(v value.V, s *schema.Resource) (*Object, error) {
	bare, marks := value.Split(v)
	for _, m := range marks {
		if m.Kinds&(value.Ephemeral|value.Poison) != 0 {
			return nil, fmt.Errorf("the value of %s must not outlive this run and cannot be stored", value.PathString(m.Path))
		}
	}
	src, err := ctyjson.Marshal(bare.Cty(), s.Block.Type())
	if err != nil {
		return nil, err
	}
	o.Attrs, o.Flat, o.SchemaVersion = src, nil, s.Version
	o.Sensitive = marks.Paths(value.Sensitive)
	return &o, nil
}

// WithIdentity is o with a resource identity; a zero or null identity removes
// it.
func (o Object) WithIdentity(id value.Bare, s *schema.Resource) (*Object, error) {
	o.Identity, o.IdentityVersion = nil, s.IdentityVersion
	if id.IsZero() || id.Cty().IsNull() || s.Identity == nil {
		return &o, nil
	}
	src, err := ctyjson.Marshal(id.Cty(), s.Identity.Element())
	if err != nil {
		return nil, err
	}
	o.Identity = src
	return &o, nil
}

// Value decodes the attributes as they are, for objects of the current schema
// version. What the schema does not have is left out.
func (o *Object) Value(s *schema.Resource) (value.Bare, error) {
	v, err := value.FromJSON(o.Attrs, s.Block.Type())
	if err != nil {
		if fitted, removed := o.Fitted(s); removed {
			v, err = value.FromJSON(fitted, s.Block.Type())
		}
	}
	return v, err
}

// Holds says whether o stores v in the form of s, and nothing else.
func (o *Object) Holds(v value.Bare, s *schema.Resource) bool {
	if src, err := ctyjson.Marshal(v.Cty(), s.Block.Type()); err == nil && bytes.Equal(src, o.Attrs) {
		return true // as it was written
	}
	stored, err := value.FromJSON(o.Attrs, s.Block.Type())
	return err == nil && stored.Cty().RawEquals(v.Cty())
}

// IdentityValue decodes the resource identity; null where there is none.
func (o *Object) IdentityValue(s *schema.Resource) (value.Bare, error) {
	if s.Identity == nil {
		return value.Bare{}, nil
	}
	if len(o.Identity) == 0 {
		return value.Null(s.Identity.Element()), nil
	}
	return value.FromJSON(o.Identity, s.Identity.Element())
}

// Marks are the sensitive marks of the object v stored in o: those recorded
// and those of the schema.
func (o *Object) Marks(v cty.Value, s *schema.Resource) value.Marks {
	return SensitiveMarks(o.Sensitive).Plus(SensitiveMarks(s.Block.SensitivePaths(v)))
}

// SensitiveMarks marks paths as sensitive.
func SensitiveMarks(paths []cty.Path) value.Marks {
	if len(paths) == 0 {
		return nil
	}
	out := make(value.Marks, len(paths))
	for i, p := range paths {
		out[i] = value.PathMark{Path: p, Kinds: value.Sensitive}
	}
	return out
}
