package jsonout

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Writer writes one JSON document and remembers the first error.
type Writer struct {
	enc *jsontext.Encoder
	err error
}

// New makes a writer of compact JSON.
func New(w io.Writer) *Writer {
	return &Writer{enc: jsontext.NewEncoder(w, jsontext.AllowDuplicateNames(true), jsontext.EscapeForHTML(true), jsontext.AllowInvalidUTF8(true))}
}

// NewIndented makes a writer of JSON for people's eyes, indented by two spaces.
func NewIndented(w io.Writer) *Writer {
	return &Writer{enc: jsontext.NewEncoder(w, jsontext.AllowDuplicateNames(true), jsontext.EscapeForHTML(true), jsontext.AllowInvalidUTF8(true),
		jsontext.Multiline(true), jsontext.WithIndent("  "))}
}

// Err is the first error.
func (w *Writer) Err() error { return w.err }

func (w *Writer) token(t jsontext.Token) {
	if w.err == nil {
		w.err = w.enc.WriteToken(t)
	}
}

// Begin opens an object, End closes it.
func (w *Writer) Begin() { w.token(jsontext.BeginObject) }

// End closes an object.
func (w *Writer) End() { w.token(jsontext.EndObject) }

// BeginList opens an array.
func (w *Writer) BeginList() { w.token(jsontext.BeginArray) }

// EndList closes an array.
func (w *Writer) EndList() { w.token(jsontext.EndArray) }

// Key writes the name of the next member.
func (w *Writer) Key(name string) { w.token(jsontext.String(name)) }

// String writes a string.
func (w *Writer) String(s string) { w.token(jsontext.String(s)) }

// Bool writes a truth value.
func (w *Writer) Bool(b bool) { w.token(jsontext.Bool(b)) }

// Int writes an integer.
func (w *Writer) Int(n int64) { w.token(jsontext.Int(n)) }

// Null writes null.
func (w *Writer) Null() { w.token(jsontext.Null) }

// Raw writes JSON text; it is compacted or indented like the rest.
func (w *Writer) Raw(text []byte) {
	if w.err == nil {
		w.err = w.enc.WriteValue(text)
	}
}

// KeyString writes a member with a string.
func (w *Writer) KeyString(name, s string) { w.Key(name); w.String(s) }

// KeyFilled writes a member with a string unless it is empty.
func (w *Writer) KeyFilled(name, s string) {
	if s != "" {
		w.KeyString(name, s)
	}
}

// KeyBool writes a member with a truth value.
func (w *Writer) KeyBool(name string, b bool) { w.Key(name); w.Bool(b) }

// KeyTrue writes a member with a truth value unless it is false.
func (w *Writer) KeyTrue(name string, b bool) {
	if b {
		w.KeyBool(name, b)
	}
}

// KeyInt writes a member with an integer.
func (w *Writer) KeyInt(name string, n int64) { w.Key(name); w.Int(n) }

// Strings writes an array of strings.
func (w *Writer) Strings(list []string) {
	w.BeginList()
	for _, s := range list {
		w.String(s)
	}
	w.EndList()
}
