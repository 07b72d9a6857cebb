package valuetext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Quote writes a string the way the language has it, leaving printable characters
// as they are: what is not seen could not be told apart.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	runes := []rune(s)
	for i, r := range runes {
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
		case strconv.IsPrint(r) || joins(runes, i):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// joins says whether the character makes one picture of those beside it, as in the
// emoji of families: it is seen by what it does.
func joins(runes []rune, i int) bool {
	const joiner = '\u200d'
	return runes[i] == joiner && i > 0 && i+1 < len(runes) && pictorial(runes[i-1]) && pictorial(runes[i+1])
}

func pictorial(r rune) bool {
	const emojiVariant = '\ufe0f'
	return r == emojiVariant || r > 0x7f && unicode.In(r, unicode.So, unicode.Sk)
}

// Unsafe says whether a character, written as it is, may move a terminal's cursor,
// give it orders, or show text in another order than it stands in.
func Unsafe(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Bidi_Control)
}
