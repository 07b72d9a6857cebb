package v4

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/state"
)

// Version is the format version that this package writes.
const Version = 4

// unsupported is the summary of everything that is wrong with a whole file.
const unsupported = "Unsupported state file format"

// Read reads a state file. An input without any bytes but white space is no
// state: nil without diagnostics.
func Read(r io.Reader) (*state.Snapshot, diag.List) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, operator("Failed to read the state", "Reading the state stopped early: "+err.Error()+".")
	}
	return Parse(src)
}

// Parse is Read from memory.
func Parse(src []byte) (*state.Snapshot, diag.List) {
	if len(bytes.TrimSpace(src)) == 0 {
		return nil, nil
	}
	version, diags := sniff(src)
	if diags != nil {
		return nil, diags
	}
	switch version {
	case 4:
		return parse(src)
	case 3:
		return upgrade3(src)
	case 1, 2:
		return nil, operator(unsupported, fmt.Sprintf(
			"The state file uses format version %d, written by Terraform 0.6 or earlier. Let Terraform 0.12 or 0.13 refresh it once; the result can be read.", version))
	case 0:
		return nil, operator(unsupported, `The "version" of the state file is 0. It starts with 1; the file was probably edited by hand.`)
	}
	return nil, operator(unsupported, fmt.Sprintf(
		"The state file uses format version %d; the newest version known here is %d. A newer program must have written it: use that program, or a newer release of this one. The file was left as it is.", version, Version))
}

func operator(summary, detail string) diag.List {
	return diag.List{diag.Err(summary, detail).By(diag.Operator)}
}

// sniff finds the format version without reading further than it has to.
func sniff(src []byte) (uint64, diag.List) {
	s := newScanner(src)
	var version uint64
	found, encrypted := false, false
	err := s.object(func(name string) error {
		encrypted = encrypted || name == "encrypted_data"
		if name != "version" {
			return s.skip()
		}
		var err error
		version, err = s.uint()
		found = true
		if err != nil {
			return err
		}
		return errFound
	})
	switch {
	case err == errFound:
		return version, nil
	case err != nil:
		return 0, s.diagnose(err)
	case !found && encrypted:
		return 0, operator(unsupported, "This state file is encrypted and can not be read without an encryption configuration. Add the encryption block, or the TF_ENCRYPTION, that it was written with.")
	case !found:
		return 0, operator(unsupported, `The state file has no "version" attribute, so there is no telling what format it has. Is it a state file?`)
	}
	return version, nil
}

var errFound = fmt.Errorf("found")

// scanner reads JSON with the complaints that a state file deserves.
type scanner struct {
	src []byte
	dec *jsontext.Decoder
	// scratch is where values are compacted before they are copied.
	scratch []byte
}

func newScanner(src []byte) *scanner {
	return &scanner{src: src, dec: jsontext.NewDecoder(bytes.NewBuffer(src),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// mismatch is a value of another type than the format wants.
type mismatch struct {
	offset  int64
	pointer jsontext.Pointer
	want    string
}

// Error names the place as a JSON pointer.
func (m *mismatch) Error() string {
	return fmt.Sprintf("%s must be %s", place(m.pointer), m.want)
}

func place(p jsontext.Pointer) string {
	if p == "" {
		return "The top level"
	}
	return "The value at " + string(p)
}

// wrong is the complaint about the value that comes next.
func (s *scanner) wrong(want string) error {
	if k := s.dec.PeekKind(); k == jsontext.KindInvalid {
		_, err := s.dec.ReadToken()
		return err
	}
	raw, err := s.dec.ReadValue()
	if err != nil {
		return err
	}
	at := s.dec.InputOffset() - int64(len(raw))
	return &mismatch{at, s.dec.StackPointer(), want}
}

// diagnose turns an error of reading into a diagnostic with line and column.
func (s *scanner) diagnose(err error) diag.List {
	switch e := err.(type) {
	case *mismatch:
		line, column := s.position(e.offset)
		return operator(unsupported, fmt.Sprintf("%s (line %d, column %d). The file may have been edited by hand, or damaged.", e.Error(), line, column))
	case *jsontext.SyntacticError:
		line, column := s.position(e.ByteOffset)
		return operator(unsupported, fmt.Sprintf(
			"The state file is not valid JSON: %v at line %d, column %d (byte %d). If it was cut off, look for a backup next to it.", e.Err, line, column, e.ByteOffset))
	}
	line, column := s.position(int64(len(s.src)))
	return operator(unsupported, fmt.Sprintf(
		"The state file is not valid JSON: it ends too early, at line %d, column %d (%v). If it was cut off, look for a backup next to it.", line, column, err))
}

// position counts lines and columns from 1.
func (s *scanner) position(offset int64) (line, column int) {
	before := s.src[:min(max(offset, 0), int64(len(s.src)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}

// object calls member for each name; member must consume the value. null is an
// empty object.
func (s *scanner) object(member func(name string) error) error {
	switch s.dec.PeekKind() {
	case 'n':
		return s.skip()
	case '{':
	default:
		return s.wrong("an object")
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != '}' {
		raw, err := s.dec.ReadValue()
		if err != nil {
			return err
		}
		name := string(raw[1 : len(raw)-1])
		if bytes.IndexByte(raw, '\\') >= 0 {
			b, _ := jsontext.AppendUnquote(nil, raw)
			name = string(b)
		}
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// array calls element for each value, which it must consume. null is an empty
// array.
func (s *scanner) array(element func() error) error {
	switch s.dec.PeekKind() {
	case 'n':
		return s.skip()
	case '[':
	default:
		return s.wrong("an array")
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != ']' {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

func (s *scanner) skip() error { return s.dec.SkipValue() }

// text reads a string; null is the empty one.
func (s *scanner) text() (string, error) {
	switch s.dec.PeekKind() {
	case 'n':
		return "", s.skip()
	case '"':
		t, err := s.dec.ReadToken()
		if err != nil {
			return "", err
		}
		return t.String(), nil
	}
	return "", s.wrong("a string")
}

func (s *scanner) bool() (bool, error) {
	switch s.dec.PeekKind() {
	case 'n':
		return false, s.skip()
	case 't', 'f':
		t, err := s.dec.ReadToken()
		if err != nil {
			return false, err
		}
		return t.Bool(), nil
	}
	return false, s.wrong("true or false")
}

// uint reads a whole number that is not negative; null is 0.
func (s *scanner) uint() (uint64, error) {
	switch s.dec.PeekKind() {
	case 'n':
		return 0, s.skip()
	case '0':
		raw, err := s.dec.ReadValue()
		if err != nil {
			return 0, err
		}
		if n, err := strconv.ParseUint(string(raw), 10, 63); err == nil {
			return n, nil
		}
		return 0, &mismatch{s.dec.InputOffset() - int64(len(raw)), s.dec.StackPointer(), "a whole number, not negative"}
	}
	return 0, s.wrong("a whole number, not negative")
}

// raw reads an object as compact bytes of its own; nil for null.
func (s *scanner) raw() ([]byte, error) {
	switch s.dec.PeekKind() {
	case 'n':
		return nil, s.skip()
	case '{':
		return s.value()
	}
	return nil, s.wrong("an object")
}

// value reads anything as compact bytes of its own.
func (s *scanner) value() ([]byte, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	s.scratch = appendCompact(s.scratch[:0], v)
	return bytes.Clone(s.scratch), nil
}

// appendCompact appends valid JSON without the white space between tokens.
func appendCompact(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case ' ', '\n', '\r', '\t':
			i++
		case '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i:end]...)
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// stringEnd is the offset behind the string that starts at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}
