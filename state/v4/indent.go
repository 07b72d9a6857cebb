package v4

import (
	"bytes"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// blank is a line end and the deepest indentation that is copied at once.
var blank = []byte("\n" + "                                                                ")

// appendLine ends a line and indents the next.
func appendLine(dst []byte, depth int) []byte {
	n := 1 + 2*depth
	if n <= len(blank) {
		return append(dst, blank[:n]...)
	}
	return append(append(dst, '\n'), bytes.Repeat([]byte("  "), depth)...)
}

// appendQuoted appends s as a JSON string, with the characters escaped that
// mean something in HTML or JavaScript.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plain(c) {
				i++
				continue
			}
			dst = appendEscaped(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), `\u202`...)
			dst = append(dst, hex[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(dst, s[start:]...), '"')
}

func plain(c byte) bool {
	return c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

// raw writes a member whose value is valid JSON already.
func (e *encoder) raw(name string, src []byte) {
	e.name(name)
	e.buf = appendIndented(e.buf, src, e.depth)
}

// appendIndented appends valid JSON, indented from depth on.
func appendIndented(dst, src []byte, depth int) []byte {
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case ' ', '\n', '\r', '\t':
			i++
		case '"':
			end := stringEnd(src, i)
			dst = appendString(dst, src[i:end])
			i = end
		case '{', '[':
			next := skipBlank(src, i+1)
			if next < len(src) && (src[next] == '}' || src[next] == ']') {
				dst = append(dst, c, src[next])
				i = next + 1
				continue
			}
			depth++
			dst = appendLine(append(dst, c), depth)
			i = next
		case '}', ']':
			depth--
			dst = append(appendLine(dst, depth), c)
			i++
		case ',':
			dst = appendLine(append(dst, c), depth)
			i++
		case ':':
			dst = append(dst, ':', ' ')
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

func skipBlank(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}

// appendString copies an encoded string, escaping what HTML and JavaScript
// would trip over.
func appendString(dst, s []byte) []byte {
	if bytes.IndexByte(s, '<') < 0 && bytes.IndexByte(s, '>') < 0 && bytes.IndexByte(s, '&') < 0 && bytes.IndexByte(s, 0xe2) < 0 {
		return append(dst, s...)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<' || c == '>' || c == '&':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2]&^1 == 0xa8:
			dst = append(append(dst, `\u202`...), hex[s[i+2]&0xf])
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
