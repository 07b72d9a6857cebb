package addr

import (
	"strconv"
	"strings"
)

type keyKind uint8

const (
	keyNone keyKind = iota
	keyInt
	keyString
	keyAny
)

// InstanceKey tells instances of one resource or module call apart: none, an
// integer (count) or a string (for_each). The zero value is no key; [AnyKey]
// stands for keys that are not known.
type InstanceKey struct {
	kind keyKind
	num  int
	str  string
}

// NoKey is the key of an object that has neither count nor for_each.
var NoKey InstanceKey

// IntKey is the key of instance n under count.
func IntKey(n int) InstanceKey { return InstanceKey{kind: keyInt, num: n} }

// StringKey is the key of instance s under for_each.
func StringKey(s string) InstanceKey { return InstanceKey{kind: keyString, str: s} }

// AnyKey is the key of what stands for all instances while their keys are not
// known. Nothing in a state has it.
var AnyKey = InstanceKey{kind: keyAny}

// IsAny says whether the key stands for keys that are not known.
func (k InstanceKey) IsAny() bool { return k.kind == keyAny }

// IsNone says whether there is no key.
func (k InstanceKey) IsNone() bool { return k.kind == keyNone }

// Int gives the integer of a count key.
func (k InstanceKey) Int() (int, bool) { return k.num, k.kind == keyInt }

// Str gives the string of a for_each key.
func (k InstanceKey) Str() (string, bool) { return k.str, k.kind == keyString }

// String is the key as written behind a name: "", "[0]", `["a"]` or
// "[*]".
func (k InstanceKey) String() string {
	switch k.kind {
	case keyInt:
		return "[" + strconv.Itoa(k.num) + "]"
	case keyString:
		return "[" + Quote(k.str) + "]"
	case keyAny:
		return "[*]"
	}
	return ""
}

// Less orders keys: none, integers numerically, strings alphabetically,
// then AnyKey.
func (k InstanceKey) Less(o InstanceKey) bool {
	if k.kind != o.kind {
		return k.kind < o.kind
	}
	if k.kind == keyInt {
		return k.num < o.num
	}
	return k.str < o.str
}

// Quote writes s as a quoted string of the configuration language, with
// template introducers escaped.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteRune(r)
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
