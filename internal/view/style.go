package view

import "strings"

// DefaultWidth is the width of text that does not go to a terminal.
const DefaultWidth = 78

// Style says how text is coloured, how wide it may be, and what the program calls
// itself. The zero value is plain text of DefaultWidth columns by Plumb.
type Style struct {
	Color bool
	Width int
	// Name is the product that the program was called as, "" for Plumb.
	Name string
}

// Ink is a colour or weight of text.
type Ink string

// The inks.
const (
	Bold   Ink = "1"
	Red    Ink = "31"
	Green  Ink = "32"
	Yellow Ink = "33"
	Cyan   Ink = "36"
	Gray   Ink = "90"
)

// Columns is the width to wrap prose at.
func (s Style) Columns() int {
	if s.Width <= 0 {
		return DefaultWidth
	}
	return s.Width
}

// Paint gives text in the inks, or as it is when the style has no colour.
func (s Style) Paint(text string, inks ...Ink) string {
	if !s.Color || text == "" {
		return text
	}
	var b strings.Builder
	for _, i := range inks {
		b.WriteString("\x1b[" + string(i) + "m")
	}
	return b.String() + text + "\x1b[0m"
}

// Named gives a sentence that says Plumb and that programs look for. With a name
// of its own, the style puts that in Plumb's place.
func (s Style) Named(sentence string) string {
	if s.Name == "" {
		return sentence
	}
	return strings.ReplaceAll(sentence, "Plumb", s.Name)
}

// Bold gives text in bold.
func (s Style) Bold(text string) string { return s.Paint(text, Bold) }

// Wrap breaks the lines of prose at the style's width. Lines that begin with
// blank space are examples and stay as they are.
func (s Style) Wrap(prose string) string { return Wrap(prose, s.Columns()) }

// Rule is the horizontal line between parts of a text.
func (s Style) Rule() string {
	return s.Paint(strings.Repeat("─", s.Columns()-1), Gray)
}
