package expand

import (
	"iter"
	"sort"

	"github.com/plumb-iac/plumb/addr"
	"github.com/zclconf/go-cty/cty"
)

type kind uint8

const (
	single kind = iota
	disabled
	counted
	keyed
	listed
	unknownCount
	unknownEach
	unknownEnabled
)

// Keys are the instance keys of one block. The zero Keys is a single instance
// without a key.
type Keys struct {
	kind kind
	// n is the number of a count.
	n int
	// names are the keys of a for_each, sorted, and vals their values. Where the
	// for_each is a list, eachKeys stand in place of names, in the list's order.
	names    []string
	vals     []cty.Value
	eachKeys []cty.Value
	// element is the type of each.value while the keys are not known.
	element cty.Type
	// standing says that the one instance of unknown keys has a key, which
	// stands for all of them.
	standing bool
}

// Single is one instance without a key.
func Single() Keys { return Keys{} }

// Counted is n instances numbered from 0.
func Counted(n int) Keys { return Keys{kind: counted, n: n} }

// Each is one instance for each entry; the values are what each.value is.
func Each(entries map[string]cty.Value) Keys {
	k := Keys{kind: keyed, names: make([]string, 0, len(entries))}
	for name := range entries {
		k.names = append(k.names, name)
	}
	sort.Strings(k.names)
	k.vals = make([]cty.Value, len(k.names))
	for i, name := range k.names {
		k.vals[i] = entries[name]
	}
	return k
}

// Listed is one instance for each element of a list, a tuple or a set, whose
// positions are the keys. each.key is the position, and in a set the element. Only
// blocks that make nothing of their own can be repeated so: what a position stands
// for changes with the list.
func Listed(coll cty.Value) Keys {
	k := Keys{kind: listed}
	for it := coll.ElementIterator(); it.Next(); {
		key, v := it.Element()
		k.eachKeys, k.vals = append(k.eachKeys, key), append(k.vals, v)
	}
	return k
}

// Unknown is one instance that stands for all while their keys are not known.
// v is the value of the repetition as far as it is known.
func Unknown(v cty.Value, count, forEach bool) Keys {
	switch {
	case count:
		return Keys{kind: unknownCount}
	case forEach:
		return Keys{kind: unknownEach, element: elementType(v)}
	}
	return Keys{kind: unknownEnabled}
}

// Standing gives the one instance of unknown count or for_each the key
// addr.AnyKey. That of an unknown enabled has no key anyway.
func (k Keys) Standing() Keys {
	k.standing = k.kind == unknownCount || k.kind == unknownEach
	return k
}

func elementType(v cty.Value) cty.Type {
	if v != cty.NilVal && v.Type().IsCollectionType() {
		return v.Type().ElementType()
	}
	return cty.DynamicPseudoType
}

// IsUnknown says whether the keys are not known.
func (k Keys) IsUnknown() bool { return k.kind >= unknownCount }

// Repeats says whether the block has count or for_each.
func (k Keys) Repeats() bool {
	return k.kind == counted || k.kind == keyed || k.kind == listed || k.kind == unknownCount || k.kind == unknownEach
}

// Len is the number of instances; unknown keys have one that stands for all.
func (k Keys) Len() int {
	switch k.kind {
	case disabled:
		return 0
	case counted:
		return k.n
	case keyed:
		return len(k.names)
	case listed:
		return len(k.vals)
	}
	return 1
}

// All gives the keys in order.
func (k Keys) All() iter.Seq[addr.InstanceKey] {
	return func(yield func(addr.InstanceKey) bool) {
		for i := range k.Len() {
			if !yield(k.At(i)) {
				return
			}
		}
	}
}

// At is the key at position i of All.
func (k Keys) At(i int) addr.InstanceKey {
	switch k.kind {
	case counted, listed:
		return addr.IntKey(i)
	case keyed:
		return addr.StringKey(k.names[i])
	}
	if k.standing {
		return addr.AnyKey
	}
	return addr.NoKey
}

