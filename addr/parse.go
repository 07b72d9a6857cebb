package addr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser reads address text from left to right.
type parser struct {
	src string
	pos int
	// any says that [*] is a key.
	any bool
}

func (p *parser) done() bool { return p.pos >= len(p.src) }

func (p *parser) eat(c byte) bool {
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// word reads the identifier w if it stands here.
func (p *parser) word(w string) bool {
	save := p.pos
	if p.ident() == w {
		return true
	}
	p.pos = save
	return false
}

// ident reads an identifier, "" when there is none.
func (p *parser) ident() string {
	start := p.pos
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		letter := unicode.IsLetter(r) || r == '_'
		if !letter && (p.pos == start || !unicode.IsDigit(r) && r != '-' && !unicode.IsMark(r)) {
			break
		}
		p.pos += n
	}
	return p.src[start:p.pos]
}

// key reads an instance key if one stands here. ok is false when there is
// none or it is malformed; a malformed key leaves the position at its bracket.
func (p *parser) key() (InstanceKey, bool) {
	save := p.pos
	if !p.eat('[') {
		return NoKey, false
	}
	if p.pos < len(p.src) && p.src[p.pos] == '"' {
		s, ok := p.quoted()
		if ok && p.eat(']') {
			return StringKey(s), true
		}
		p.pos = save
		return NoKey, false
	}
	if p.any && strings.HasPrefix(p.src[p.pos:], "*]") {
		p.pos += 2
		return AnyKey, true
	}
	end := strings.IndexByte(p.src[p.pos:], ']')
	if end >= 0 {
		if n, err := strconv.Atoi(p.src[p.pos : p.pos+end]); err == nil && n >= 0 {
			p.pos += end + 1
			return IntKey(n), true
		}
	}
	p.pos = save
	return NoKey, false
}

func (p *parser) quoted() (string, bool) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		switch c := p.src[p.pos]; c {
		case '"':
			p.pos++
			return b.String(), utf8.ValidString(b.String())
		case '\\':
			p.pos++
			if !p.escape(&b) {
				return "", false
			}
		case '$', '%':
			b.WriteByte(c)
			if strings.HasPrefix(p.src[p.pos+1:], string(c)+"{") {
				p.pos++
			} else if strings.HasPrefix(p.src[p.pos+1:], "{") {
				return "", false
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func (p *parser) escape(b *strings.Builder) bool {
	if p.pos >= len(p.src) {
		return false
	}
	digits := 0
	switch c := p.src[p.pos]; c {
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case '"', '\\':
		b.WriteByte(c)
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return false
	}
	if digits > 0 {
		if p.pos+digits >= len(p.src) {
			return false
		}
		n, err := strconv.ParseUint(p.src[p.pos+1:p.pos+1+digits], 16, 32)
		if err != nil {
			return false
		}
		b.WriteRune(rune(n))
		p.pos += digits
	}
	return true
}

// modules reads leading module steps, leaving the position behind the dot that
// follows them. ok is false on a malformed step.
func (p *parser) modules() (m ModuleInstance, ok bool) {
	for {
		save := p.pos
		if !p.word("module") {
			return m, true
		}
		if !p.eat('.') {
			p.pos = save
			return m, true
		}
		name := p.ident()
		if name == "" {
			return m, false
		}
		key, has := p.key()
		if !has && p.pos < len(p.src) && p.src[p.pos] == '[' {
			return m, false
		}
		m = m.Child(name, key)
		if p.done() {
			return m, true
		}
		if !p.eat('.') {
			return m, false
		}
	}
}

// ParseModuleInstance reads a module instance address; "" is the root.
func ParseModuleInstance(s string) (ModuleInstance, error) {
	p := parser{src: s}
	m, ok := p.modules()
	if !ok || !p.done() || strings.HasSuffix(s, ".") {
		return m, fmt.Errorf("%q is not a module address", s)
	}
	return m, nil
}

// ParseInstance reads the address of a resource instance.
func ParseInstance(s string) (AbsInstance, error) {
	return parseInstance(s, false)
}

// ParsePlanned reads the address of what a plan has a change for: a resource
// instance, or with [AnyKey] what stands for instances that are not known.
func ParsePlanned(s string) (AbsInstance, error) {
	return parseInstance(s, true)
}

func parseInstance(s string, any bool) (AbsInstance, error) {
	t, err := parseTarget(s, any)
	if err != nil {
		return AbsInstance{}, err
	}
	if !t.HasResource {
		return AbsInstance{}, fmt.Errorf("%q is the address of a module; a resource instance is needed here", s)
	}
	return AbsInstance{t.Module, t.Resource, t.Key}, nil
}

// ParseConfigResource reads a resource address without instance keys.
func ParseConfigResource(s string) (ConfigResource, error) {
	i, err := ParseInstance(s)
	if err != nil {
		return ConfigResource{}, err
	}
	return i.Config(), nil
}

// modes are the words before a resource's type.
var modes = map[string]Mode{"resource": Managed, "data": Data, "ephemeral": Ephemeral, "list": List}

// ParseTarget reads any address that can select objects. Its error is a
// [Malformed].
func ParseTarget(s string) (Target, error) {
	return parseTarget(s, false)
}

func parseTarget(s string, any bool) (Target, error) {
	p := parser{src: s, any: any}
	t := Target{text: s}
	m, ok := p.modules()
	if !ok || s == "" {
		return t, malformed(s)
	}
	t.Module = m
	if p.done() {
		if strings.HasSuffix(s, ".") {
			return t, malformed(s)
		}
		return t, nil
	}
	t.HasResource = true
	t.Resource.Mode = Managed
	first := p.ident()
	if mode, ok := modes[first]; ok {
		t.Resource.Mode = mode
		if !p.eat('.') {
			return t, malformed(s)
		}
		first = p.ident()
	}
	t.Resource.Type = first
	if first == "" || !p.eat('.') {
		return t, malformed(s)
	}
	if t.Resource.Name = p.ident(); t.Resource.Name == "" {
		return t, malformed(s)
	}
	t.Key, t.HasKey = p.key()
	if !p.done() {
		return t, malformed(s)
	}
	return t, nil
}
