package addr

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/plumb-iac/plumb/diag"
)

// Malformed is the error for text that is no address.
type Malformed struct {
	Text string
	// Mistake is the short name of a mistake in the syntax, by which tools know
	// it; "" where the syntax is right and the words are not those of an address.
	Mistake string
	// At is the character at which the mistake was found, counted from 1; 0 for
	// no mistake in the syntax.
	At int
}

// Error says what is expected, and where the mistake is.
func (m *Malformed) Error() string {
	text := fmt.Sprintf("%q is not a valid address: a resource (type.name), a resource instance (type.name[key]) or a module (module.name) is expected", m.Text)
	if m.Mistake != "" {
		text += fmt.Sprintf("; it goes wrong at character %d", m.At)
	}
	return text
}

// Unparsable reports the error of one of the functions that read addresses.
func Unparsable(err error) diag.Diag {
	summary := "Invalid address"
	var m *Malformed
	if errors.As(err, &m) && m.Mistake != "" {
		summary = m.Mistake
	}
	return diag.Err(summary, err.Error()+".").By(diag.Operator)
}

// malformed finds the mistake in text that could not be read.
func malformed(text string) error {
	p := parser{src: text}
	m := &Malformed{Text: text, Mistake: p.mistake()}
	if m.Mistake != "" {
		m.At = utf8.RuneCountInString(text[:p.pos]) + 1
	}
	return m
}

// mistake reads names, attributes and indices as far as they go, and names what
// stops it.
func (p *parser) mistake() string {
	if p.ident() == "" {
		return "Variable name required"
	}
	for !p.done() {
		switch {
		case p.eat('.'):
			if p.ident() == "" {
				return "Attribute name required"
			}
		case p.eat('['):
			if wrong := p.index(); wrong != "" {
				return wrong
			}
		default:
			return "Invalid character"
		}
	}
	return ""
}

// index reads what stands behind an opening bracket, and the closing one.
func (p *parser) index() string {
	start := p.pos
	switch {
	case p.done():
		return "Index value required"
	case p.src[p.pos] == '"':
		if _, ok := p.quoted(); !ok && p.done() {
			p.pos = start
			return "Unclosed index brackets"
		} else if !ok {
			return "Invalid string literal"
		}
	default:
		for !p.done() && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
			p.pos++
		}
	}
	switch {
	case p.pos == start:
		return "Index value required"
	case !p.eat(']'):
		return "Unclosed index brackets"
	}
	return ""
}
