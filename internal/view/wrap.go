package view

import "strings"

// Wrap breaks each line of prose so that it takes at most width columns where its
// words allow that: at spaces, and between the characters of scripts that write no
// spaces. Lines that begin with blank space stay.
func Wrap(prose string, width int) string {
	if Width(prose) <= width {
		return prose
	}
	lines := strings.Split(prose, "\n")
	for i, line := range lines {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			lines[i] = wrapLine(line, width, "")
		}
	}
	return strings.Join(lines, "\n")
}

// WrapItems is Wrap that breaks the items of lists, too, and begins their further
// lines below their first word. An item is a line that begins with "*", "-", "•" or
// a number with a full stop, with or without blank space before it.
func WrapItems(prose string, width int) string {
	lines := strings.Split(prose, "\n")
	for i, line := range lines {
		if mark := bullet(line); mark > 0 && width-mark >= least {
			lines[i] = wrapLine(line, width, strings.Repeat(" ", mark))
			continue
		}
		lines[i] = Wrap(line, width)
	}
	return strings.Join(lines, "\n")
}

// least is the room below which text is better left to the terminal to break.
const least = 20

// bullet is the number of columns that the mark of a list's item takes with the
// blank space around it, or 0 when line begins with none.
func bullet(line string) int {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "0123456789")
	if rest != text {
		after, ok := strings.CutPrefix(rest, ".")
		if !ok {
			return 0
		}
		rest = after
	} else {
		for _, mark := range []string{"*", "-", "•"} {
			if after, ok := strings.CutPrefix(text, mark); ok {
				rest = after
			}
		}
	}
	if rest == text || !strings.HasPrefix(rest, " ") {
		return 0
	}
	return Width(line) - Width(strings.TrimLeft(rest, " "))
}

// Fold cuts a line into parts that take at most width columns: behind a space where
// one is near enough, else anywhere. Tabs reach to the next multiple of eight. A width
// that is too small to be worth it cuts nothing.
func Fold(line string, width int) []string {
	if width < least {
		return []string{line}
	}
	var out []string
	from, column, space := 0, 0, 0
	for i, r := range line {
		n := columns(r)
		if r == '\t' {
			n = 8 - column%8
		}
		if column+n > width {
			at := i
			if space > from && Width(line[from:space]) > width/2 {
				at = space
			}
			out = append(out, line[from:at])
			from, column = at, Width(line[at:i])
		}
		column += n
		if r == ' ' || r == '\t' {
			space = i + 1
		}
	}
	return append(out, line[from:])
}

// wrapLine breaks one line. The lines behind the first begin with hang.
func wrapLine(line string, width int, hang string) string {
	var b strings.Builder
	column := 0
	place := func(piece, before string) {
		n := Width(piece)
		if column > len(hang) && column+len(before)+n > width {
			b.WriteString("\n" + hang)
			column, before = len(hang), ""
		}
		b.WriteString(before + piece)
		column += len(before) + n
	}
	for i, word := range strings.Split(line, " ") {
		before := " "
		if i == 0 {
			before = ""
		}
		for _, piece := range pieces(word) {
			place(piece, before)
			before = ""
		}
	}
	return b.String()
}

// stays are the characters of wide scripts that no line begins with.
const stays = "、。，．！？：；）」』】〕》ー"

// pieces are the parts of a word between which a line may be broken: a word of a wide
// script has no spaces, and is broken between any of its characters.
func pieces(word string) []string {
	if Width(word) == len(word) {
		return []string{word}
	}
	var out []string
	from, before := 0, rune(0)
	for i, r := range word {
		if wide(before) && wide(r) && !strings.ContainsRune(stays, r) {
			out = append(out, word[from:i])
			from = i
		}
		if columns(r) > 0 {
			before = r
		}
	}
	return append(out, word[from:])
}
