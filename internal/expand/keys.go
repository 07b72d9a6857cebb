package expand

import (
	"iter"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
)

type mode uint8

const (
	none mode = iota
	single
	counted
	mapped
	enabled
	unknown
)

// Keys are the instance keys of one declaration in one module instance. The
// zero value has no instances.
type Keys struct {
	mode  mode
	count int
	names []string
	elems map[string]value.V
	// vars are each and count of the instance that stands for unknown ones.
	vars map[string]cty.Value
}

// Single is the one instance of a declaration without repetition.
func Single() Keys { return Keys{mode: single} }

// Unknown is the one instance that stands for all while their number is not
// known. v is the repetition's value.
func Unknown(v value.V, count, forEach bool) Keys {
	k := Keys{mode: unknown}
	switch {
	case count:
		k.vars = map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": cty.UnknownVal(cty.Number).RefineNotNull()})}
	case forEach:
		k.vars = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{
			"key": cty.UnknownVal(cty.String).RefineNotNull(), "value": anyElement(v)})}
	}
	return k
}

// anyElement is an unknown value of the type that all elements have.
func anyElement(v value.V) cty.Value {
	bare := value.Strip(v).Cty()
	t := bare.Type()
	switch {
	case t.IsMapType() || t.IsSetType():
		return cty.UnknownVal(t.ElementType())
	case t.IsObjectType() && bare.IsKnown() && !bare.IsNull():
		return unify(bare)
	}
	return cty.DynamicVal
}

// unify is an unknown value of the type that the attributes of an object share.
func unify(object cty.Value) cty.Value {
	var t cty.Type
	for _, at := range object.Type().AttributeTypes() {
		if t != cty.NilType && !t.Equals(at) {
			return cty.DynamicVal
		}
		t = at
	}
	if t == cty.NilType {
		return cty.DynamicVal
	}
	return cty.UnknownVal(t)
}

// IsUnknown says whether the number of instances is not known.
func (k Keys) IsUnknown() bool { return k.mode == unknown }

// Len is the number of instances.
func (k Keys) Len() int {
	switch k.mode {
	case single, unknown:
		return 1
	case counted, enabled:
		return k.count
	case mapped:
		return len(k.names)
	}
	return 0
}

// All are the keys in order.
func (k Keys) All() iter.Seq[addr.InstanceKey] {
	return func(yield func(addr.InstanceKey) bool) {
		switch k.mode {
		case single, unknown:
			yield(addr.NoKey)
		case enabled:
			if k.count == 1 {
				yield(addr.NoKey)
			}
		case counted:
			for i := range k.count {
				if !yield(addr.IntKey(i)) {
					return
				}
			}
		case mapped:
			for _, n := range k.names {
				if !yield(addr.StringKey(n)) {
					return
				}
			}
		}
	}
}

// Has says whether key is among the keys.
func (k Keys) Has(key addr.InstanceKey) bool {
	switch k.mode {
	case single, unknown:
		return key.IsNone()
	case enabled:
		return k.count == 1 && key.IsNone()
	case counted:
		n, ok := key.Int()
		return ok && n >= 0 && n < k.count
	case mapped:
		s, ok := key.Str()
		if !ok {
			return false
		}
		i := sort.SearchStrings(k.names, s)
		return i < len(k.names) && k.names[i] == s
	}
	return false
}

// Variables are the root names that an instance sees: count or each, or none.
func (k Keys) Variables(key addr.InstanceKey) map[string]cty.Value {
	if k.mode == unknown {
		return k.vars
	}
	if v := k.EachObject(key); v != cty.NilVal {
		if k.mode == counted {
			return map[string]cty.Value{"count": v}
		}
		return map[string]cty.Value{"each": v}
	}
	return nil
}

// EachObject is the value of count or each for an instance; cty.NilVal where
// there is neither.
func (k Keys) EachObject(key addr.InstanceKey) cty.Value {
	if n, ok := key.Int(); ok && k.mode == counted {
		return cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(n))})
	}
	if s, ok := key.Str(); ok && k.mode == mapped {
		v, has := k.elems[s]
		if !has {
			v = cty.StringVal(s)
		}
		return cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal(s), "value": v})
	}
	return cty.NilVal
}

// Aggregate is the value of all instances together: the one instance's value, a
// tuple under count, an object under for_each, null for one that is disabled.
func (k Keys) Aggregate(one func(addr.InstanceKey) cty.Value) cty.Value {
	switch k.mode {
	case single, unknown:
		return one(addr.NoKey)
	case enabled:
		if k.count == 0 {
			return cty.NullVal(cty.DynamicPseudoType)
		}
		return one(addr.NoKey)
	case mapped:
		attrs := make(map[string]cty.Value, len(k.names))
		for _, n := range k.names {
			attrs[n] = one(addr.StringKey(n))
		}
		return cty.ObjectVal(attrs)
	}
	elems := make([]cty.Value, k.count)
	for i := range elems {
		elems[i] = one(addr.IntKey(i))
	}
	return cty.TupleVal(elems)
}
