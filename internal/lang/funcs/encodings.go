package funcs

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"unicode/utf8"

	"github.com/plumb-iac/plumb/value"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
)

var encodings = map[string]function.Function{
	"base64decode":     text("str", base64Decode),
	"base64encode":     pure("str", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
	"base64gunzip":     text("str", base64Gunzip),
	"base64gzip":       text("str", base64Gzip),
	"textdecodebase64": textDecode,
	"textencodebase64": textEncode,
	"urldecode":        text("str", urlDecode),
	"urlencode":        pure("str", url.QueryEscape),
}

// pure makes a function from string to string that cannot fail.
func pure(name string, f func(string) string) function.Function {
	return text(name, func(s, _ string) (string, error) { return f(s), nil })
}

// text makes a function from string to string. f also gets the argument as it
// may be shown in an error.
func text(name string, f func(s, shown string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params:       []function.Parameter{{Name: name, Type: cty.String, AllowMarked: true}},
		Type:         function.StaticReturnType(cty.String),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, skin := value.Peel(args[0])
			s, err := f(v.AsString(), shown(args[0]))
			if err != nil {
				return cty.UnknownVal(cty.String), err
			}
			return skin.On(cty.StringVal(s)), nil
		},
	})
}

// shown is a string argument as error messages may show it.
func shown(v cty.Value) string {
	switch kinds := value.TopMarks(v); {
	case kinds&value.Ephemeral != 0:
		return "(ephemeral value)"
	case kinds&value.Sensitive != 0:
		return "(sensitive value)"
	}
	return fmt.Sprintf("%q", v.AsString())
}

var errNotText = errors.New("the result of decoding the provided string is not valid UTF-8")

func base64Decode(s, shown string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", fmt.Errorf("failed to decode base64 data %s", shown)
	}
	if !utf8.Valid(raw) {
		return "", errNotText
	}
	return string(raw), nil
}

func base64Gzip(s, _ string) (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		return "", fmt.Errorf("failed to write gzip raw data: %w", err)
	}
	// The flush costs some bytes of the result and must stay, because results
	// are stored and compared.
	if err := w.Flush(); err != nil {
		return "", fmt.Errorf("failed to flush gzip writer: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("failed to close gzip writer: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

func base64Gunzip(s, shown string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", fmt.Errorf("failed to decode base64 data %s", shown)
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("failed to gunzip data: %w", err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("failed to gunzip data: %w", err)
	}
	if !utf8.Valid(out) {
		return "", errNotText
	}
	return string(out), nil
}

func urlDecode(s, shown string) (string, error) {
	out, err := url.QueryUnescape(s)
	if err != nil {
		return "", fmt.Errorf("failed to decode URL %s: %w", shown, err)
	}
	return out, nil
}

var textEncode = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "string", Type: cty.String}, {Name: "encoding", Type: cty.String}},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		enc, name, err := charset(args[1])
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		raw, err := enc.NewEncoder().Bytes([]byte(args[0].AsString()))
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "the given string contains characters that cannot be represented in %s", name)
		}
		return cty.StringVal(base64.StdEncoding.EncodeToString(raw)), nil
	},
})

var textDecode = function.New(&function.Spec{
	Params:       []function.Parameter{{Name: "source", Type: cty.String}, {Name: "encoding", Type: cty.String}},
	Type:         function.StaticReturnType(cty.String),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		enc, name, err := charset(args[1])
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		raw, err := base64.StdEncoding.DecodeString(args[0].AsString())
		if err != nil {
			var at base64.CorruptInputError
			if errors.As(err, &at) {
				return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "the given value has an invalid base64 symbol at offset %d", int(at))
			}
			return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "invalid source string: %w", err)
		}
		out, err := enc.NewDecoder().Bytes(raw)
		if err != nil || bytes.ContainsRune(out, '�') {
			return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "the given string contains symbols that are not defined for %s", name)
		}
		return cty.StringVal(string(out)), nil
	},
})

// charset finds a character encoding and its canonical name.
func charset(v cty.Value) (encoding.Encoding, string, error) {
	enc, err := ianaindex.IANA.Encoding(v.AsString())
	if err != nil || enc == nil {
		return nil, "", function.NewArgErrorf(1, "%q is not a supported IANA encoding name or alias in this version", v.AsString())
	}
	name, err := ianaindex.IANA.Name(enc)
	if err != nil {
		name = v.AsString()
	}
	return enc, name, nil
}
