package state

import (
	"bytes"
	"encoding/json"

	"github.com/plumb-iac/plumb/schema"
	"github.com/zclconf/go-cty/cty"
)

// Fitted are the stored attributes without those that the schema does not have
// (any more): a provider may drop one without a new version. It says whether
// there were any.
func (o *Object) Fitted(s *schema.Resource) ([]byte, bool) {
	if o.Attrs == nil {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(o.Attrs))
	dec.UseNumber()
	var raw any
	if dec.Decode(&raw) != nil || !fit(raw, s.Block.Type()) {
		return o.Attrs, false
	}
	out, err := json.Marshal(raw)
	if err != nil {
		return o.Attrs, false
	}
	return out, true
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
