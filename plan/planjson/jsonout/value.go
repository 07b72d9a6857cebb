package jsonout

import (
	"math/big"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/plumb-iac/plumb/value"
)

// Value writes a value, marks ignored, without type information. Attributes of
// an object that are unknown are left out; an unknown elsewhere is null.
func (w *Writer) Value(v value.V) {
	w.value(value.Strip(v).Cty())
}

func (w *Writer) value(v cty.Value) {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() {
		w.Null()
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		w.String(v.AsString())
	case t == cty.Bool:
		w.Bool(v.True())
	case t == cty.Number:
		w.number(v.AsBigFloat())
	case t.IsObjectType() || t.IsMapType():
		w.Begin()
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if e.IsKnown() {
				w.Key(k.AsString())
				w.value(e)
			}
		}
		w.End()
	case t.IsListType() || t.IsSetType() || t.IsTupleType():
		w.BeginList()
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			w.value(e)
		}
		w.EndList()
	default:
		w.Null()
	}
}

func (w *Writer) number(n *big.Float) {
	if n.IsInf() {
		w.Null()
		return
	}
	// Writing a float of 512 bits costs microseconds; most numbers are small
	// integers.
	if i, exact := n.Int64(); exact == big.Exact && i != 0 {
		w.Raw(strconv.AppendInt(nil, i, 10))
		return
	}
	w.Raw([]byte(n.Text('f', -1)))
}

// Type writes a type constraint.
func (w *Writer) Type(t cty.Type) {
	text, err := ctyjson.MarshalType(t)
	if err != nil {
		w.Null()
		return
	}
	w.Raw(text)
}
