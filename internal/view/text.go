package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumb-iac/plumb/internal/lang/valuetext"
	"golang.org/x/text/width"
)

// Width is how many columns of a terminal a text takes: two for a character of the
// wide scripts and most emoji, none for what combines with the one before it. The
// codes of [Style.Paint] take none.
func Width(text string) int {
	n := 0
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7f {
			n, i = n+1, i+1
			continue
		}
		if skip := paint(text[i:]); skip > 0 {
			i += skip
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		n, i = n+columns(r), i+size
	}
	return n
}

// Count writes a number of things: "1 file", "2 files".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// paint is the length of the code of a colour that text begins with, or 0.
func paint(text string) int {
	rest, ok := strings.CutPrefix(text, "\x1b[")
	if !ok {
		return 0
	}
	parameters := strings.TrimLeft(rest, "0123456789;:")
	if !strings.HasPrefix(parameters, "m") {
		return 0
	}
	return len(text) - len(parameters) + 1
}

func columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

func wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Harmless is a text with pictures for control characters, which could rewrite a
// terminal, and codes for those that change the order of what is shown. Line breaks
// and tabs stay.
func Harmless(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !unsafe(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('␀' + r)
		case r == utf8.RuneError:
			b.WriteRune(r)
		case r <= 0x9f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Foreign is a line of a program's output: what the last of its carriage returns left
// to be seen, with its colours where the style has any, and otherwise harmless. The
// cursor is not the program's to move.
func (s Style) Foreign(line string) string {
	line = strings.TrimRight(line, "\r")
	if i := strings.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:]
	}
	if !strings.Contains(line, "\x1b") {
		return Harmless(line)
	}
	var b strings.Builder
	painted := false
	for line != "" {
		if n := paint(line); n > 0 {
			if s.Color {
				b.WriteString(line[:n])
				painted = true
			}
			line = line[n:]
			continue
		}
		n := sequence(line)
		if n == 0 {
			if n = strings.IndexByte(line, '\x1b'); n < 0 {
				n = len(line)
			}
			b.WriteString(Harmless(line[:n]))
		}
		line = line[n:]
	}
	if painted {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// sequence is the length of the order to a terminal that text begins with, or 0. A
// lone escape is one.
func sequence(text string) int {
	if !strings.HasPrefix(text, "\x1b") {
		return 0
	}
	if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
		for i := range len(rest) {
			if rest[i] >= '@' && rest[i] <= '~' {
				return len("\x1b[") + i + 1
			}
		}
		return len(text)
	}
	if rest, ok := strings.CutPrefix(text, "\x1b]"); ok {
		for _, end := range []string{"\a", "\x1b\\"} {
			if i := strings.Index(rest, end); i >= 0 {
				return len("\x1b]") + i + len(end)
			}
		}
	}
	return 1
}

func unsafe(r rune) bool { return r == utf8.RuneError || valuetext.Unsafe(r) }
