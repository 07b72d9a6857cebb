package view

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks each line of prose at spaces so that it takes at most width
// columns where its words allow that. Lines that begin with blank space stay.
func Wrap(prose string, width int) string {
	if utf8.RuneCountInString(prose) <= width {
		return prose
	}
	lines := strings.Split(prose, "\n")
	for i, line := range lines {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			lines[i] = wrapLine(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

func wrapLine(line string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Split(line, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