// IndexOf is the position of a key in All, -1 when it is not among the keys.
func (k Keys) IndexOf(key addr.InstanceKey) int {
	switch k.kind {
	case disabled:
		return -1
	case counted:
		if i, ok := key.Int(); ok && i < k.n {
			return i
		}
		return -1
	case keyed:
		if s, ok := key.Str(); ok {
			if i := sort.SearchStrings(k.names, s); i < len(k.names) && k.names[i] == s {
				return i
			}
		}
		return -1
	}
	if key == k.At(0) {
		return 0
	}
	return -1
}

// Has says whether there is an instance with the key.
func (k Keys) Has(key addr.InstanceKey) bool { return k.IndexOf(key) >= 0 }

// Among are the keys of there in place of those of k, as the same kind of block
// has them: those of another kind are left out. A counted block still begins at 0,
// whichever of its keys are missing. A block that is not repeated stays as it is.
func (k Keys) Among(there iter.Seq[addr.InstanceKey]) Keys {
	if k.kind != counted && k.kind != keyed {
		return k
	}
	n, entries := 0, map[string]cty.Value{}
	for key := range there {
		if i, ok := key.Int(); ok {
			n = max(n, i+1)
		}
		if name, ok := key.Str(); ok {
			entries[name] = k.valueOf(name)
		}
	}
	if k.kind == counted {
		return Counted(n)
	}
	return Each(entries)
}

// valueOf is what each.value is for a key, unknown for one that is not among k's.
func (k Keys) valueOf(name string) cty.Value {
	if i := k.IndexOf(addr.StringKey(name)); i >= 0 {
		return k.vals[i]
	}
	return cty.DynamicVal
}

// EachObject is what the names count or each are worth in the instance with
// the key: cty.NilVal where there is no such name.
func (k Keys) EachObject(key addr.InstanceKey) cty.Value {
	switch k.kind {
	case counted:
		i, _ := key.Int()
		return cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(i))})
	case listed:
		if i, ok := key.Int(); ok && i < len(k.vals) {
			return each(k.eachKeys[i], k.vals[i])
		}
	case keyed:
		if i := k.IndexOf(key); i >= 0 {
			return each(cty.StringVal(k.names[i]), k.vals[i])
		}
	case unknownCount:
		return cty.ObjectVal(map[string]cty.Value{"index": cty.UnknownVal(cty.Number).RefineNotNull()})
	case unknownEach:
		return each(cty.UnknownVal(cty.String).RefineNotNull(), cty.UnknownVal(k.element))
	}
	return cty.NilVal
}

func each(key, val cty.Value) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"key": key, "value": val})
}

// Variables are the root names that the instance with the key adds to the
// scope: count, each, or none.
func (k Keys) Variables(key addr.InstanceKey) map[string]cty.Value {
	v := k.EachObject(key)
	if v == cty.NilVal {
		return nil
	}
	if k.kind == counted || k.kind == unknownCount {
		return map[string]cty.Value{"count": v}
	}
	return map[string]cty.Value{"each": v}
}

// Aggregate makes the value of the whole block from the values of its
// instances: the one value, a tuple, an object, or null for a disabled block.
func (k Keys) Aggregate(of func(addr.InstanceKey) cty.Value) cty.Value {
	switch k.kind {
	case disabled:
		return cty.NullVal(cty.DynamicPseudoType)
	case counted:
		vals := make([]cty.Value, k.n)
		for i := range vals {
			vals[i] = of(addr.IntKey(i))
		}
		return cty.TupleVal(vals)
	case keyed:
		vals := make(map[string]cty.Value, len(k.names))
		for _, name := range k.names {
			vals[name] = of(addr.StringKey(name))
		}
		return cty.ObjectVal(vals)
	case unknownCount, unknownEach, unknownEnabled:
		return cty.DynamicVal
	}
	return of(addr.NoKey)
}
