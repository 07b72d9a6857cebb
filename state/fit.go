package state

import (
	"bytes"
	"encoding/json"

	"github.com/plumb-iac/plumb/schema"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Fitted are the stored attributes as the schema allows them: without those that
// it does not have (any more), since a provider may drop one without a new
// version, and with null for write-only arguments, which other programs may have
// stored. It says whether there was anything to mend.
func (o *Object) Fitted(s *schema.Resource) ([]byte, bool) {
	if o.Attrs == nil {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(o.Attrs))
	dec.UseNumber()
	out := o.Attrs
	var raw any
	if dec.Decode(&raw) == nil && fit(raw, s.Block.Type()) {
		if src, err := json.Marshal(raw); err == nil {
			out = src
		}
	}
	out = hushed(out, s)
	return out, !bytes.Equal(out, o.Attrs)
}

// hushed is src with null for write-only arguments; src itself where there is
// nothing to forget.
func hushed(src []byte, s *schema.Resource) []byte {
	v, err := value.FromJSON(src, s.Block.Type())
	if err != nil {
		return src
	}
	clean, leaked := s.Block.WithoutWriteOnly(v.Cty())
	if !leaked {
		return src
	}
	out, err := ctyjson.Marshal(clean, s.Block.Type())
	if err != nil {
		return src
	}
	return out
}

// fit removes what an object of type t does not have from decoded JSON, and says
// whether there was anything.
func fit(raw any, t cty.Type) bool {
	removed := false
	switch raw := raw.(type) {
	case map[string]any:
		for k, v := range raw {
			switch {
			case t.IsMapType():
				removed = fit(v, t.ElementType()) || removed
			case !t.IsObjectType():
			case t.HasAttribute(k):
				removed = fit(v, t.AttributeType(k)) || removed
			default:
				delete(raw, k)
				removed = true
			}
		}
	case []any:
		for i, v := range raw {
			switch {
			case t.IsListType() || t.IsSetType():
				removed = fit(v, t.ElementType()) || removed
			case t.IsTupleType() && i < t.Length():
				removed = fit(v, t.TupleElementType(i)) || removed
			}
		}
	}
	return removed
}
