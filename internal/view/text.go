package view

import (
	"fmt"
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

func unsafe(r rune) bool { return r == utf8.RuneError || valuetext.Unsafe(r) }
