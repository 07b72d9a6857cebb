package value

import (
	"bytes"
	"errors"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// FromJSON reads a value of type t in the JSON form that go-cty gives it, as
// it is stored in states. Its errors are those of go-cty's own reader.
//
// Objects are read once from start to end. What the reader here does not know
// (text in place of a number, attributes missing or too many, collections of
// elements without a type), and everything that is wrong, is left to go-cty,
// which makes a decoder for each part of a value and so costs ten times as much.
func FromJSON(src []byte, t cty.Type) (Bare, error) {
	r := reader{src: src}
	if v, err := r.value(t); err == nil && r.atEnd() {
		return Bare{v}, nil
	}
	return library(src, t)
}

// library reads as go-cty does, which panics where a tuple has no elements but
// its type has, and where elements of a list differ in their types.
func library(src []byte, t cty.Type) (out Bare, err error) {
	defer func() {
		if recover() != nil {
			out, err = Bare{}, errors.New("the value does not fit its type")
		}
	}()
	v, err := ctyjson.Unmarshal(src, t)
	return Bare{v}, err
}

// errOther is what a reader says of everything that it leaves to go-cty.
var errOther = errors.New("not in the plain form")

// precision is the bits of a number that go-cty reads from text.
const precision = 512

// reader reads one JSON text. It is as strict as JSON.
type reader struct {
	src []byte
	at  int
}

// next is the first byte of what comes next; 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) atEnd() bool { return r.next() == 0 && r.at == len(r.src) }

// take reads the byte c, if it comes next.
func (r *reader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// word reads a literal name such as true.
func (r *reader) word(w string) bool {
	r.next()
	if !bytes.HasPrefix(r.src[r.at:], []byte(w)) {
		return false
	}
	r.at += len(w)
	return true
}

func (r *reader) value(t cty.Type) (cty.Value, error) {
	switch {
	case r.next() == 'n':
		if !r.word("null") {
			return cty.NilVal, errOther
		}
		return cty.NullVal(t), nil
	case t == cty.DynamicPseudoType:
		return r.dynamic()
	case t.IsPrimitiveType():
		return r.primitive(t)
	case t.IsObjectType():
		return r.object(t.AttributeTypes())
	case t.IsTupleType():
		return r.tuple(t.TupleElementTypes())
	case t.IsCollectionType() && !t.HasDynamicTypes():
		return r.collection(t)
	}
	return cty.NilVal, errOther
}

func (r *reader) primitive(t cty.Type) (cty.Value, error) {
	switch c := r.next(); {
	case t == cty.String && c == '"':
		text, err := r.text()
		return cty.StringVal(string(text)), err
	case t == cty.Number && (c == '-' || '0' <= c && c <= '9'):
		return r.number()
	case t == cty.Bool && r.word("true"):
		return cty.True, nil
	case t == cty.Bool && r.word("false"):
		return cty.False, nil
	}
	return cty.NilVal, errOther
}

func (r *reader) number() (cty.Value, error) {
	from := r.at
	for r.at < len(r.src) && bytes.IndexByte([]byte("+-.0123456789Ee"), r.src[r.at]) >= 0 {
		r.at++
	}
	text := r.src[from:r.at]
	if !jsontext.Value(text).IsValid() {
		return cty.NilVal, errOther
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && n != 0 {
		return cty.NumberVal(new(big.Float).SetPrec(precision).SetInt64(n)), nil
	}
	return cty.ParseNumberVal(string(text))
}

// text reads a string, as bytes that may be those of the source.
func (r *reader) text() ([]byte, error) {
	if !r.take('"') {
		return nil, errOther
	}
	from := r.at
	for plain := true; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return nil, errOther
		case c == '"':
			r.at++
			if text := r.src[from : r.at-1]; plain && utf8.Valid(text) {
				return text, nil
			}
			text, err := jsontext.AppendUnquote(nil, r.src[from-1:r.at])
			return text, err
		}
	}
	return nil, errOther
}

// members reads an object; member reads the value of each name.
func (r *reader) members(member func(name []byte) error) error {
	if !r.take('{') {
		return errOther
	}
	for first := true; !r.take('}'); first = false {
		if !first && !r.take(',') {
			return errOther
		}
		r.next()
		name, err := r.text()
		if err != nil {
			return err
		}
		if !r.take(':') {
			return errOther
		}
		if err := member(name); err != nil {
			return err
		}
	}
	return nil
}

// elements reads an array; element reads each value.
func (r *reader) elements(element func() error) error {
	if !r.take('[') {
		return errOther
	}
	for first := true; !r.take(']'); first = false {
		if !first && !r.take(',') {
			return errOther
		}
		if err := element(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) object(types map[string]cty.Type) (cty.Value, error) {
	attrs := make(map[string]cty.Value, len(types))
	err := r.members(func(raw []byte) error {
		name := string(raw)
		t, declared := types[name]
		if !declared {
			return errOther
		}
		var err error
		attrs[name], err = r.value(t)
		return err
	})
	if err != nil || len(attrs) != len(types) {
		return cty.NilVal, errOther
	}
	return cty.ObjectVal(attrs), nil
}

func (r *reader) tuple(types []cty.Type) (cty.Value, error) {
	elems := make([]cty.Value, 0, len(types))
	err := r.elements(func() error {
		if len(elems) == len(types) {
			return errOther
		}
		v, err := r.value(types[len(elems)])
		elems = append(elems, v)
		return err
	})
	if err != nil || len(elems) != len(types) {
		return cty.NilVal, errOther
	}
	return cty.TupleVal(elems), nil
}

func (r *reader) collection(t cty.Type) (cty.Value, error) {
	of := t.ElementType()
	if t.IsMapType() {
		return r.mapping(of)
	}
	var elems []cty.Value
	err := r.elements(func() error {
		v, err := r.value(of)
		elems = append(elems, v)
		return err
	})
	switch {
	case err != nil:
		return cty.NilVal, err
	case t.IsSetType() && len(elems) == 0:
		return cty.SetValEmpty(of), nil
	case t.IsSetType():
		return cty.SetVal(elems), nil
	case len(elems) == 0:
		return cty.ListValEmpty(of), nil
	}
	return cty.ListVal(elems), nil
}

func (r *reader) mapping(of cty.Type) (cty.Value, error) {
	elems := map[string]cty.Value{}
	err := r.members(func(name []byte) error {
		v, err := r.value(of)
		elems[string(name)] = v
		return err
	})
	switch {
	case err != nil:
		return cty.NilVal, err
	case len(elems) == 0:
		return cty.MapValEmpty(of), nil
	}
	return cty.MapVal(elems), nil
}

// dynamic reads a value that is stored with its type, in either order.
func (r *reader) dynamic() (cty.Value, error) {
	var of, content []byte
	err := r.members(func(name []byte) error {
		part, err := r.raw()
		switch string(name) {
		case "type":
			of = part
		case "value":
			content = part
		default:
			return errOther
		}
		return err
	})
	if err != nil || of == nil || content == nil {
		return cty.NilVal, errOther
	}
	t, err := TypeFromJSON(of)
	if err != nil {
		return cty.NilVal, err
	}
	inner := reader{src: content}
	v, err := inner.value(t)
	if err == nil && !inner.atEnd() {
		err = errOther
	}
	return v, err
}

// raw is the text of the next value, whose words and numbers are not looked at
// yet.
func (r *reader) raw() ([]byte, error) {
	r.next()
	from := r.at
	err := r.skip()
	return r.src[from:r.at], err
}

func (r *reader) skip() error {
	switch r.next() {
	case '{':
		return r.members(func([]byte) error { return r.skip() })
	case '[':
		return r.elements(r.skip)
	case '"':
		_, err := r.text()
		return err
	}
	from := r.at
	for r.at < len(r.src) && bytes.IndexByte([]byte(" \t\n\r,:]}"), r.src[r.at]) < 0 {
		r.at++
	}
	if r.at == from {
		return errOther
	}
	return nil
}

// Infinite says whether v or any part of it is an infinite number, which no
// document can hold, and where. The zero value is none.
func Infinite(v V) (cty.Path, bool) {
	if v == cty.NilVal {
		return nil, false
	}
	bare := v
	if marked(v) {
		bare, _ = v.UnmarkDeep()
	}
	var at cty.Path
	found := false
	_ = cty.Walk(bare, func(p cty.Path, v cty.Value) (bool, error) {
		if !found && infinite(v) {
			at, found = p.Copy(), true
		}
		return !found, nil
	})
	return at, found
}

func infinite(v cty.Value) bool {
	return v.Type() == cty.Number && v.IsKnown() && !v.IsNull() && v.AsBigFloat().IsInf()
}

// Finite is b with null for infinite numbers.
func Finite(b Bare) Bare {
	v, _ := cty.Transform(b.Cty(), func(_ cty.Path, v cty.Value) (cty.Value, error) { // no step of this fails
		if infinite(v) {
			return cty.NullVal(cty.Number), nil
		}
		return v, nil
	})
	return MustBare(v)
}
